"""The options that say which server keeps an index, for commands that may use one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict, TypeVar

import click

__all__ = ["StoreOptions", "store_options", "table_of"]

F = TypeVar("F", bound=Callable[..., Any])


class StoreOptions(TypedDict, total=False):
    """What :func:`store_options` adds to a command's keywords."""

    store: str | None
    token_env: str | None
    tls: bool | None
    ca: str | None


def store_options(command: F) -> F:
    """A collection on a server, and how it is reached."""
    for option in (
        click.option("--ca", metavar="FILE", help="Certificate authority of a private one."),
        click.option("--tls/--no-tls", default=None, help="Reach the store over TLS."),
        click.option(
            "--token-env", metavar="NAME",
            help="Variable that holds user:password or an API key of the store.",
        ),
        click.option("--store", metavar="URL", help="milvus://host:19530/collection"),
    ):  # fmt: skip
        command = option(command)
    return command


def table_of(options: StoreOptions) -> dict[str, object] | None:
    """The ``[store]`` table that the options say, None where they say nothing."""
    given = {
        "url": options.get("store"),
        "token_env": options.get("token_env"),
        "tls": options.get("tls"),
        "ca": options.get("ca"),
    }
    return {k: v for k, v in given.items() if v is not None} if given["url"] else None
