"""``fiuto list`` and ``fiuto forget``: the indexes of this user."""

from __future__ import annotations

import click

from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.figures import counted, size
from fiuto.cli.options import folder_of
from fiuto.cli.terminal import give, give_data, say
from fiuto.engine import Place, list_indexes
from fiuto.engine import forget as forget_indexes
from fiuto.render.style import printable

__all__ = ["forget", "list_"]


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(as_json: bool) -> int:
    """List every index of this user: its size on disk, profile and folder."""
    places = sorted(list_indexes(), key=lambda place: (str(place.root), place.profile))
    if as_json:
        give_data({"indexes": [_data(place) for place in places]})
    elif places:
        give("".join(map(_line, places)))
    else:
        say("fiuto: no indexes yet")
    return FOUND if places else NOTHING


@click.command()
@click.argument("path")
def forget(path: str) -> int:
    """
    Delete every index of the folder PATH, which need not exist any more.

    The folder itself is not touched.
    """
    gone = forget_indexes(folder_of(path))
    if not gone:
        say(f"fiuto: there is no index of {path}; 'fiuto list' shows those there are")
        return NOTHING
    give(f"deleted {counted(len(gone), 'index')} of {printable(str(gone[0].root))}\n")
    return FOUND


def _line(place: Place) -> str:
    gone = "" if place.root.is_dir() else "  (the folder is gone: fiuto forget)"
    return f"{size(place.size()):>9}  {place.profile}  {printable(str(place.root))}{gone}\n"


def _data(place: Place) -> dict[str, object]:
    return {
        "root": str(place.root),
        "profile": place.profile,
        "bytes_on_disk": place.size(),
        "exists": place.root.is_dir(),
        "folder": str(place.folder),
    }
