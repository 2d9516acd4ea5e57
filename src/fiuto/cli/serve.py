"""``fiuto serve``: the page and the API behind it."""

from __future__ import annotations

import re
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click

from fiuto.cli.options import folder_of
from fiuto.cli.terminal import give, say
from fiuto.config import environment
from fiuto.errors import UsageError

if TYPE_CHECKING:
    from fiuto.web.app import Mounted
    from fiuto.web.service import Service

__all__ = ["serve"]

PORT = 3488
"""The first digits of "fiuto" on a telephone."""

_NO_EDITOR = ("javascript", "data", "vbscript", "blob", "file", "http", "https")
"""Schemes that open no editor."""


@click.command()
@click.argument("path", required=False)
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="0 takes a free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Another address than this machine's own needs a token, which is printed.",
)
@click.option(
    "--name",
    "names",
    metavar="HOST",
    multiple=True,
    help="A name by which browsers reach this machine, with --host.",
)
@click.option(
    "--editor",
    metavar="ADDRESS",
    default="",
    help="Opens a file: 'vscode://file{path}:{line}' (the default).",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def serve(
    path: str | None, port: int, host: str, names: tuple[str, ...], editor: str, open_: bool
) -> int:
    """
    Serve a page to search in, until Ctrl-C; PATH is indexed first.

    Every index of this user is there.  Whoever can reach the address can read what
    is indexed, and have any folder of this user indexed: on 127.0.0.1 that is everybody
    on this machine, unless FIUTO_TOKEN is set.
    """
    _need_extra()
    from fiuto.web.app import create_app  # noqa: PLC0415 - an extra
    from fiuto.web.guard import Access, is_loopback  # noqa: PLC0415
    from fiuto.web.library import Library  # noqa: PLC0415
    from fiuto.web.server import bind  # noqa: PLC0415
    from fiuto.web.server import serve as run  # noqa: PLC0415
    from fiuto.web.service import Service  # noqa: PLC0415

    alone = is_loopback(host)
    token = environment("FIUTO_TOKEN") or ("" if alone else secrets.token_urlsafe(24))
    ours = () if alone else (host, socket.gethostname(), socket.getfqdn())
    access = Access(frozenset(map(str.lower, (*ours, *names))), anywhere=not alone, token=token)
    service = Service(Library(), editor=_checked(editor))
    with bind(host, port) as listening:
        address = f"http://{_shown(host)}:{listening.getsockname()[1]}"
        query = {"index": _started(service, path)} if path else {}
        query |= {"token": token} if token else {}
        where = f"{address}{'/search' if path else '/'}{'?' if query else ''}{urlencode(query)}"
        give(f"{where}\n")
        say("fiuto: serving until Ctrl-C" + ("" if alone else "; the address holds the token"))
        if open_:
            webbrowser.open(where)
        run(create_app(service, access, _mounts(_roots(service, path))), service, listening)
    return 0


def _roots(service: Service, path: str | None) -> list[Path]:
    """The folders that coding agents may ask: PATH, or every one that has an index."""
    if path:
        return [Path(folder_of(path)).resolve()]
    places = service.library.places()
    return list(dict.fromkeys(place.root for place in places if place.root.is_dir()))


def _mounts(folders: list[Path]) -> Mapping[str, Mounted]:
    """What else answers on this server: ``/mcp``, where the extra is there and a folder to ask."""
    try:
        from fiuto.mcp.roots import Roots  # noqa: PLC0415 - an extra
        from fiuto.mcp.server import app  # noqa: PLC0415
    except ModuleNotFoundError:
        return {}
    if not folders:
        return {}
    from fiuto.web.app import Mounted  # noqa: PLC0415 - an extra

    tools = app(Roots(folders), guarded=True)

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with tools.router.lifespan_context(tools):
            yield

    return {"/mcp": Mounted(tools, lifespan)}


def _need_extra() -> None:
    try:
        import starlette  # noqa: F401, PLC0415 - only whether it is there
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise UsageError("the page needs the extra 'web': pip install 'fiuto[web]'") from error


def _started(service: Service, path: str) -> str:
    """Begin to index ``path``; the id of its index."""
    from fiuto.web.indexes import add  # noqa: PLC0415

    root = str(Path(folder_of(path)).absolute())
    asked = {"root": root, "profile": None, "embedder": None, "chunker": None}
    return str(add(service, asked)["id"])


def _shown(host: str) -> str:
    """A host as addresses carry it; one that means "every address" as this machine's name."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _checked(editor: str) -> str:
    """
    The address as given, or nothing.

    Raises:
        UsageError: it is none of an editor.
    """
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", editor, re.IGNORECASE)
    if editor and (not scheme or scheme[1].lower() in _NO_EDITOR or "{path}" not in editor):
        raise UsageError(
            f"--editor {editor!r} opens no editor; say for example 'vscode://file{{path}}:{{line}}'"
        )
    return editor
