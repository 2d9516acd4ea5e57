"""
Texts as bags of word numbers: what the document side is trained on and judged by.

A text is a path, a line end, and code.  The words of the path and those of the code are counted
apart, because the same word tells more in a path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from fiuto.embed.words import parts_of, pieces_of, runs_of

__all__ = ["Bags", "Cutter", "bag_all", "choose_words", "count_words"]


@dataclass(frozen=True, slots=True)
class Bags:
    """
    Word counts of many texts, in compressed rows: text ``i`` owns the entries ``starts[i]`` to
    ``starts[i + 1]``, at most one a word.
    """

    starts: npt.NDArray[np.int64]
    words: npt.NDArray[np.int32]
    code: npt.NDArray[np.uint8]
    """How often each word stands in the code, up to 255."""
    path: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, rows: npt.NDArray[np.int64]) -> Bags:
        """The bags of ``rows``, in that order."""
        first, sizes = self.starts[rows], np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        at = np.arange(starts[-1]) + np.repeat(first - starts[:-1], sizes)
        return Bags(starts, self.words[at], self.code[at], self.path[at])


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
                numbers += [
                    self._number[piece] for piece in pieces_of(part, self._number.__contains__)
                ]
        self[run] = found = tuple(numbers)
        return found


def bag_all(texts: Iterable[str], cutter: Cutter) -> Bags:
    """The bags of texts, each of which starts with its path on a line of its own."""
    sizes = [0]
    words: list[npt.NDArray[np.int32]] = []
    code: list[npt.NDArray[np.uint8]] = []
    path: list[npt.NDArray[np.uint8]] = []
    find: Callable[[str], tuple[int, ...]] = cutter.__getitem__
    for text in texts:
        head, _, body = text.partition("\n")
        in_body = Counter(chain.from_iterable(map(find, runs_of(body))))
        in_path = Counter(chain.from_iterable(map(find, runs_of(head))))
        keys = list(in_body | in_path)
        sizes.append(len(keys))
        words.append(np.array(keys, np.int32))
        code.append(np.array([min(in_body[key], 255) for key in keys], np.uint8))
        path.append(np.array([min(in_path[key], 255) for key in keys], np.uint8))
    return Bags(np.cumsum(sizes), np.concatenate(words), np.concatenate(code), np.concatenate(path))


def count_words(texts: Iterable[str]) -> Counter[str]:
    """In how many texts each word stands."""
    runs: Counter[str] = Counter()
    for text in texts:
        runs.update(set(runs_of(text)))
    counts: Counter[str] = Counter()
    for run, number in runs.items():
        for part in set(parts_of(run)):
            counts[part] += number
    return counts


def choose_words(
    counts: Counter[str], own: Iterable[str], least: int, most: int, longest: int = 40
) -> list[str]:
    """
    The words of a model in byte order: the commonest of those that stand in ``least`` texts, and
    the teacher's ``own``, which people use in questions whether code has them or not.
    """
    fit = {
        word
        for word in counts.keys() | set(own)
        if len(word) <= longest and not (word.isdigit() and len(word) > 4)
    }
    own = set(own)
    fit = {word for word in fit if counts[word] >= least or word in own}
    return sorted(sorted(fit, key=lambda word: (-counts[word], word))[:most], key=str.encode)
