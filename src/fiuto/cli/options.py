"""Options that several commands share, and the index they ask for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import click

from fiuto.cli.folders import folder_of
from fiuto.config import UNSET, Maybe
from fiuto.engine import Index, list_indexes, open_index

__all__ = [
    "SECONDS",
    "SHARD",
    "IndexOptions",
    "absolute",
    "folder_of",
    "index_options",
    "open_asked",
    "place_options",
    "prefix_of",
    "root_of",
    "scan_options",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class _Seconds(click.ParamType[float]):
    """A time as ``3``, ``3s``, ``500ms`` or ``2m``."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, float):
            return value
        found = _TIME.fullmatch(value.strip())
        if found is None or not float(found[1]):
            self.fail(f"{value!r} is no time; write it as 3s or 500ms", param, ctx)
        return float(found[1]) * _UNITS[found[2]]


_TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|)")
_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0}

SECONDS = _Seconds()
"""An option's type: a time, given to the command in seconds."""


class _Shard(click.ParamType[str]):
    """A share of a list as ``2/3``."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", value)
        if found is None or int(found[1]) > int(found[2]):
            self.fail(f"{value!r} is no shard; write the second of three as 2/3", param, ctx)
        return str(value)


SHARD = _Shard()
"""An option's type: a share of a list."""


class IndexOptions(TypedDict, total=False):
    """What the decorators below add to a command's keywords."""

    profile: str | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    secrets: bool | None
    embedder: str | None
    chunker: str | None


def place_options(command: F) -> F:
    """What tells one index of a folder from another."""
    return click.option(
        "--profile", metavar="NAME",
        help="default, or article: the published measurement to the letter.",
    )(command)  # fmt: skip


def scan_options(command: F) -> F:
    """What decides which files are in the index."""
    for option in (
        click.option(
            "--secrets/--no-secrets", default=None,
            help="Index files that hold keys, tokens or passwords too.",
        ),
        click.option("--exclude", metavar="GLOB", multiple=True, help="Leave files out."),
        click.option(
            "--include", metavar="GLOB", multiple=True,
            help="Index files that fiuto's own skip list leaves out.",
        ),
    ):  # fmt: skip
        command = option(command)
    return place_options(command)


def index_options(command: F) -> F:
    """Everything that decides what an index is made of."""
    command = scan_options(command)
    command = click.option("--chunker", metavar="NAME", help="How to cut: syntax or lines.")(
        command
    )
    return click.option(
        "--embedder", metavar="NAME", help="Embedding model; 'fiuto models' lists them."
    )(command)


def prefix_of(path: str) -> str:
    """What goes before a path of the index so that it leads there from the current folder."""
    folder = folder_of(path).rstrip("/") + "/"
    return "" if folder == "./" else folder


def absolute(file: str) -> Path:
    """A file as its index knows it: the folder resolved, as a root is; itself perhaps a link."""
    return Path(file).parent.resolve() / Path(file).name


def root_of(path: Path) -> str:
    """The current folder where it holds ``path``, else the innermost indexed one that does."""
    here = Path.cwd()
    if path.is_relative_to(here):
        return str(here)
    around = [place.root for place in list_indexes() if path.is_relative_to(place.root)]
    return str(max(around, key=lambda root: len(root.parts), default=here))


def open_asked(path: str, options: IndexOptions) -> Index:
    """
    The index of ``path`` by the options as given.

    Raises:
        UsageError: no such folder, or a setting that cannot be used.
    """
    return open_index(
        folder_of(path),
        embedder=_maybe(options.get("embedder")),
        chunker=_maybe(options.get("chunker")),
        profile=_maybe(options.get("profile")),
        include=_maybe(options.get("include") or None),
        exclude=_maybe(options.get("exclude") or None),
        secrets=_maybe(options.get("secrets")),
    )


def _maybe(value: T | None) -> Maybe[T]:
    return UNSET if value is None else value
