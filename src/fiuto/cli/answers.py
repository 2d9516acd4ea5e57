"""What an answer may be asked for with, and how it is written in each of its formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar

import click

from fiuto.cli.figures import counted, skipped_figures
from fiuto.cli.options import IndexOptions
from fiuto.cli.terminal import give, give_data, is_terminal, say, style_of, warn
from fiuto.model import LABELS, MODES, Hit, Mode, Results
from fiuto.render.budget import fit
from fiuto.render.jsonable import data_size, results_data, short_hit_data
from fiuto.render.matches import matcher_of
from fiuto.render.style import visible_length
from fiuto.render.text import NOTHING_HERE, Page, block, grep_line, path_line, tail

__all__ = ["FORMATS", "AnswerOptions", "Format", "answer_options", "filters_of", "show", "write"]

F = TypeVar("F", bound=Callable[..., Any])

Format: TypeAlias = Literal["text", "json", "jsonl", "vimgrep", "files"]

FORMATS: Mapping[Format, str] = MappingProxyType(
    {
        "json": "Print one JSON object.",
        "jsonl": "Print a JSON object for each hit.",
        "vimgrep": "Print path:line:column:text.",
        "files": "Print paths, best first.",
    }
)
"""What an option asks for, with its line of help; ``text`` is what no option asks for."""

_DRAWN: Mapping[Format, Callable[[Hit, Page, int | None], str]] = MappingProxyType(
    {"text": block, "vimgrep": grep_line, "files": path_line}
)


_LABEL = f"LABEL is one of {', '.join(LABELS)}."


class AnswerOptions(IndexOptions):
    """What :func:`answer_options` adds to a command's keywords."""

    k: int | None
    mode: Mode | None
    paths: tuple[str, ...]
    lang: tuple[str, ...]
    only: tuple[str, ...]
    no: tuple[str, ...]
    format: Format | None
    explain: bool
    budget: int | None
    refresh: bool


_OPTIONS = (
    click.option("-k", type=int, metavar="N", help="Hits at most; 10 where no settings say more."),
    click.option("--mode", type=click.Choice(MODES), help="Which lists answer."),
    click.option(
        "--path",
        "paths",
        metavar="GLOB",
        multiple=True,
        help="Only files that match: 'src', 'src/**', '*.py'.  Several unite.",
    ),
    click.option("--lang", metavar="NAME", multiple=True, help="Only files in a language."),
    click.option("--only", metavar="LABEL", multiple=True, help=f"Only such files.  {_LABEL}"),
    click.option("--no", metavar="LABEL", multiple=True, help="All but such files."),
    *(click.option(f"--{name}", "format", flag_value=name, help=FORMATS[name]) for name in FORMATS),
    click.option("--explain", is_flag=True, help="Print the parts of each score."),
    click.option(
        "--budget",
        type=click.IntRange(min=1),
        metavar="TOKENS",
        help="Print what fits, at 4 characters a token.",
    ),
    click.option(
        "--refresh/--no-refresh", default=True, help="Index changes first (the default), or do not."
    ),
)
"""In the order of a command's help."""


def answer_options(command: F) -> F:
    """How many hits, of which files, in which format."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Filters(TypedDict):
    """The arguments that every question takes, by the names that an index gives them."""

    k: int | None
    mode: Mode | None
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    only: tuple[str, ...]
    no: tuple[str, ...]
    refresh: bool


def filters_of(asked: AnswerOptions) -> Filters:
    """What a command was given, as an index takes it."""
    return {
        "k": asked["k"], "mode": asked["mode"], "paths": asked["paths"],
        "languages": asked["lang"], "only": asked["only"], "no": asked["no"],
        "refresh": asked["refresh"],
    }  # fmt: skip


def show(
    results: Results, asked: AnswerOptions, prefix: str | Mapping[str, str], seconds: float
) -> None:
    """Write ``results`` as they were asked for, and what a person wants to know after them."""
    write(
        results, asked["format"] or "text",
        prefix=prefix, explain=asked["explain"], budget=asked["budget"],
    )  # fmt: skip
    if asked["format"] != "json":
        _epilogue(results, seconds)


def write(
    results: Results,
    format_: Format,
    *,
    prefix: str | Mapping[str, str],
    explain: bool,
    budget: int | None,
) -> None:
    """
    Write ``results`` to standard output, and its warnings where they belong.

    Args:
        results: the answer.
        format_: how.
        prefix: what goes before each path, except in JSON; by the repository where several
            were asked, whose name stands in where nothing is said.
        explain: whether people are shown the parts of each score.
        budget: tokens there is room for.
    """
    if format_ in ("json", "jsonl"):
        _write_data(results, budget, whole=format_ == "json")
        return
    style = style_of(sys.stdout, results.status.manifest.root)
    whole = prefix if isinstance(prefix, str) else ""
    page = Page(matcher_of(_words(results)), whole, style, explain)
    hits = _first_of_each_path(results) if format_ == "files" else results.hits
    draw = _DRAWN[format_]

    def drawn(hit: Hit, room: int | None) -> str:
        if isinstance(prefix, str):
            return draw(hit, page, room)
        before = prefix.get(hit.repository, f"{hit.repository}/")
        return draw(hit, replace(page, prefix=before), room)

    fitted = fit(hits, drawn, visible_length, budget)
    if format_ == "text" and results.confidence == "none" and results.hits:
        say(f"fiuto: {NOTHING_HERE}; the nearest are")
    give(("\n" if format_ == "text" else "").join(fitted.drawn))
    if format_ == "text" and results.also is not None and budget is None:
        give("\n" + tail(results.also, page))
    warn((*results.warnings, fitted.note))


def _words(results: Results) -> str:
    """What lights up in a hit: the question's words, or the name of the chunk asked about."""
    source = results.source
    return results.query.text if source is None else source.symbol or source.text


def _write_data(results: Results, budget: int | None, *, whole: bool) -> None:
    fitted = fit(results.hits, short_hit_data, data_size, budget)
    if whole:
        give_data(results_data(results, fitted.drawn, [fitted.note] if fitted.note else []))
        return
    for hit in fitted.drawn:
        give_data(hit)
    warn((*results.warnings, fitted.note))


def _first_of_each_path(hits: Sequence[Hit]) -> list[Hit]:
    seen: dict[str, Hit] = {}
    for hit in hits:
        seen.setdefault(f"{hit.repository}/{hit.path}", hit)
    return list(seen.values())


def _epilogue(results: Results, seconds: float) -> None:
    """What a person wants to know after the hits, and everybody where there are none."""
    counts = results.status.counts
    held = f"{counted(counts.files, 'file')}, {counted(counts.chunks, 'chunk')}"
    if results.hits:
        if is_terminal(sys.stdout):
            say(f"{counted(len(results), 'hit')} in {held}, {seconds:.2f} s", dim=True)
    elif counts.files:
        say(f"fiuto: nothing found in {held}")
    else:
        left_out = skipped_figures(counts.skipped) or "the folder is empty"
        say(f"fiuto: nothing to search in {results.status.manifest.root}: 0 files ({left_out})")
