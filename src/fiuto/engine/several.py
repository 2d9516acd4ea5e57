"""
The door to several repositories at once: folders, a list, a collection on a server.

Apart from the door to one index, so that a search of one folder loads none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fiuto.config import UNSET, Maybe, Settings, load
from fiuto.engine.many import Cluster, Folders, Many, named_folders
from fiuto.engine.opening import open_index
from fiuto.engine.org import Org, open_org
from fiuto.engine.stores import make_collection

__all__ = ["open_cluster", "open_list", "open_many"]


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
    return Folders(_settings(Path.cwd(), embedder, home), indexes)


def open_cluster(store: Mapping[str, object], *, home: Path | None = None) -> Many:
    """
    Every repository of a collection on a server, as one thing to ask.

    Args:
        store: a ``[store]`` table: ``url``, and perhaps ``token_env``, ``tls``, ….
        home: as in :func:`open_index`.

    Raises:
        UsageError: an address or a setting that cannot be used.
    """
    settings = _settings(Path.cwd(), UNSET, home, store)
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
    beside = Path(path).resolve().parent
    return open_org(Path(path), _settings(beside, embedder, home, store, chunker))


def _settings(
    folder: Path,
    embedder: Maybe[str],
    home: Path | None,
    store: Mapping[str, object] | None = None,
    chunker: Maybe[str] = UNSET,
) -> Settings:
    """What ``folder`` says, where the caller says nothing else."""
    return load(
        folder,
        {
            "embedder": embedder,
            "chunker": chunker,
            "home": home if home is not None else UNSET,
            "store": dict(store) if store is not None else UNSET,
        },
    )
