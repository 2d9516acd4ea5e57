"""The article's tables in Markdown, fiuto's columns to the right of the published ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.article import published
from benchmarks.article.embedders import Missing
from fiuto.evaluation.metrics import hit
from fiuto.evaluation.report import facts
from fiuto.evaluation.run import Column, Row, Run, ScopeRun

__all__ = ["document"]

_TITLES = {
    "article": "The article's rules to the letter (`--profile article`)",
    "default": "fiuto's defaults",
}


def document(runs: Sequence[Run], missing: Sequence[Missing], about: Mapping[str, Any]) -> str:
    """The whole page."""
    machine = about["machine"]
    about_questions = (
        f"psf/requests at {published.REVISION}; ten questions whose obvious phrase grep finds "
        "nowhere, and two bare identifiers. The figure is the rank of the chunk that holds the "
        "target's definition line, fair grep's that of its file. The questions are translated "
        "back from the article, and ranks depend on wording: compare the shape of the columns, "
        "not each cell."
    )
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [
        "# The article measured again",
        "",
        about_questions,
        "",
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}; {versions}.",
        "",
    ]
    for run in runs:
        lines += [f"## {_TITLES[run.profile]}", "", *_run(run), ""]
    lines += _missing(missing)
    return "\n".join(lines).rstrip() + "\n"


def _run(run: Run) -> Iterator[str]:
    columns = [column for column in run.columns if _shown(column, run.profile)]
    (_, *about, _) = facts(run)
    yield from (f"- {fact}" for fact in about)
    counted = [n for row in run.scopes[0].rows for n in (row.phrase_lines, row.word_lines)]
    counts = [n for n in counted if n is not None]
    differ = [warning for warning in run.warnings if warning.startswith("grep finds")]
    equal = len(counts) - len(differ)
    yield f"- grep: {equal} of {len(counts)} line counts equal the article's"
    yield from (f"- {warning}" for warning in run.warnings)
    yield ""
    yield from _ranks(run.scopes[0], columns)
    yield ""
    yield "Answers among the first 5 / first 10 of the ten questions:"
    yield ""
    yield from _hits(run.scopes, columns)


def _shown(column: Column, profile: str) -> bool:
    """Under the article's rules fiuto's whole ranking is bare RRF: one column says it."""
    return not (profile == "article" and column.kind == "fiuto")


def _ranks(scope: ScopeRun, columns: Sequence[Column]) -> Iterator[str]:
    theirs = [f"article: {name}" for name in published.COLUMNS]
    header = ["question", "target", "phrase", "word", *theirs, *(c.name for c in columns)]
    yield _line(header)
    yield "|---|---|" + "--:|" * (len(header) - 2)
    for row in scope.rows:
        question = row.question
        symbol = question.places[0].symbol
        yield _line(
            [
                question.text,
                f"`{symbol}`",
                _count(question.phrase, row.phrase_lines),
                _count(question.word, row.word_lines),
                *(_rank(rank) for rank in published.RANKS[symbol]),
                *(_rank(row.cells[column.name].rank) for column in columns),
            ]
        )


def _hits(scopes: Iterable[ScopeRun], columns: Sequence[Column]) -> Iterator[str]:
    theirs = [f"article: {name}" for name in published.HITS["all"]]
    header = ["files", *theirs, *(column.name for column in columns)]
    yield _line(header)
    yield "|---|" + "--:|" * (len(header) - 1)
    for scope in scopes:
        rows = [row for row in scope.rows if row.question.category == "question"]
        theirs = [f"{five} / {ten}" for five, ten in published.HITS.get(scope.name, {}).values()]
        shown = "whole repository" if scope.name == "all" else f"`{scope.name}`"
        yield _line(
            [
                f"{shown}, {scope.files} files, {scope.chunks} chunks",
                *(theirs or [""] * len(published.HITS["all"])),
                *(_first(rows, column) for column in columns),
            ]
        )


def _first(rows: Sequence[Row], column: Column) -> str:
    found = (sum(hit(row.cells[column.name].rank, k) for row in rows) for k in (5, 10))
    return " / ".join(f"{n:.0f}" for n in found)


def _missing(missing: Sequence[Missing]) -> Iterator[str]:
    if missing:
        yield "## Columns that are missing here"
        yield ""
        yield "These models are not on this machine; with them the same command adds their columns."
        yield ""
        yield from (f"- {one.name}: {one.how}" for one in missing)


def _count(pattern: str, lines: int | None) -> str:
    return "" if lines is None else f"{pattern}: {lines}"


def _rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
