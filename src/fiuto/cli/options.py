"""Options that several commands share, and the index they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypedDict, TypeVar

import click

from fiuto.config import UNSET, Maybe
from fiuto.engine import Index, open_index

__all__ = ["IndexOptions", "folder_of", "index_options", "open_asked", "place_options", "prefix_of"]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class IndexOptions(TypedDict):
    """What :func:`index_options` adds to a command's keywords."""

    embedder: str | None
    chunker: str | None
    profile: str | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    secrets: bool | None


_PROFILE = click.option(
    "--profile", metavar="NAME",
    help="How to cut and rank: default, or article (the published measurement to the letter).",
)  # fmt: skip

_INDEX = (
    click.option(
        "--embedder", metavar="NAME", help="Embedding model; 'fiuto models' lists them."
    ),
    click.option("--chunker", metavar="NAME", help="How files are cut: syntax or lines."),
    _PROFILE,
    click.option(
        "--include", metavar="GLOB", multiple=True,
        help="Index files that fiuto's own skip list leaves out.",
    ),
    click.option("--exclude", metavar="GLOB", multiple=True, help="Leave files out."),
    click.option(
        "--secrets/--no-secrets", default=None,
        help="Index files that hold keys, tokens or passwords too.",
    ),
)  # fmt: skip


def index_options(command: F) -> F:
    """Everything that decides what an index is made of."""
    for option in reversed(_INDEX):
        command = option(command)
    return command


def place_options(command: F) -> F:
    """What tells one index of a folder from another."""
    return _PROFILE(command)


def folder_of(path: str) -> str:
    """A folder as typed; a quoted ``~`` means the home folder too."""
    return path if os.path.lexists(path) else os.path.expanduser(path)  # noqa: PTH111


def prefix_of(path: str) -> str:
    """What goes before a path of the index so that it leads there from the current folder."""
    folder = folder_of(path).rstrip("/") + "/"
    return "" if folder == "./" else folder


def open_asked(path: str, options: IndexOptions) -> Index:
    """
    The index of ``path`` by the options as given.

    Raises:
        UsageError: no such folder, or a setting that cannot be used.
    """
    return open_index(
        folder_of(path),
        embedder=_maybe(options["embedder"]),
        chunker=_maybe(options["chunker"]),
        profile=_maybe(options["profile"]),
        include=options["include"] or UNSET,
        exclude=options["exclude"] or UNSET,
        secrets=_maybe(options["secrets"]),
    )


def _maybe(value: T | None) -> Maybe[T]:
    return UNSET if value is None else value
