"""``fiuto search``: the question, the answer, and everything that must be said about it."""

from __future__ import annotations

import os
import sys
import time
from typing import Unpack

import click

from fiuto.cli.answers import FORMATS, Format, write
from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.figures import counted, skipped_figures
from fiuto.cli.options import SECONDS, IndexOptions, index_options, open_asked, prefix_of
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import is_terminal, readable, say
from fiuto.errors import UsageError
from fiuto.model import LABELS, MODES, Mode, Results, Unit

__all__ = ["search"]

_LABEL = f"LABEL is one of {', '.join(LABELS)}."


class Asked(IndexOptions):
    """The command's keywords."""

    words: tuple[str, ...]
    k: int | None
    mode: Mode | None
    paths: tuple[str, ...]
    lang: tuple[str, ...]
    only: tuple[str, ...]
    no: tuple[str, ...]
    format: Format | None
    explain: bool
    deep: bool | None
    deep_budget: float | None
    budget: int | None
    refresh: bool
    lexical_unit: Unit
    strict: bool


@click.command(
    epilog="Exit codes: 0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.",
)
@click.argument("words", nargs=-1, required=True, metavar="QUESTION [PATH]")
@click.option("-k", type=int, metavar="N", help="Hits at most; 10 where no settings say more.")
@click.option("--mode", type=click.Choice(MODES), help="Which lists answer.")
@click.option(
    "--path",
    "paths",
    metavar="GLOB",
    multiple=True,
    help="Only files that match: 'src', 'src/**', '*.py'.  Several unite.",
)
@click.option("--lang", metavar="NAME", multiple=True, help="Only files in a language.")
@click.option("--only", metavar="LABEL", multiple=True, help=f"Only such files.  {_LABEL}")
@click.option("--no", metavar="LABEL", multiple=True, help="All but such files.")
@click.option("--json", "format", flag_value="json", help=FORMATS["json"])
@click.option("--jsonl", "format", flag_value="jsonl", help=FORMATS["jsonl"])
@click.option("--vimgrep", "format", flag_value="vimgrep", help=FORMATS["vimgrep"])
@click.option("--files", "format", flag_value="files", help=FORMATS["files"])
@click.option(
    "--strict", is_flag=True, help="Exit with 1 where nothing seems to answer the question."
)
@click.option("--explain", is_flag=True, help="Print the parts of each score.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="Print what fits, at 4 characters a token.",
)
@click.option(
    "--deep/--no-deep",
    default=None,
    help="Have the best of the pool read again by a slower model.",
)
@click.option(
    "--deep-budget",
    type=SECONDS,
    metavar="TIME",
    help="Time for that, as 3s or 500ms; what was read by then counts.",
)
@click.option(
    "--refresh/--no-refresh", default=True, help="Index changes first (the default), or do not."
)
@click.option(
    "--lexical-unit",
    type=click.Choice(("chunk", "file")),
    default="chunk",
    help="What the keyword side ranks.",
)
@index_options
def search(**asked: Unpack[Asked]) -> int:
    """
    Answer QUESTION about the folder PATH (the current one where none is given).

    What is missing or changed is indexed first.  Prints path:start-end, the symbol,
    the label of what is no source, and the lines that say most.
    """
    question, path = _question_and_path(asked["words"])
    started = time.monotonic()
    with open_asked(path, asked) as index, progress_bar() as bar:
        results = index.search(
            question,
            k=asked["k"],
            mode=asked["mode"],
            paths=asked["paths"],
            languages=asked["lang"],
            only=asked["only"],
            no=asked["no"],
            lexical_unit=asked["lexical_unit"],
            deep=_deep(asked),
            deep_budget=asked["deep_budget"],
            refresh=asked["refresh"],
            progress=bar,
        )
    seconds = time.monotonic() - started
    write(
        results, asked["format"] or "text",
        prefix=prefix_of(path), explain=asked["explain"], budget=asked["budget"],
    )  # fmt: skip
    if asked["format"] != "json":
        _epilogue(results, seconds)
    doubted = asked["strict"] and results.confidence == "none"
    return FOUND if results.hits and not doubted else NOTHING


def _deep(asked: Asked) -> bool | None:
    """Who gives a budget wants it spent."""
    return True if asked["deep"] is None and asked["deep_budget"] else asked["deep"]


def _question_and_path(words: tuple[str, ...]) -> tuple[str, str]:
    question, *rest = words
    if len(rest) > 1:
        raise click.UsageError("put a question of several words in quotes")
    path = rest[0] if rest else "."
    if len(question.split()) == 1 and path.isalnum() and not os.path.lexists(path):
        raise UsageError(f"no folder {path!r} here; put a question of several words in quotes")
    return readable(question), path


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
