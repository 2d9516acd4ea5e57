"""
Reciprocal Rank Fusion: scores are never mixed, only positions.

Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods" (SIGIR 2009), with their k = 60 and ranks from 1.
Pure lists in, a pure mapping out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["K", "ranks_of", "shares"]

K = 60
"""The constant of the paper; larger flattens the difference between first and tenth."""


def ranks_of(lists: Mapping[str, Sequence[int]]) -> dict[int, dict[str, int]]:
    """
    For each id, its 1-based rank in each list that holds it.

    >>> ranks_of({"lexical": [7, 8], "semantic": [8]})
    {7: {'lexical': 1}, 8: {'lexical': 2, 'semantic': 1}}
    """
    ranks: dict[int, dict[str, int]] = {}
    for name, ids in lists.items():
        for rank, id_ in enumerate(ids, start=1):
            ranks.setdefault(id_, {}).setdefault(name, rank)
    return ranks


def shares(ranks: Mapping[str, int], k: int = K) -> dict[str, float]:
    """
    What each list adds to the score of one id: ``1 / (k + rank)``.

    >>> shares({"lexical": 1})
    {'lexical': 0.01639344262295082}
    """
    return {name: 1.0 / (k + rank) for name, rank in ranks.items()}
