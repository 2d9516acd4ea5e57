"""``fiuto search``: the question, the answer, and everything that must be said about it."""

from __future__ import annotations

import os
import time
from typing import Unpack

import click

from fiuto.cli.answers import AnswerOptions, answer_options, filters_of, show
from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.many import ManyOptions, ask_many, many_options, wants_many
from fiuto.cli.options import SECONDS, index_options, open_asked, prefix_of
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import readable
from fiuto.errors import UsageError
from fiuto.model import Results, Unit

__all__ = ["search"]


class Asked(AnswerOptions, ManyOptions):
    """The command's keywords."""

    words: tuple[str, ...]
    deep: bool | None
    deep_budget: float | None
    lexical_unit: Unit
    strict: bool


@click.command(
    epilog="Exit codes: 0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.",
)
@click.argument("words", nargs=-1, required=True, metavar="QUESTION [PATH]")
@answer_options
@click.option(
    "--deep/--no-deep",
    default=None,
    help="Have the best read again by a slower model, or do not; needs the extra 'deep'.",
)
@click.option(
    "--deep-budget", type=SECONDS, metavar="TIME", help="Time for that: 3s (the default), 500ms."
)
@click.option(
    "--strict", is_flag=True, help="Exit with 1 where nothing seems to answer the question."
)
@click.option(
    "--lexical-unit",
    type=click.Choice(("chunk", "file")),
    default="chunk",
    help="What the keyword side ranks.",
)
@many_options
@index_options
def search(**asked: Unpack[Asked]) -> int:
    """
    Answer QUESTION about the folder PATH (the current one where none is given).

    What is missing or changed is indexed first.  Prints path:start-end, the symbol,
    the label of what is no source, and the lines that say most.
    """
    question, path = _question_and_path(asked["words"])
    started = time.monotonic()
    if wants_many(asked):
        folder = path if len(asked["words"]) > 1 else ""
        results, prefixes = ask_many(question, asked, folder, deep=_deep(asked))
        show(results, asked, prefixes, time.monotonic() - started)
        return FOUND if results.hits and not _doubted(results, asked) else NOTHING
    with open_asked(path, asked) as index, progress_bar() as bar:
        results = index.search(
            question,
            **filters_of(asked),
            lexical_unit=asked["lexical_unit"],
            deep=_deep(asked),
            deep_budget=asked["deep_budget"],
            progress=bar,
        )
    seconds = time.monotonic() - started
    show(results, asked, prefix_of(path), seconds)
    return FOUND if results.hits and not _doubted(results, asked) else NOTHING


def _doubted(results: Results, asked: Asked) -> bool:
    return asked["strict"] and results.confidence == "none"


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
