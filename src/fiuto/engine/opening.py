"""Puts an index together: from what a caller says, or from settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fiuto.config import UNSET, Maybe, Settings, load
from fiuto.engine.index import Index
from fiuto.engine.parts import profile_named
from fiuto.engine.places import place_of, vector_cache
from fiuto.engine.stores import make_store
from fiuto.errors import UsageError
from fiuto.protocols import Embedder
from fiuto.store.cache import SqliteVectorCache

__all__ = ["open_index", "opened"]


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
    return opened(folder, settings, own)


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
