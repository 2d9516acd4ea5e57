"""Puts an index together from settings."""

from __future__ import annotations

from pathlib import Path

from fiuto.config import Settings
from fiuto.engine.index import Index
from fiuto.engine.parts import profile_named
from fiuto.engine.places import place_of, vector_cache
from fiuto.engine.stores import make_store
from fiuto.protocols import Embedder
from fiuto.store.cache import SqliteVectorCache

__all__ = ["opened"]


def opened(
    folder: Path,
    settings: Settings,
    own: Embedder | None = None,
    revision: str = "",
    build: int = 0,
) -> Index:
    """
    The index of ``folder``; nothing is read before it is used.

    Args:
        folder: absolute, links resolved.
        settings: of this folder.
        own: an embedder of the caller's.
        revision: what is indexed, for a server that others ask too.
        build: of a collection on a server, instead of the one that readers find.

    Raises:
        UsageError: a setting that cannot be used.
    """
    profile_named(settings.profile)
    place = place_of(settings.home, folder, settings.profile)
    store = make_store(settings, place, revision, build)
    cache = SqliteVectorCache(vector_cache(settings.home))
    return Index(folder, settings, place, store, cache, own)
