"""
The document side of the static model: many texts at once, through numpy.

A text becomes two bags of word rows: of its first line, which is the path, and of all
that follows.  A text of one line is code.  The path counts twice: among all the words, where
few stand against many, and by itself with :data:`PATH_SHARE`.  What costs time is Python work
for each word, so every distinct identifier is cut and looked up once and its rows are
remembered; counting and summing happen in C.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fiuto.embed.static_file import CODE, PATH, PATH_SHARE, StaticFile
from fiuto.embed.words import parts_of, pieces_of, runs_of

__all__ = ["DocumentSide"]

Floats: TypeAlias = npt.NDArray[np.float32]

_NOTHING = 1e-12
"""Length below which a path has no known word."""
_REMEMBERED = 200_000
"""Identifiers kept: those of a large repository, at about 40 MB."""
_AT_ONCE = 512
"""Rows from which on no further text is added to those that are summed together."""
_PATHS = 1_000
"""Vectors of paths kept, 1.5 MB: questions to one index meet the same files again."""


class DocumentSide:
    """Embeds documents with one open model file; the vocabulary is loaded at first use."""

    def __init__(self, file: StaticFile) -> None:
        self._file = file
        self._runs: _Runs | None = None
        self._few: _Runs | None = None
        self._paths: dict[str, Floats] = {}
        weights = np.frombuffer(file.sections["weights"], "<f4").reshape(3, -1)
        self._factors = weights * np.frombuffer(file.sections["scales"], "<f4")

    def nearness(self, texts: Sequence[str], vector: bytes) -> list[float]:
        """
        The cosine of each text, a few words long, to a unit float32 row.

        Raises:
            ModelUnavailable: the model file is damaged.
        """
        runs = self._few if self._runs is None else self._runs
        if runs is None or len(runs) > _REMEMBERED:
            runs = self._few = _FewRuns(self._file)
        rows = self._rows(texts, runs)
        products = rows.astype(np.float64) * np.frombuffer(vector, "<f4")
        # One after the other, or the last digit would depend on the library that adds.
        near: list[float] = np.add.accumulate(products, axis=1)[:, -1].tolist()
        return near

    def embed(self, texts: Sequence[str]) -> bytes:
        """
        Unit float32 rows, in order.

        Raises:
            ModelUnavailable: the model file is damaged.
        """
        runs = self._runs
        if runs is None or len(runs) > _REMEMBERED:
            runs = self._runs = _Runs(self._file)
        return self._rows(texts, runs).tobytes()

    def _rows(self, texts: Sequence[str], runs: Mapping[str, tuple[int, ...]]) -> Floats:
        file = self._file
        vectors = np.frombuffer(file.sections["vectors"], np.int8).reshape(-1, file.dimension)
        factors = self._factors
        out = np.zeros((len(texts), file.dimension), "<f4")
        paths = np.zeros_like(out)
        if len(self._paths) > _PATHS:
            self._paths = {}
        bags = []
        for i, text in enumerate(texts):
            path, parted, code = text.partition("\n")
            bags.append(_bag(code if parted else path, runs))
            if parted:
                if path not in self._paths:
                    (self._paths[path],) = _sums([_bag(path, runs)], factors[PATH], vectors)
                paths[i] = self._paths[path]
        for i, row in enumerate(_sums(bags, factors[CODE], vectors)):
            out[i] = row
        whole = _at_unit_length(out + paths)
        paths /= np.maximum(np.linalg.norm(paths, axis=1, keepdims=True), _NOTHING)
        whole += np.float32(PATH_SHARE) * paths
        return _at_unit_length(whole)


def _bag(text: str, runs: Mapping[str, tuple[int, ...]]) -> Counter[int]:
    """How often each row of the table stands in a text."""
    return Counter(chain.from_iterable(map(runs.__getitem__, runs_of(text))))


def _sums(
    bags: Sequence[Mapping[int, int]], factors: Floats, vectors: npt.NDArray[np.int8]
) -> Iterator[Floats]:
    """The weighted vectors of each bag's rows, added up."""
    start = 0
    while start < len(bags):
        # Some at a time: numpy is called less often, and what it makes stays in the cache.
        some, total = [], 0
        while start < len(bags) and total < _AT_ONCE:
            some.append(bags[start])
            total += len(bags[start])
            start += 1
        rows = np.fromiter(chain.from_iterable(some), np.intp, total)
        times = np.fromiter(chain.from_iterable(bag.values() for bag in some), np.float32, total)
        shares = factors[rows] * (1 + np.log(times))
        found = vectors[rows].astype(np.float32)
        end = 0
        for bag in some:
            begin, end = end, end + len(bag)
            yield shares[begin:end] @ found[begin:end]


class _Runs(dict[str, tuple[int, ...]]):
    """Identifier -> the rows of its word parts, found when first asked for."""

    def __init__(self, file: StaticFile) -> None:
        file.verify()
        words = bytes(file.sections["words"]).decode().split("\n")
        row = dict(zip(words[:-1], range(file.size), strict=True))
        self._find: Callable[[str], int | None] = row.get

    def __missing__(self, run: str) -> tuple[int, ...]:
        rows: list[int] = []
        for part in parts_of(run):
            row = self._find(part)
            known = [part] if row is not None else pieces_of(part, self._knows)
            rows += [found for found in map(self._find, known) if found is not None]
        self[run] = found = tuple(rows)
        return found

    def _knows(self, word: str) -> bool:
        return self._find(word) is not None


class _FewRuns(_Runs):
    """The same for some hundred words: nothing is loaded, and only their rows are checked."""

    def __init__(self, file: StaticFile) -> None:
        file.verify("weights", "scales")
        words = file.words()

        def find(word: str) -> int | None:
            key = word.encode("utf-8", "replace")
            row = bisect_left(words, key)
            if row == len(words) or words[row] != key:
                return None
            file.checked(row)
            return row

        self._find = find


def _at_unit_length(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows[lengths[:, 0] == 0, -1] = 1
    lengths[lengths == 0] = 1
    rows /= lengths
    return rows
