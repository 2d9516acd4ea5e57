"""``fiuto mcp``: the tools for coding agents, over stdio or HTTP."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from fiuto.cli.failures import FOUND
from fiuto.cli.folders import folder_of
from fiuto.cli.terminal import say
from fiuto.errors import UsageError

__all__ = ["mcp"]


@click.command(epilog="Exit codes: 0 the client left, 2 an error, 130 stopped by Ctrl-C.")
@click.argument("roots", nargs=-1, metavar="[ROOT]…")
@click.option(
    "--http", "port", type=click.IntRange(0, 65535), metavar="PORT",
    help="Serve http://127.0.0.1:PORT/mcp instead of standard input and output.")  # fmt: skip
def mcp(roots: tuple[str, ...], port: int | None) -> int:
    """
    Serve the folders ROOT (the current one where none is given) to coding agents.

    Speaks the Model Context Protocol; needs the extra 'mcp'.  Nothing outside of the
    roots is read.
    """
    folders = []
    for root in roots or (".",):
        folder = Path(folder_of(root)).resolve()
        if not folder.is_dir():
            raise UsageError(f"{root} is no folder; name the folders to serve")
        folders.append(folder)
    _need_extra("mcp", "uvicorn")
    from fiuto.mcp.roots import Roots  # noqa: PLC0415 - not before it is needed

    served = Roots(folders)
    if port is None:
        from fiuto.mcp.front import serve_stdio  # noqa: PLC0415

        serve_stdio(served)
        return FOUND
    import uvicorn  # noqa: PLC0415 - an extra

    from fiuto.mcp.server import app  # noqa: PLC0415 - an extra

    say(f"fiuto: serving http://127.0.0.1:{port}/mcp")
    uvicorn.run(app(served), host="127.0.0.1", port=port, log_level="warning")
    return FOUND


def _need_extra(*modules: str) -> None:
    """
    See that the extra is there, without the second that importing it takes.

    Raises:
        UsageError: it is not.
    """
    for name in modules:
        if find_spec(name) is None:
            raise UsageError(f"no module {name}: pip install 'fiuto[mcp]'")
