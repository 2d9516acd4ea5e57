"""``fiuto mcp``: the tools for coding agents, over stdio or HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from fiuto.cli.failures import FOUND
from fiuto.cli.options import folder_of
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
    try:
        from fiuto.mcp.roots import Roots  # noqa: PLC0415 - the extra may be missing
        from fiuto.mcp.server import app, serve_stdio  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(f"no module {error.name}: pip install 'fiuto[mcp]'") from error
    if port is None:
        serve_stdio(Roots(folders))
        return FOUND
    import uvicorn  # noqa: PLC0415 - it comes with the extra

    say(f"fiuto: serving http://127.0.0.1:{port}/mcp")
    uvicorn.run(app(Roots(folders)), host="127.0.0.1", port=port, log_level="warning")
    return FOUND
