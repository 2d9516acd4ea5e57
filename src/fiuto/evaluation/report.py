"""Draws tables: aligned for a terminal, or as Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from fiuto.evaluation.run import Run
from fiuto.evaluation.summary import caution
from fiuto.evaluation.tables import NOT_FOUND, Table, tables
from fiuto.render.style import PLAIN, Style, printable

__all__ = ["FEW", "facts", "markdown", "text"]

FEW = 40
"""Up to this many questions each gets a line of its own."""

_GAP = "  "
_LONGEST = 60
"""Columns that a question may take where there is no terminal to fit into."""


def text(run: Run, style: Style = PLAIN) -> str:
    """A run for people in front of a terminal."""
    lines = [*facts(run), ""]
    few = len(run.scopes[0].rows) <= FEW
    for table in tables(run, every_rank=few):
        lines += [*_drawn(table, style), ""]
    if not few:
        lines.append(f"more than {FEW} questions: --json, --markdown and --html show every rank")
    if warning := caution(len(run.scopes[0].rows)):
        lines.append(warning)
    return "\n".join(lines).rstrip() + "\n"


def markdown(run: Run) -> str:
    """A run as Markdown, every rank included."""
    lines = [*(f"- {fact}" for fact in facts(run)), ""]
    for table in tables(run):
        if table.title:
            lines += [f"## {table.title}", ""]
        lines += [*_marked(table), ""]
    if warning := caution(len(run.scopes[0].rows)):
        lines.append(f"{warning}.")
    return "\n".join(lines).rstrip() + "\n"


def facts(run: Run) -> Iterator[str]:
    """What was measured, one line each."""
    revision = f" at {run.revision}" if run.revision else ""
    yield f"{run.title} on {run.root}{revision}, profile {run.profile}, seed {run.seed}"
    for index in run.indexes:
        cut = f"; the embedder read only the start of {index.truncated:,}" * bool(index.truncated)
        yield (
            f"{index.files:,} files, {index.chunks:,} chunks by {index.chunker}, "
            f"{index.embedder or 'no embedder'}{cut}"
        )
    yield (
        "ranks are of the first chunk that covers the answer's line, fair grep's of its file; "
        "tokens are read until then"
    )


def _marked(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(map(_escaped, table.header))} |"
    numbers = len(table.header) - table.words
    yield "|" + "---|" * table.words + "--:|" * numbers
    for row in table.rows:
        yield f"| {' | '.join(map(_escaped, row))} |"


def _escaped(cell: str) -> str:
    return printable(" ".join(cell.split())).replace("\\", "\\\\").replace("|", "\\|")


def _drawn(table: Table, style: Style) -> Iterator[str]:
    rows = [tuple(printable(" ".join(cell.split())) for cell in row) for row in table.rows]
    widths = [max(map(_width, cells)) for cells in zip(table.header, *rows, strict=True)]
    widths[0] = min(widths[0], _room(widths, style.width))
    if table.title:
        yield style.path(table.title)
    yield style.dim(_line(table, table.header, widths))
    plain = len(table.header) - table.ranks
    for row in rows:
        cells = [
            _coloured(cell, padded, style) if i >= plain else padded
            for i, (cell, padded) in enumerate(zip(row, _padded(table, row, widths), strict=True))
        ]
        yield _GAP.join(cells).rstrip()


def _room(widths: Sequence[int], terminal: int) -> int:
    """What the first column may take so that a line fits, if that leaves it readable."""
    if not terminal:
        return _LONGEST
    return max(24, terminal - sum(widths[1:]) - len(_GAP) * (len(widths) - 1))


def _line(table: Table, row: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(_padded(table, row, widths)).rstrip()


def _padded(table: Table, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
        shown = _cut(cell, width)
        space = " " * (width - _width(shown))
        yield shown + space if i < table.words else space + shown


def _coloured(cell: str, padded: str, style: Style) -> str:
    if cell == NOT_FOUND:
        return style.dim(padded)
    rank = int(cell)
    return style.lines(padded) if rank <= 5 else style.mark(padded) if rank <= 10 else padded


def _cut(cell: str, width: int) -> str:
    if _width(cell) <= width:
        return cell
    kept = ""
    for character in cell:
        if _width(kept + character) >= width:
            break
        kept += character
    return kept + "…"


def _width(cell: str) -> int:
    """Columns of a terminal; Han and Kana take two, combining marks none."""
    return sum(_widths(cell))


def _widths(cell: str) -> Iterable[int]:
    for character in cell:
        if unicodedata.combining(character):
            yield 0
        else:
            yield 2 if unicodedata.east_asian_width(character) in "WF" else 1
