"""
Holds a run against an earlier one, so that a loss stops a build instead of going unseen.

Only the columns of fiuto's whole ranking decide; the others explain.  Figures of
both runs are computed over the questions they share, so adding a question is no
loss and dropping a hard one no gain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from fiuto.errors import UsageError
from fiuto.evaluation.jsonable import SCHEMA
from fiuto.evaluation.metrics import hit, mean, ndcg, reciprocal_rank
from fiuto.evaluation.run import Run
from fiuto.evaluation.summary import DEPTHS

__all__ = ["Change", "Comparison", "compare", "read_baseline"]

Ranks: TypeAlias = Mapping[str, int | None]
"""Question id -> rank."""

Baseline: TypeAlias = Mapping[tuple[str, str], Ranks]
"""(scope, column) -> ranks."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of one column, before and now."""

    scope: str
    column: str
    figure: str
    before: float
    now: float
    loss: bool
    """Whether it fell by more than the tolerance."""

    def __str__(self) -> str:
        return (
            f"{self.scope}, {self.column}: {self.figure} "
            f"{self.before:.3f} -> {self.now:.3f} ({self.now - self.before:+.3f})"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against its baseline."""

    changes: tuple[Change, ...]
    moved: tuple[str, ...]
    """One line for each question whose rank in a deciding column changed."""
    notes: tuple[str, ...]
    """What could not be compared."""

    @property
    def losses(self) -> tuple[Change, ...]:
        """What must not have happened."""
        return tuple(change for change in self.changes if change.loss)


def read_baseline(path: Path) -> Baseline:
    """
    The ranks of an earlier run, as ``--json`` printed them.

    Raises:
        UsageError: the file cannot be read, or is no such run.
    """
    try:
        data: Any = json.loads(path.read_text("utf-8-sig"))
        if data["schema"] != SCHEMA:
            raise UsageError(
                f"{path} has schema {data['schema']!r}, not {SCHEMA}; "
                "make it anew with 'fiuto eval --json'"
            )
        return dict(_ranks(data))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} is no run of 'fiuto eval --json': {type(error).__name__} {error}"
        ) from error


def _ranks(data: Any) -> Iterator[tuple[tuple[str, str], Ranks]]:
    for scope in data["scopes"]:
        for column in data["columns"]:
            name = column["name"]
            ranks = {str(row["id"]): row["ranks"][name] for row in scope["rows"]}
            for rank in ranks.values():
                if rank is not None and (not isinstance(rank, int) or rank < 1):
                    raise ValueError(f"rank {rank!r}")
            yield (str(scope["name"]), str(name)), ranks


def compare(run: Run, baseline: Baseline, tolerance: float) -> Comparison:
    """
    A run against an earlier one.

    Args:
        run: the new one.
        baseline: by :func:`read_baseline`.
        tolerance: how far a figure (hit@k, MRR, nDCG@10, each from 0 to 1) may fall.

    Raises:
        UsageError: they have no scope, deciding column or question in common.
    """
    changes: list[Change] = []
    moved: list[str] = []
    notes: list[str] = []
    deciding = [column.name for column in run.columns if column.kind == "fiuto"]
    for scope in run.scopes:
        for column in deciding:
            where = f"{scope.name}, {column}"
            before = baseline.get((scope.name, column), {})
            now = {row.question.id: row.cells[column].rank for row in scope.rows}
            shared = [id_ for id_ in now if id_ in before]
            if len(shared) < max(len(now), len(before)):
                notes.append(
                    f"{where}: {len(shared)} questions are in both runs; "
                    f"{len(now) - len(shared)} are new, {len(before) - len(shared)} are gone"
                )
            moved += [
                f"{where}: {_shown(before[id_])} -> {_shown(now[id_])}  {id_}"
                for id_ in shared
                if before[id_] != now[id_]
            ]
            old, new = ([ranks[id_] for id_ in shared] for ranks in (before, now))
            changes += _changes(scope.name, column, old, new, tolerance) if shared else ()
    if not changes:
        raise UsageError(f"nothing can be compared with the baseline: {'; '.join(notes)}")
    return Comparison(tuple(changes), tuple(moved), tuple(notes))


def _changes(
    scope: str,
    column: str,
    old: Sequence[int | None],
    new: Sequence[int | None],
    tolerance: float,
) -> Iterator[Change]:
    now = _figures(new)
    for figure, before in _figures(old).items():
        # The sum of a thousand reciprocals is not exact to the last bit.
        loss = before - now[figure] > tolerance + 1e-9
        yield Change(scope, column, figure, before, now[figure], loss)


def _figures(ranks: Sequence[int | None]) -> dict[str, float]:
    hits = {f"hit@{k}": mean([hit(rank, k) for rank in ranks]) for k in DEPTHS}
    return hits | {
        "MRR": mean([reciprocal_rank(rank) for rank in ranks]),
        "nDCG@10": mean([ndcg([rank]) for rank in ranks]),
    }


def _shown(rank: int | None) -> str:
    return "none" if rank is None else str(rank)
