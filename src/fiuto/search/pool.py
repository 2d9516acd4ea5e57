"""
The candidates of one question, with all that was found out about them.

A signal reads columns: one value a candidate, in the order of :attr:`Pool.chunks`.
Columns that several signals need are worked out once, when the first one asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import log

from fiuto.model import StoredChunk
from fiuto.search.asked import Asked
from fiuto.search.cards import file_cards
from fiuto.search.words import Nearest, as_found, names_of, stem_of

__all__ = ["Column", "Pool"]

Column = list[float]
"""A value for each candidate."""


class Pool:
    """
    What the signals look at.

    Args:
        asked: the question.
        chunks: the candidates.
        scores: by name of a list, the score of each chunk it holds, best first.
        near: the cosine of each of some short texts to the question, None where that cannot
            be told; only asked for what this kind of question needs.
    """

    def __init__(
        self,
        asked: Asked,
        chunks: Sequence[StoredChunk],
        scores: Mapping[str, Mapping[int, float]],
        near: Callable[[Sequence[str]], Sequence[float]] | None,
    ) -> None:
        self.asked = asked
        self.chunks = chunks
        self.scores = scores
        self.near = near

    @cached_property
    def cards(self) -> Mapping[str, float]:
        """Cosine of the question to a file's name and symbols, by path."""
        if self.near is None:
            return {}
        texts = file_cards(self.chunks)
        return dict(zip(texts, self.near(list(texts.values())), strict=False))

    def column(self, of: Callable[[StoredChunk], float]) -> Column:
        """``of`` each candidate."""
        return [of(stored) for stored in self.chunks]

    @property
    def nothing(self) -> Column:
        """0 for each candidate."""
        return [0.0] * len(self.chunks)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Those of the candidates."""
        return frozenset([stored.label for stored in self.chunks])

    @cached_property
    def files(self) -> Mapping[str, Sequence[int]]:
        """The positions of each file's candidates."""
        files: dict[str, list[int]] = {}
        for i, stored in enumerate(self.chunks):
            files.setdefault(stored.path, []).append(i)
        return files

    def per_file(self, of: Callable[[str, Sequence[int]], float]) -> Column:
        """``of`` each file and the positions of its candidates, given to all of them."""
        out = self.nothing
        for path, positions in self.files.items():
            value = of(path, positions)
            for i in positions:
                out[i] = value
        return out

    @cached_property
    def _normal(self) -> dict[str, Column]:
        return {}

    def relative(self, name: str) -> Column:
        """Each candidate's share of the best score in a list; 0 outside of it."""
        if name not in self._normal:
            scores = self.scores.get(name, {})
            best = max(scores.values(), default=0.0)
            of = scores.get
            self._normal[name] = (
                [of(stored.id, 0.0) / best for stored in self.chunks] if best > 0 else self.nothing
            )
        return self._normal[name]

    @cached_property
    def cosine(self) -> Column:
        """How near in meaning: 1 for the nearest, 0 for the last of the list and outside of it."""
        scores = self.scores.get("semantic", {})
        best, last = max(scores.values(), default=0.0), min(scores.values(), default=0.0)
        span = best - last
        return self.column(
            lambda c: (scores[c.id] - last) / span if span > 0 and c.id in scores else 0.0
        )

    def mean_of_best(self, column: Column, n: int = 3) -> Column:
        """The sum of a file's best ``n`` values, over ``n``."""
        return self.per_file(
            lambda _, positions: sum(sorted((column[i] for i in positions), reverse=True)[:n]) / n
        )

    def best_of_file(self, column: Column) -> Column:
        """The greatest value of a file's candidates."""
        return self.per_file(lambda _, positions: max(column[i] for i in positions))

    @cached_property
    def present(self) -> Mapping[str, Sequence[bool]]:
        """For each term of the question, whether each candidate's text holds it."""
        texts = [stored.chunk.text.casefold() for stored in self.chunks]
        shapes = {term: as_found(term) for term in self.asked.content}
        return {term: [shape in text for text in texts] for term, shape in shapes.items()}

    def said_in(self, i: int) -> int:
        """How many terms of the question candidate ``i`` holds."""
        return sum(present[i] for present in self.present.values())

    @property
    def said(self) -> int:
        """How many terms of the question any candidate holds."""
        return sum(True in present for present in self.present.values())

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """
        How telling each term of the question is: its share of a sum that is 1.

        The inverse document frequency of BM25 over the candidates: no other count is at
        hand, and among them a word that all share tells nothing either.
        """
        total = len(self.chunks)
        raw = {}
        for term, present in self.present.items():
            holding = present.count(True)
            raw[term] = log(1 + (total - holding + 0.5) / (holding + 0.5))
        whole = sum(raw.values()) or 1.0
        return {term: value / whole for term, value in raw.items()}

    @cached_property
    def coverage(self) -> Column:
        """How much of the question each candidate's text holds, 0 to 1."""
        sums = self.nothing
        for term, weight in self.weights.items():
            sums = [s + weight if p else s for s, p in zip(sums, self.present[term], strict=True)]
        return sums

    def fit(self, words: Sequence[str]) -> float:
        """How much of ``words`` the question says."""
        return sum(map(self._nearest.__getitem__, words)) / len(words) if words else 0.0

    def fit_of_names(self, symbol: str) -> float:
        """How much of one of a symbol's names the question says, at most."""
        names, beginnings = names_of(symbol)
        if beginnings.isdisjoint(self._nearest.beginnings):
            return 0.0
        return max(map(self.fit, names))

    @cached_property
    def _nearest(self) -> Nearest:
        """Word of a name -> how far the most similar word of the question is alike."""
        return Nearest(self.asked.content)

    @cached_property
    def stems(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each file's name."""
        return {path: stem_of(path) for path in self.files}
