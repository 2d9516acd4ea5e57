"""
A text as numbered lines, with sizes that cost nothing to ask for.

Cutting asks over and over how much stands between two lines.  Running sums
answer that in constant time, so that a large file costs no more per line than a
small one.  Rows are 0-based here; only chunks count from 1.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise

from fiuto.model import Chunk

__all__ = ["MAX_SLICES", "Sheet", "slices"]

MAX_SLICES = 16
"""Into how many chunks the overlong lines of one file are cut at most, roughly."""

_DENSE = 200
"""Non-blank characters a line, on average, above which a text is minified or data."""
_DENSE_FROM = 5000
"""Texts shorter than this are never called dense: a line or two is no average."""

_SEAM = re.compile(r"\W(?=\w)|\w(?=\W)")
"""Where a line may be cut without breaking a word."""
_SEAM_WINDOW = 200
"""How far back from the limit a seam is looked for, in characters."""


class Sheet:
    """The lines of a text: only a line feed ends one, and a final one starts no new line."""

    __slots__ = ("_ends", "_ink", "count", "longest", "text")

    def __init__(self, text: str) -> None:
        lengths = [len(line) + 1 for line in text.split("\n")]
        inks = _inks(text)
        if lengths[-1] == 1:
            lengths.pop()
            inks.pop()
        self.text = text
        self.count = len(lengths)
        self.longest = max(lengths, default=1) - 1
        self._ends = [0, *accumulate(lengths)]
        self._ink = [0, *accumulate(inks)]

    def ink(self, first: int, last: int) -> int:
        """How many non-blank characters stand in these rows."""
        return self._ink[last + 1] - self._ink[first]

    def length(self, first: int, last: int) -> int:
        """How many characters these rows hold, line ends between them included."""
        return self._ends[last + 1] - self._ends[first] - 1

    def lines(self, first: int, last: int) -> str:
        """These rows, joined as they stand."""
        return self.text[self._ends[first] : self._ends[last + 1] - 1]

    def trim(self, first: int, last: int) -> tuple[int, int] | None:
        """The same rows without blank ones at either end; None where all are blank."""
        ink = self._ink
        if ink[last + 1] == ink[first]:
            return None
        while ink[first + 1] == ink[first]:
            first += 1
        while ink[last + 1] == ink[last]:
            last -= 1
        return first, last

    def reach(self, first: int, ink: int, length: int) -> int:
        """The last row up to which both sizes hold; never before ``first``."""
        by_ink = bisect_right(self._ink, self._ink[first] + ink) - 2
        by_length = bisect_right(self._ends, self._ends[first] + length + 1) - 2
        return max(first, min(by_ink, by_length))

    def overlong(self, cap: int) -> int:
        """How many characters stand in lines of more than ``cap`` of them."""
        if self.longest <= cap:
            return 0
        return sum(b - a for a, b in pairwise(self._ends) if b - a > cap + 1)

    def is_dense(self) -> bool:
        """Whether the lines are so few and so long that no person wrote them."""
        ink = self._ink[-1]
        return ink > _DENSE_FROM and ink > _DENSE * self.count


_ASCII_BLANKS = b"\t\x0b\x0c\r\x1c\x1d\x1e\x1f "
"""What ``str.split`` takes for blank, but for the line feed."""


def _inks(text: str) -> list[int]:
    """How many non-blank characters each line holds."""
    if text.isascii():
        # One pass in C instead of one for each line.
        return list(map(len, text.encode("ascii").translate(None, _ASCII_BLANKS).split(b"\n")))
    return [len("".join(line.split())) for line in text.split("\n")]


def slices(line: str, row: int, cap: int, symbol: str = "", kind: str = "slice") -> list[Chunk]:
    """
    Chunks of at most ``cap`` characters for one overlong line.

    All of them stand on the same line, and the text of each is a part of it.
    Words stay whole where the line has a seam near the limit.
    """
    return [
        Chunk(row + 1, row + 1, line[a:b], symbol, kind)
        for a, b in _spans(line, cap)
        if not line[a:b].isspace()
    ]


def _spans(line: str, cap: int) -> Iterator[tuple[int, int]]:
    start = 0
    while len(line) - start > cap:
        end = start + cap
        for seam in _SEAM.finditer(line, end - min(_SEAM_WINDOW, cap // 2), end + 1):
            end = seam.end()
        yield start, end
        start = end
    yield start, len(line)
