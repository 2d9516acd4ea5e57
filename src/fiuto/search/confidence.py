"""
How likely it is that the hits answer the question.

Five figures of the pool and the first hits, and a logistic function whose weights
``benchmarks/confidence.py`` learnt from questions asked with and without their answer in the
index, and of repositories they are not about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from types import MappingProxyType

from fiuto.model import Confidence
from fiuto.search.asked import Kind
from fiuto.search.pool import Pool
from fiuto.search.rank import Ranked
from fiuto.search.words import cover, defines, name_parts, stem_of, symbols_of

__all__ = ["EVIDENCE", "HIGH", "NONE", "evidence", "judge", "logistic", "probability"]

EVIDENCE: tuple[str, ...] = ("cosine", "held", "absent", "named", "ahead")

_TOP = 3
"""First hits looked at: one may be chance, and the fourth is no first answer."""

_MODEL: Mapping[Kind, tuple[float, ...]] = MappingProxyType(
    {
        "name": (-6.28, 1.76, 1.67, -0.86, 2.38, 4.35),
        "phrase": (-3.4, 2.22, 2.01, -0.95, 1.35, 1.23),
        "how": (-3.18, 1.77, 2.26, -1.47, 2.2, 1.0),
        "sentence": (-1.46, 2.57, 1.0, -0.42, -0.24, 2.39),
    }
)
"""For each kind of question the constant, then the weights of :data:`EVIDENCE`."""

NONE, HIGH = 0.25, 0.6
"""Below the first nothing here seems to answer; from the second on the answer is probably
among the first five.  Chosen on the same questions: docs/ranking.md."""


def evidence(pool: Pool, ranked: Sequence[Ranked]) -> tuple[float, ...]:
    """
    The figures of :data:`EVIDENCE`, each about 0 to 1.

    The best cosine; how much of the question the first hits hold; how many of its words no
    candidate holds; how much of it their names say; how far the first hit is ahead of the
    sixth to tenth.
    """
    top = ranked[:_TOP]
    if not top:
        return (0.0, 0.0, 1.0, 0.0, 0.0)
    content = pool.asked.content
    even = dict.fromkeys(content, 1 / max(len(content), 1))
    position = {stored.id: i for i, stored in enumerate(pool.chunks)}
    held = max(pool.said_in(position[r.stored.id]) for r in top) / max(len(content), 1)
    named = max(cover(even, _names(r)) for r in top)
    # A name passed on from elsewhere is sure by itself, and nothing to compare the others with.
    scores = [r.score - r.parts.get("passed_on", 0.0) for r in ranked[:10]]
    others = scores[5:]
    ahead = scores[0] - sum(others) / len(others) if others else 0.0
    cosine = max(pool.scores.get("semantic", {}).values(), default=0.0)
    return (cosine, held, 1 - pool.said / max(len(content), 1), named, ahead * 10)


def probability(kind: Kind, figures: Sequence[float]) -> float:
    """That the answer is among the first five hits, 0 to 1."""
    return logistic(_MODEL[kind], figures)


def logistic(model: Sequence[float], figures: Sequence[float]) -> float:
    """The logistic function of a constant and weighted figures; ``model`` begins with it."""
    constant, *weights = model
    return 1 / (1 + exp(-constant - sum(w * x for w, x in zip(weights, figures, strict=True))))


def judge(pool: Pool, ranked: Sequence[Ranked]) -> Confidence | None:
    """The verdict; None where there is no model, whose cosine weighs most."""
    if "semantic" not in pool.scores:
        return None
    if any(_is_it(entry, pool) for entry in ranked[:_TOP]):
        return "high"  # what was asked for by name or by place is there
    figures = evidence(pool, ranked)
    likely = probability(pool.asked.kind, figures)
    if figures[1] == 1:  # every word of the question stands in one of the first hits
        likely = max(likely, NONE)
    return "none" if likely < NONE else "high" if likely >= HIGH else "low"


def _is_it(entry: Ranked, pool: Pool) -> bool:
    """Whether the hit is what the question points at, by a place, a message or a name."""
    if not {"frame", "quoted", "passed_on"}.isdisjoint(entry.parts):
        return True
    name = pool.asked.name
    return bool(name) and defines(entry.stored.chunk.symbol, (name,))


def _names(entry: Ranked) -> tuple[str, ...]:
    stored = entry.stored
    parts = [part for one in symbols_of(stored.chunk.symbol) for part in name_parts(one)]
    return (*parts, *stem_of(stored.path))
