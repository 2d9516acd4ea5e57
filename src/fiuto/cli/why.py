"""``fiuto why``: whether a file is indexed, and the rule that leaves it out."""

from __future__ import annotations

from typing import Unpack

import click

from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.options import IndexOptions, absolute, folder_of, open_asked, root_of, scan_options
from fiuto.cli.terminal import give
from fiuto.engine.reasons import sentence
from fiuto.model import Skipped
from fiuto.render.style import printable

__all__ = ["why"]


class Asked(IndexOptions):
    """The command's keywords."""

    file: str


@click.command(
    epilog="Exit codes: 0 indexed, 1 left out, 2 an error.",
)
@click.argument("file")
@scan_options
def why(**asked: Unpack[Asked]) -> int:
    """
    Say whether FILE is indexed, and the rule that leaves it out if not.

    The folder in question is the current one, or, for a file outside it, the
    innermost indexed folder that holds the file.
    """
    file = folder_of(asked["file"])
    path = absolute(file)
    with open_asked(root_of(path), asked) as index:
        found = index.why(path)
    if not isinstance(found, Skipped):
        told = "a folder that is searched" if path.is_dir() else "indexed"
        give(f"{printable(file)}: {told}\n")
        return FOUND
    detail = f" ({found.detail})" if found.detail else ""
    give(f"{printable(file)}: left out as {found.reason}: {sentence(found.reason)}{detail}\n")
    return NOTHING
