"""
The composition root: the only place that knows every part, and the only door for surfaces.

Nothing is read, loaded or made before it is needed, so opening an index is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fiuto import registry
from fiuto.config import UNSET, Maybe, load, user_home
from fiuto.engine.index import Index
from fiuto.engine.parts import make_embedder, profile_named
from fiuto.engine.places import Place, every_place, place_of, vector_cache
from fiuto.engine.questions import OPTIONAL
from fiuto.engine.warming import warm_up
from fiuto.errors import UsageError
from fiuto.protocols import Embedder
from fiuto.store.cache import SqliteVectorCache

__all__ = [
    "OPTIONAL",
    "Index",
    "Place",
    "forget",
    "list_indexes",
    "make_embedder",
    "open_index",
    "warm_up",
]


def open_index(
    root: str | Path = ".",
    *,
    embedder: Maybe[str] | Embedder = UNSET,
    chunker: Maybe[str] = UNSET,
    profile: Maybe[str] = UNSET,
    include: Maybe[Sequence[str]] = UNSET,
    exclude: Maybe[Sequence[str]] = UNSET,
    secrets: Maybe[bool] = UNSET,
    home: Path | None = None,
) -> Index:
    """
    The index of a folder; nothing happens before it is used.

    Args:
        root: the folder; a link to one is followed.
        embedder: a name (``fiuto models`` lists them) or an object of your own.
        chunker: ``syntax`` or ``lines``.
        profile: ``default`` or ``article``.
        include: globs of files that fiuto's own skip list would leave out.
        exclude: globs of files to leave out.
        secrets: True indexes files that hold secrets too.
        home: where indexes are kept, instead of the user's cache folder.

    Raises:
        UsageError: ``root`` is no folder, or a setting cannot be used.
    """
    folder = Path(root).resolve()
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"{root} {what}; name the folder to search in")
    own = embedder if not isinstance(embedder, str) and embedder is not UNSET else None
    settings = load(
        folder,
        {
            "embedder": UNSET if own is not None else embedder,
            "chunker": chunker,
            "profile": profile,
            "include": include,
            "exclude": exclude,
            "secrets": secrets,
            "home": home if home is not None else UNSET,
        },
    )
    profile_named(settings.profile)
    place = place_of(settings.home, folder, settings.profile)
    store = registry.load("store", "local")(place.folder)
    cache = SqliteVectorCache(vector_cache(settings.home))
    return Index(folder, settings, place, store, cache, own)


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
        place.remove()
    return gone
