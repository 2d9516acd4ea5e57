"""
The composition root: the only place that knows every part, and the only door for surfaces.

Nothing is read, loaded or made before it is needed, so opening an index is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fiuto import registry
from fiuto.config import load, user_home
from fiuto.engine.index import Index
from fiuto.engine.opening import open_index
from fiuto.engine.parts import make_embedder
from fiuto.engine.places import Place, every_place
from fiuto.engine.questions import OPTIONAL
from fiuto.engine.stores import make_store

__all__ = [
    "OPTIONAL",
    "Index",
    "Place",
    "forget",
    "list_indexes",
    "make_embedder",
    "open_index",
]


def list_indexes(home: Path | None = None) -> Iterator[Place]:
    """Every index of this user."""
    return every_place(user_home(home))


def forget(root: str | Path, home: Path | None = None, profile: str = "") -> list[Place]:
    """
    Delete the indexes of a folder, which need not exist any more; returns what was deleted.

    Args:
        root: the folder.
        home: where indexes are kept, instead of the user's cache folder.
        profile: only the index of this profile.

    Raises:
        IndexBusy: one of them is being written to.
    """
    folder = Path(root).resolve()
    gone = [
        place
        for place in every_place(user_home(home))
        if place.root == folder and profile in ("", place.profile)
    ]
    for place in gone:
        registry.load("store", "local")(place.folder).remove()
        if folder.is_dir() and (settings := load(folder, {})).store.url:
            make_store(settings, place).remove()
        place.remove()
    return gone
