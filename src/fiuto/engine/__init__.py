"""
The composition root: the only place that knows every part, and the only door for surfaces.

Nothing is read, loaded or made before it is needed, so opening an index is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fiuto import registry
from fiuto.config import UNSET, Maybe, Settings, load, user_home
from fiuto.engine.index import Index
from fiuto.engine.many import Cluster, Folders, Many, named_folders
from fiuto.engine.opening import opened
from fiuto.engine.org import Entry, Org, Row, open_org, shard_of
from fiuto.engine.parts import make_embedder
from fiuto.engine.places import Place, every_place
from fiuto.engine.questions import OPTIONAL
from fiuto.engine.stores import make_collection, make_store
from fiuto.engine.warming import warm_up
from fiuto.errors import UsageError
from fiuto.protocols import Embedder

__all__ = [
    "OPTIONAL",
    "Entry",
    "Index",
    "Many",
    "Org",
    "Place",
    "Row",
    "forget",
    "list_indexes",
    "make_embedder",
    "open_cluster",
    "open_index",
    "open_list",
    "open_many",
    "shard_of",
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
    return opened(folder, settings, own)


def open_many(
    roots: Sequence[str | Path], *, embedder: Maybe[str] = UNSET, home: Path | None = None
) -> Many:
    """
    Several folders as one thing to ask; each keeps its own index and settings.

    Args:
        roots: folders, each named by its last part, or by more where that is not enough.
        embedder: as in :func:`open_index`, for each of them.
        home: where indexes are kept, instead of the user's cache folder.

    Raises:
        UsageError: one of them is no folder, or a setting cannot be used.
    """
    folders = named_folders(Path(root).resolve() for root in roots)
    indexes = {
        name: open_index(folder, embedder=embedder, home=home) for name, folder in folders.items()
    }
    return Folders(_loose(embedder, home), indexes)


def open_cluster(store: Mapping[str, object], *, home: Path | None = None) -> Many:
    """
    Every repository of a collection on a server, as one thing to ask.

    Args:
        store: a ``[store]`` table: ``url``, and perhaps ``token_env``, ``tls``, ….
        home: as in :func:`open_index`.

    Raises:
        UsageError: an address or a setting that cannot be used.
    """
    settings = _loose(UNSET, home, store)
    return Cluster(settings, make_collection(settings.store))


def open_list(
    path: str | Path,
    *,
    store: Mapping[str, object] | None = None,
    embedder: Maybe[str] = UNSET,
    chunker: Maybe[str] = UNSET,
    home: Path | None = None,
) -> Org:
    """
    The repositories of a list, to index or to ask.

    Args:
        path: of the list: a path or a git address a line.
        store: the ``[store]`` table of a server; the one in ``fiuto.toml`` beside the list
            where it is None.
        embedder: for all of them.
        chunker: the same.
        home: where indexes, clones and the status table are kept.

    Raises:
        UsageError: the list or a setting cannot be used.
    """
    settings = load(
        Path(path).resolve().parent,
        {
            "store": dict(store) if store is not None else UNSET,
            "embedder": embedder,
            "chunker": chunker,
            "home": home if home is not None else UNSET,
        },
    )
    return open_org(Path(path), settings)


def _loose(
    embedder: Maybe[str], home: Path | None, store: Mapping[str, object] | None = None
) -> Settings:
    """Settings of no folder in particular: what the current one says."""
    return load(
        Path.cwd(),
        {
            "embedder": embedder,
            "home": home if home is not None else UNSET,
            "store": dict(store) if store is not None else UNSET,
        },
    )


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
