"""
Cuts a stretch that nobody explained, at its most natural borders.

Blank lines and indentation mean much the same in configuration, stylesheets,
tables, prose and code that no parser understood, so they decide here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fiuto.chunk.sheet import Sheet

__all__ = ["cut"]

_BLANK_BEFORE = 8
"""A blank line above weighs as much as standing this many columns further left."""
_TAB = 4
"""Columns of a tab in front of a line."""
_CLOSER = re.compile(r"\s*(?:[)\]}>]|</|end\b|else\b|elif\b|fi\b|done\b|esac\b)")
"""Lines that finish what stands above them: never the first of a piece by choice."""


def cut(sheet: Sheet, first: int, last: int, ink: int, length: int) -> Iterator[tuple[int, int]]:
    """
    Pieces of these rows, blank ones at their ends left out.

    Each has at most ``ink`` non-blank and ``length`` characters in all, unless it
    is a single row that is longer by itself.
    """
    start = first
    while start <= last:
        end = min(sheet.reach(start, ink, length), last)
        if end < last:
            end = _border(sheet, start, end + 1) - 1
        piece = sheet.trim(start, end)
        if piece:
            yield piece
        start = end + 1


def _border(sheet: Sheet, start: int, stop: int) -> int:
    """The best first row for the next piece, in the last two thirds before ``stop``."""
    best, score = stop, None
    blank = False
    for row in range(start + max(1, (stop - start) // 3), stop + 1):
        line = sheet.lines(row, row)
        body = line.lstrip()
        if not body:
            blank = True
            continue
        own = _BLANK_BEFORE * blank - len(line[: len(line) - len(body)].expandtabs(_TAB))
        if (score is None or own >= score) and not _CLOSER.match(line):
            best, score = row, own
        blank = False
    return best
