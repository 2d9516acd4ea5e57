"""
From ranks to figures: by question, and their means over groups of questions.

Every question counts the same, whatever repository it belongs to.  The interval is the
95 % percentile bootstrap over questions: how far the mean would move with other
questions of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from benchmarks.running import Answer
from fiuto.evaluation.metrics import bootstrap, hit, mean, ndcg, reciprocal_rank

__all__ = ["FIGURES", "each", "groups", "means", "overall"]

FIGURES: tuple[str, ...] = ("ndcg@10", "hit@5", "hit@10", "mrr")
"""Names of the figures, as they stand in reports."""


def each(answer: Answer) -> dict[str, float]:
    """
    The figures of one question.

    nDCG@10 counts every target at the rank of the first chunk that finds it, among
    *chunks*, as the public benchmark does: a second chunk of a file gains nothing and
    takes a place.  A chunk that finds two targets is one place too.  The other figures
    look at the target that was found first.
    """
    places = sorted({rank for rank in answer.ranks if rank is not None})
    missed = [None] * (len(answer.ranks) - len(places))
    first = places[0] if places else None
    return {
        "ndcg@10": ndcg([*places, *missed], 10),
        "hit@5": hit(first, 5),
        "hit@10": hit(first, 10),
        "mrr": reciprocal_rank(first),
    }


def means(answers: Sequence[Answer]) -> dict[str, float]:
    """``n`` and the mean of each figure, rounded to four places."""
    rows = [each(answer) for answer in answers]
    return {"n": len(rows)} | {
        name: round(mean([row[name] for row in rows]), 4) for name in FIGURES
    }


def overall(answers: Sequence[Answer], seed: int = 0) -> dict[str, object]:
    """The means over all questions, and ``interval``: for each figure [low, high]."""
    rows = [each(answer) for answer in answers]
    intervals = {}
    for name in FIGURES:
        estimate = bootstrap([row[name] for row in rows], seed)
        intervals[name] = [round(estimate.low, 4), round(estimate.high, 4)]
    return {**means(answers), "interval": intervals}


def groups(
    answers: Iterable[Answer], key: Callable[[Answer], str]
) -> Mapping[str, dict[str, float]]:
    """The means for each value of ``key``, in alphabetical order."""
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(key(answer), []).append(answer)
    return {name: means(found[name]) for name in sorted(found)}
