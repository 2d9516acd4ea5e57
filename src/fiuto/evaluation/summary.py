"""What a run amounts to: figures for each column, and which differences mean anything."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from fiuto.evaluation.metrics import (
    Estimate,
    bootstrap,
    hit,
    holm,
    ndcg,
    paired_p_values,
    reciprocal_rank,
    wilson,
)
from fiuto.evaluation.run import Cell, Row, Run, ScopeRun

__all__ = ["DEPTHS", "Difference", "Figures", "caution", "differences", "figures", "parts"]

DEPTHS = (1, 5, 10)
"""The k of hit@k."""

_MANY = 50
"""Below this many questions the intervals are wide enough to be said aloud."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One column over some questions, with 95 % intervals."""

    n: int
    hits: dict[int, Estimate]
    """k -> share of questions whose answer is among the first k; Wilson's interval."""
    files: Estimate
    """Share of questions whose answer's file is among the first five files."""
    mrr: Estimate
    ndcg: Estimate
    tokens: Estimate
    """Median tokens read until the answer; a miss costs all that was found."""
    milliseconds: float
    """Median time of a search."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the reference column ranks than another, in mean reciprocal rank."""

    other: str
    by_file: bool
    """Whether files are ranked on both sides, because the other column ranks nothing smaller."""
    mrr: Estimate
    """Mean of the paired differences, with its bootstrap interval."""
    p: float
    """By the randomisation test."""
    corrected: float
    """The same after Holm's correction for the number of columns."""
    better: int
    """Questions that the reference ranks higher."""
    worse: int


def figures(cells: Sequence[Cell], seed: int) -> Figures:
    """The figures of one column."""
    ranks = [cell.rank for cell in cells]
    return Figures(
        n=len(cells),
        hits={k: wilson([hit(rank, k) for rank in ranks]) for k in DEPTHS},
        files=wilson([hit(cell.files, 5) for cell in cells]),
        mrr=bootstrap([reciprocal_rank(rank) for rank in ranks], seed),
        ndcg=bootstrap([ndcg([rank]) for rank in ranks], seed),
        tokens=bootstrap([cell.tokens for cell in cells], seed, statistics.median),
        milliseconds=1000 * statistics.median(cell.seconds for cell in cells) if cells else 0.0,
    )


def parts(scope: ScopeRun) -> dict[str, Sequence[Row]]:
    """All rows, and those of each category where there are several."""
    found: dict[str, list[Row]] = {}
    for row in scope.rows:
        found.setdefault(row.question.category, []).append(row)
    if len(found) == 1:
        return {"": scope.rows}
    return {"": scope.rows} | {name or "other": rows for name, rows in found.items()}


def differences(run: Run, scope: ScopeRun) -> list[Difference]:
    """
    The run's reference column against every other one, like with like.

    Columns that rank files are compared with the reference by the ranks of files.
    """
    files_only = {column.name for column in run.columns if column.kind == "grep"}
    others = [column.name for column in run.columns if column.name != run.reference]
    by_file = {name: not files_only.isdisjoint((name, run.reference)) for name in others}
    p_values: dict[str, float] = {}
    gaps: dict[str, list[float]] = {}
    for whole in (False, True):
        names = [name for name in others if by_file[name] is whole]
        values = {
            name: [_reciprocal(row.cells[name], by_file=whole) for row in scope.rows]
            for name in (run.reference, *names)
        }
        p_values |= paired_p_values(values, run.reference, run.seed)
        ours = values[run.reference]
        for name in names:
            gaps[name] = [a - b for a, b in zip(ours, values[name], strict=True)]
    corrected = holm(p_values)
    return [
        Difference(
            other=name,
            by_file=by_file[name],
            mrr=bootstrap(gaps[name], run.seed),
            p=p_values[name],
            corrected=corrected[name],
            better=sum(gap > 0 for gap in gaps[name]),
            worse=sum(gap < 0 for gap in gaps[name]),
        )
        for name in others
    ]


def _reciprocal(cell: Cell, *, by_file: bool) -> float:
    return reciprocal_rank(cell.files if by_file else cell.rank)


def caution(n: int) -> str:
    """What must be said of so few questions, empty where they are many."""
    if n >= _MANY:
        return ""
    half = wilson([1.0] * (n // 2) + [0.0] * (n - n // 2))
    return (
        f"{n} questions are few: a true 50 % can show as anything from "
        f"{half.low:.0%} to {half.high:.0%}; trust the intervals, not the order of columns"
    )
