"""``fiuto related``: what is like one place in the code."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Unpack

import click

from fiuto.cli.answers import AnswerOptions, answer_options, epilogue, write
from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.options import absolute, folder_of, index_options, open_asked, prefix_of, root_of
from fiuto.cli.progress import progress_bar

__all__ = ["related"]

_PLACE = re.compile(r"(.+?):(\d+)(?:[-:]\d+)?:?")
"""``file:line``, and what search, grep and compilers print: ``file:3-9``, ``file:3:9:``."""


class Asked(AnswerOptions):
    """The command's keywords."""

    place: str


@click.command(
    epilog="Exit codes: 0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.",
)
@click.argument("place", metavar="FILE:LINE")
@answer_options
@index_options
def related(**asked: Unpack[Asked]) -> int:
    """
    Show the chunks most like the one at FILE:LINE, those of the same file last.

    The folder that is searched is the current one, or, for a file outside it, the
    innermost indexed folder that holds the file.
    """
    match = _PLACE.fullmatch(asked["place"])
    if match is None:
        raise click.UsageError(f"{asked['place']!r} is no place; write FILE:LINE")
    path = absolute(folder_of(match[1]))
    root = root_of(path)
    started = time.monotonic()
    with open_asked(root, asked) as index, progress_bar() as bar:
        results = index.related(
            path,
            int(match[2]),
            k=asked["k"],
            mode=asked["mode"],
            paths=asked["paths"],
            languages=asked["lang"],
            only=asked["only"],
            no=asked["no"],
            refresh=asked["refresh"],
            progress=bar,
        )
    seconds = time.monotonic() - started
    prefix = prefix_of("." if Path(root) == Path.cwd() else os.path.relpath(root))
    write(
        results, asked["format"] or "text",
        prefix=prefix, explain=asked["explain"], budget=asked["budget"],
    )  # fmt: skip
    if asked["format"] != "json":
        epilogue(results, seconds)
    return FOUND if results.hits else NOTHING
