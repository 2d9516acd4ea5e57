"""
A run as one HTML page: a heat map of ranks, hit@k curves, rank against rank.

The page carries its style and drawings inside, asks the network for nothing and
runs no script, so it can be mailed, committed or opened from a CI artifact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from fiuto.evaluation.charts import curves, scatter
from fiuto.evaluation.report import FEW, facts
from fiuto.evaluation.run import Run, ScopeRun
from fiuto.evaluation.summary import caution
from fiuto.evaluation.tables import NOT_FOUND, Table, tables

__all__ = ["page"]

_SHADES = ((1, "1"), (5, "2-5"), (10, "6-10"), (30, "11-30"), (100, "31-100"))
"""Upper bounds of the shades h1 to h5 with their names; deeper is h6, not found h7."""

_SECURITY = "default-src 'none'; style-src 'unsafe-inline'"


def page(run: Run) -> str:
    """The whole page."""
    style = Path(__file__).with_name("page.css").read_text("utf-8")
    body = "".join(_body(run))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_SECURITY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(run.title)} - fiuto eval</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}</body></html>\n"
    )


def _body(run: Run) -> Iterator[str]:
    yield f"<h1>fiuto eval: {escape(run.title)}</h1>\n<ul class=soft>"
    yield from (f"<li>{escape(fact)}</li>" for fact in facts(run))
    yield "</ul>\n"
    if warning := caution(len(run.scopes[0].rows)):
        yield f'<p class="caution">{escape(warning)}.</p>\n'
    yield from (f'<p class="caution">{escape(warning)}</p>\n' for warning in run.warnings)
    found = list(tables(run))
    per_scope = len(found) // len(run.scopes)
    for i, scope in enumerate(run.scopes):
        yield from _section(run, scope, found[i * per_scope : (i + 1) * per_scope])


def _section(run: Run, scope: ScopeRun, drawn: Sequence[Table]) -> Iterator[str]:
    ranks, summary, against = drawn
    yield f"<h2>{escape(ranks.title)}</h2>\n"
    few = len(scope.rows) <= FEW
    if few:
        yield f"{_key()}{_table(ranks)}"
    yield f"<h3>Figures</h3>\n{_table(summary)}"
    yield "<h3>Answered within the first k hits</h3>\n"
    yield f'<div class="curves">{curves(run, scope)}</div>\n'
    yield f"<h3>{escape(run.reference)} against each other column</h3>\n{_table(against)}"
    yield (
        '<p class="soft">A point is a question: to the right the rank by the column named below, '
        f"upwards the rank by {escape(run.reference)}, which is better under the diagonal.</p>\n"
    )
    others = [column.name for column in run.columns if column.name != run.reference]
    many = "".join(scatter(scope, run.reference, name) for name in others)
    yield f'<div class="many">{many}</div>\n'
    if not few:
        yield f"<details><summary>Every rank</summary>{_key()}{_table(ranks)}</details>\n"


def _key() -> str:
    names = [name for _, name in _SHADES] + [f"over {_SHADES[-1][0]}", NOT_FOUND]
    spans = "".join(f'<span class="h{i}">{name}</span>' for i, name in enumerate(names, start=1))
    return f'<p class="key soft">{spans}</p>\n'


def _table(table: Table) -> str:
    plain = len(table.header) - table.ranks
    head = "".join(
        f"<th{' class=word' if i < table.words else ''}>{escape(name)}</th>"
        for i, name in enumerate(table.header)
    )
    rows = "".join(
        f"<tr>{''.join(_cell(table, i, cell, plain) for i, cell in enumerate(row))}</tr>\n"
        for row in table.rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n{rows}</table></div>\n'


def _cell(table: Table, i: int, cell: str, plain: int) -> str:
    if i >= plain:
        return f'<td class="rank {_shade(cell)}">{escape(cell)}</td>'
    if i >= table.words:
        return f"<td>{escape(cell)}</td>"
    if table.ranks and i:
        return f'<td class="word"><code>{escape(cell)}</code></td>'
    return f'<td class="word{" question" if table.ranks else ""}">{escape(cell)}</td>'


def _shade(cell: str) -> str:
    if cell == NOT_FOUND:
        return "h7"
    for i, (bound, _) in enumerate(_SHADES, start=1):
        if int(cell) <= bound:
            return f"h{i}"
    return "h6"
