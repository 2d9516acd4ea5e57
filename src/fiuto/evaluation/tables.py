"""A run as tables of plain strings, drawn for terminals or as Markdown elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fiuto.evaluation.metrics import Estimate
from fiuto.evaluation.run import Column, Row, Run, ScopeRun
from fiuto.evaluation.summary import DEPTHS, Figures, differences, figures, parts

__all__ = ["NOT_FOUND", "Table", "heading", "tables"]

NOT_FOUND = "none"
"""What stands where a column never showed the answer."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text, and which columns are words rather than numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int
    """The first columns, aligned left; the rest are numbers."""
    ranks: int = 0
    """The last columns, if they are ranks and may be coloured."""


def tables(run: Run, *, every_rank: bool = True) -> Iterator[Table]:
    """
    The tables of a run, scope by scope: ranks, figures, differences.

    Args:
        run: what to show.
        every_rank: False leaves out the first, which has a line for each question.
    """
    for scope in run.scopes:
        title = heading(scope)
        if every_rank:
            yield _ranks(run, scope, title)
            title = ""
        yield _summary(run, scope, title)
        yield _differences(run, scope)


def heading(scope: ScopeRun) -> str:
    """What a scope is, in one line."""
    whole = "the whole tree" if scope.name == "all" else scope.name
    outside = f"; {scope.outside} answers lie outside" if scope.outside else ""
    chunks = f", {scope.chunks:,} chunks" if scope.chunks else ""
    return f"{whole}: {len(scope.rows)} questions over {scope.files:,} files{chunks}{outside}"


def _ranks(run: Run, scope: ScopeRun, title: str) -> Table:
    columns = [column.name for column in run.columns]
    greps = [
        name
        for name, shown in (
            ("phrase lines", any(row.phrase_lines is not None for row in scope.rows)),
            ("word lines", any(row.word_lines is not None for row in scope.rows)),
        )
        if shown
    ]
    return Table(
        title=title,
        header=("question", "answer", *greps, *columns),
        rows=tuple(_rank_row(row, run.columns, greps) for row in scope.rows),
        words=2,
        ranks=len(columns),
    )


def _rank_row(row: Row, columns: Sequence[Column], greps: Sequence[str]) -> tuple[str, ...]:
    place = row.question.places[0]
    lines = {"phrase lines": row.phrase_lines, "word lines": row.word_lines}
    return (
        row.question.text,
        place.symbol or str(place),
        *("" if lines[name] is None else str(lines[name]) for name in greps),
        *(str(row.cells[column.name].rank or NOT_FOUND) for column in columns),
    )


def _summary(run: Run, scope: ScopeRun, title: str) -> Table:
    found = parts(scope)
    rows = []
    for part, some in found.items():
        for column in run.columns:
            values = figures([row.cells[column.name] for row in some], run.seed)
            rows.append((*([part or "all"] if len(found) > 1 else []), *_figures(column, values)))
    first = ("category", "column") if len(found) > 1 else ("column",)
    hits = (f"hit@{k}" for k in DEPTHS)
    return Table(
        title=title,
        header=(*first, *hits, "file@5", "MRR", "95 %", "nDCG@10", "95 %", "tokens", "ms"),
        rows=tuple(rows),
        words=len(first),
    )


def _figures(column: Column, values: Figures) -> tuple[str, ...]:
    shares = (*values.hits.values(), values.files)
    hits = (f"{round(share.value * values.n)}/{values.n}" for share in shares)
    return (
        column.name,
        *hits,
        f"{values.mrr.value:.3f}",
        _interval(values.mrr),
        f"{values.ndcg.value:.3f}",
        _interval(values.ndcg),
        f"{values.tokens.value:,.0f}",
        f"{values.milliseconds:.1f}",
    )


def _differences(run: Run, scope: ScopeRun) -> Table:
    rows = tuple(
        (
            f"{found.other}, by file" if found.by_file else found.other,
            f"{found.mrr.value:+.3f}",
            f"{found.mrr.low:+.3f} to {found.mrr.high:+.3f}",
            str(found.better),
            str(found.worse),
            _p(found.p),
            _p(found.corrected),
        )
        for found in differences(run, scope)
    )
    header = (f"{run.reference} against", "MRR", "95 %", "better", "worse", "p", "p (Holm)")
    return Table("", header, rows, words=1)


def _interval(estimate: Estimate) -> str:
    return f"{estimate.low:.2f}-{estimate.high:.2f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
