"""
Places in the lists and signals to one order, each part of a score by name.

All parts are on the scale of Reciprocal Rank Fusion: a weight of 1 is worth first place
in one list, ``1 / 61``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, repeat
from math import inf
from types import MappingProxyType

from fiuto.model import Query, StoredChunk
from fiuto.search.copies import Folded
from fiuto.search.fuse import K, ranks_of
from fiuto.search.pool import Column, Pool
from fiuto.search.profile import Profile
from fiuto.search.signals import SIGNALS
from fiuto.search.weights import REPEAT, WEIGHTS
from fiuto.values import dataclass

__all__ = ["ALL_SIGNALS", "MOST_REPEATS", "Ranked", "in_order", "rank", "signals_count", "spread"]

ALL_SIGNALS = "signals"
"""Leaves out everything but the places in the lists, which then count alike."""

_FIRST = 1 / (K + 1)
_NOWHERE: Mapping[str, int] = MappingProxyType({})
MOST_REPEATS = 3
"""A file's fourth chunk is held back as far as its later ones."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its places, and what made its score."""

    stored: StoredChunk
    ranks: Mapping[str, int]
    parts: Mapping[str, float]
    score: float

    def plus(self, name: str, value: float, ranks: Mapping[str, int] | None = None) -> Ranked:
        """The same with one part more."""
        return replace(
            self,
            ranks={**self.ranks, **(ranks or {})},
            parts={**self.parts, name: value},
            score=self.score + value,
        )


def signals_count(query: Query, profile: Profile) -> bool:
    """Whether anything but places counts: not in the plain list of vectors."""
    return profile.signals and query.mode != "semantic" and ALL_SIGNALS not in query.without


def rank(
    query: Query, pool: Pool, lists: Mapping[str, Sequence[int]], *, signals: bool
) -> list[Ranked]:
    """
    The candidates, best first.

    Args:
        query: what is asked; its ``weights`` stand in for the table's, for learning them.
        pool: the candidates.
        lists: ids of the lists whose places count, best first.
        signals: whether anything but places counts.
    """
    ranks = ranks_of(lists)
    weights = _weights(query, pool) if signals else dict.fromkeys(lists, 1.0)
    columns: dict[str, Column] = {}
    for name in lists:
        if weight := weights.get(name):
            shares = {id_: weight / (K + of[name]) for id_, of in ranks.items() if name in of}
            columns[name] = [shares.get(stored.id, 0.0) for stored in pool.chunks]
    for name, signal in SIGNALS.items():
        weight = weights.get(name)
        if weight and name not in query.without:
            values = signal(pool)
            if any(values):
                columns[name] = [weight * value * _FIRST for value in values]
    scores = map(sum, zip(*columns.values(), strict=True)) if columns else repeat(0.0)
    return in_order(
        [
            Ranked(stored, ranks.get(stored.id, _NOWHERE), _Parts(columns, i), score)
            for i, (stored, score) in enumerate(zip(pool.chunks, scores, strict=False))
        ]
    )


class _Parts(Mapping[str, float]):
    """What made the score of candidate ``i``, looked up when it is asked for: few are."""

    __slots__ = ("_columns", "_i")

    def __init__(self, columns: Mapping[str, Column], i: int) -> None:
        self._columns = columns
        self._i = i

    def __getitem__(self, name: str) -> float:
        if value := self._columns[name][self._i]:
            return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, column in self._columns.items() if column[self._i])

    def __len__(self) -> int:
        return sum(1 for _ in self)


def in_order(ranked: Sequence[Ranked]) -> list[Ranked]:
    """By score, then path, then line."""
    return sorted(
        ranked, key=lambda r: (-r.score, r.stored.path, r.stored.chunk.start, r.stored.id)
    )


def spread(
    query: Query, pool: Pool, ranked: Iterable[tuple[Ranked, Folded]]
) -> list[tuple[Ranked, Folded]]:
    """
    The best ``query.k``: each further hit of a file pays for its company, and others are seen.

    A file that owns the answer still keeps several places: what is paid is less than
    what tells a good hit from a poor one.
    """
    if "repeat" in query.without or query.weights is not None:
        return list(islice(ranked, query.k))
    price = REPEAT[pool.asked.kind] * _FIRST
    seen: dict[str, int] = {}
    after: list[tuple[float, str, int, int, float, Ranked, Folded]] = []
    least = inf  # what the last of those shown so far has, to be shown before who comes later
    for entry, folded in ranked:
        if len(after) % query.k == 0 and after:
            least = sorted(row[0] for row in after)[query.k - 1]
        if -entry.score > least:
            break  # whoever follows has less still
        main = folded.main
        nth = seen[main.path] = seen.get(main.path, -1) + 1
        paid = min(nth, MOST_REPEATS) * price
        key = (-(entry.score - paid), main.path, main.chunk.start, main.id)
        after.append((*key, paid, entry, folded))
    after.sort(key=lambda row: row[:4])
    return [
        (entry.plus("repeat", -paid) if paid else entry, folded)
        for *_, paid, entry, folded in after[: query.k]
    ]


def _weights(query: Query, pool: Pool) -> Mapping[str, float]:
    if query.weights is not None:
        return query.weights
    # Whole questions lean on meaning; without vectors, words must do.
    blind = "semantic" not in pool.scores and pool.asked.kind == "sentence"
    return WEIGHTS["phrase" if blind else pool.asked.kind]
