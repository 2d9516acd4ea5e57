"""``fiuto why``: whether a file is indexed, and the rule that leaves it out."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.options import IndexOptions, folder_of, open_asked, scan_options
from fiuto.cli.terminal import give
from fiuto.engine import list_indexes
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
    # Its folder is resolved, as an index's root is; the file itself may be a link.
    path = Path(file).parent.resolve() / Path(file).name
    with open_asked(_root_of(path), asked) as index:
        found = index.why(path)
    if not isinstance(found, Skipped):
        told = "a folder that is searched" if path.is_dir() else "indexed"
        give(f"{printable(file)}: {told}\n")
        return FOUND
    detail = f" ({found.detail})" if found.detail else ""
    give(f"{printable(file)}: left out as {found.reason}: {sentence(found.reason)}{detail}\n")
    return NOTHING


def _root_of(path: Path) -> str:
    here = Path.cwd()
    if path.is_relative_to(here):
        return str(here)
    around = [place.root for place in list_indexes() if path.is_relative_to(place.root)]
    return str(max(around, key=lambda root: len(root.parts), default=here))
