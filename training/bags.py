"""
Texts as bags of word numbers: what the document side is trained on and judged by.

A text is a path, a line end, and code.  The words of the path and those of the code are counted
apart, because the same word tells more in a path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from fiuto.embed.words import parts_of, pieces_of, runs_of

__all__ = ["Bags", "Cutter", "bag_all", "choose_words", "count_words"]

Numbers: TypeAlias = npt.NDArray[np.int64]

LONGEST = 40
"""Letters: what is longer is data, and :func:`fiuto.embed.words.pieces_of` agrees."""
_MOST = 255


@dataclass(frozen=True, slots=True)
class Bags:
    """
    Word counts of many texts, in compressed rows: text ``i`` owns the entries ``starts[i]`` to
    ``starts[i + 1]``, at most one a word.
    """

    starts: Numbers
    words: npt.NDArray[np.int32]
    code: npt.NDArray[np.uint8]
    """How often each word stands in the code, up to 255."""
    path: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, rows: Numbers) -> Bags:
        """The bags of ``rows``, in that order."""
        first, sizes = self.starts[rows], np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        at = np.arange(starts[-1]) + np.repeat(first - starts[:-1], sizes)
        return Bags(starts, self.words[at], self.code[at], self.path[at])

    def with_code_of(self, others: Bags, which: npt.NDArray[np.bool_]) -> Bags:
        """These bags; for those in ``which`` with the code of the same row of ``others`` added."""
        size = int(max(self.words.max(initial=0), others.words.max(initial=0))) + 1
        added = others.code * np.repeat(which, np.diff(others.starts))
        # One number holds both counts, so that one sum of two sparse matrices adds both.
        total = csr_matrix(
            (self.code + (self.path.astype(np.int32) << 16), self.words, self.starts),
            (len(self), size),
        ) + csr_matrix((added.astype(np.int32), others.words, others.starts), (len(self), size))
        total.eliminate_zeros()
        code = np.minimum(total.data & 0xFFFF, _MOST).astype(np.uint8)
        path = (total.data >> 16).astype(np.uint8)
        return Bags(total.indptr.astype(np.int64), total.indices.astype(np.int32), code, path)


class Cutter(dict[str, tuple[int, ...]]):
    """Identifier -> the numbers of its words, found when first asked for."""

    def __init__(self, words: Sequence[str]) -> None:
        self._number = {word: number for number, word in enumerate(words)}

    def __missing__(self, run: str) -> tuple[int, ...]:
        numbers: list[int] = []
        for part in parts_of(run):
            if part in self._number:
                numbers.append(self._number[part])
            else:
                pieces = pieces_of(part, self._number.__contains__)
                numbers += [self._number[piece] for piece in pieces]
        self[run] = found = tuple(numbers)
        return found


def bag_all(texts: Iterable[str], cutter: Cutter) -> Bags:
    """The bags of texts, each of which starts with its path on a line of its own."""
    sizes = [0]
    words: list[npt.NDArray[np.int32]] = []
    code: list[bytes] = []
    path: list[bytes] = []
    find = cutter.__getitem__
    for text in texts:
        head, _, body = text.partition("\n")
        in_code = Counter(chain.from_iterable(map(find, runs_of(body))))
        in_path = Counter(chain.from_iterable(map(find, runs_of(head))))
        keys = list(in_code | in_path)
        sizes.append(len(keys))
        words.append(np.array(keys, np.int32))
        code.append(bytes(min(in_code[key], _MOST) for key in keys))
        path.append(bytes(min(in_path[key], _MOST) for key in keys))
    return Bags(
        np.cumsum(sizes),
        np.concatenate(words),
        np.frombuffer(b"".join(code), np.uint8),
        np.frombuffer(b"".join(path), np.uint8),
    )


def count_words(texts: Iterable[str]) -> Counter[str]:
    """In how many texts each word stands, counted by identifier."""
    runs: Counter[str] = Counter()
    for text in texts:
        runs.update(set(runs_of(text)))
    counts: Counter[str] = Counter()
    for run, number in runs.items():
        for part in set(parts_of(run)):
            counts[part] += number
    return counts


def choose_words(counts: Counter[str], own: Iterable[str], least: int, most: int) -> list[str]:
    """
    The words of a model in byte order: the commonest of those that stand in ``least`` texts, and
    the teacher's ``own``, which people use in questions whether code has them or not.  Numbers
    over four digits are left out: they are all different and mean the same.
    """
    always = set(own)
    fit = [
        word
        for word in counts.keys() | always
        if (counts[word] >= least or word in always)
        and len(word) <= LONGEST
        and not (word.isdigit() and len(word) > 4)
    ]
    return sorted(sorted(fit, key=lambda word: (-counts[word], word))[:most], key=str.encode)
