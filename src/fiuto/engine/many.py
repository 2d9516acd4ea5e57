"""One question to several repositories: folders of this machine, or a collection on a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

from fiuto.config import Settings
from fiuto.engine.deepening import DeepParts, remembering
from fiuto.engine.index import Index
from fiuto.engine.parts import DEFAULT_EMBEDDER, make_embedder, make_scanner, profile_named
from fiuto.engine.places import vector_cache
from fiuto.engine.questions import make_query
from fiuto.engine.upkeep import said_once, silent
from fiuto.errors import IndexMismatch, ModelUnavailable, UsageError, nearest
from fiuto.model import Content, Hit, Manifest, Query, Results, Status
from fiuto.protocols import Collection, JointReader, Progress, Reader
from fiuto.scan import FileScanner
from fiuto.scan.git import revision
from fiuto.search.retrieve import Means
from fiuto.search.searcher import search
from fiuto.store.cache import SqliteVectorCache
from fiuto.store.joined import JoinedReader

__all__ = ["Cluster", "Folders", "Many", "named_folders"]

_AT_ONCE = 4
"""Repositories whose revision is asked for at the same time."""


class Many:
    """
    Asks several repositories as if they were one; hits carry ``repository`` and ``revision``.

    A context manager.  The two kinds differ in where the reader comes from.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._profile = profile_named(settings.profile)
        self._scanners: dict[str, FileScanner | None] = {}
        self._cache = SqliteVectorCache(vector_cache(settings.home))
        self._deep = DeepParts(settings, self._cache)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let files and connections go."""
        self._cache.close()

    def folders(self) -> Mapping[str, Path]:
        """Where repositories lie on this machine, by name; those that do."""
        return {}

    def search(
        self,
        question: str,
        *,
        repositories: Sequence[str] = (),
        k: int | None = None,
        mode: str | None = None,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        only: Sequence[str] = (),
        no: Sequence[str] = (),
        deep: bool | None = None,
        deep_budget: float | None = None,
        refresh: bool = True,
        progress: Progress | None = None,
    ) -> Results:
        """
        Answer a question from all repositories, or from those of ``repositories``.

        Everything else is as in :meth:`fiuto.Index.search`; globs speak about paths inside a
        repository.

        Raises:
            UsageError: an unknown repository, or what a single index would refuse.
            IndexMissing: nothing was indexed.
            IndexMismatch: the repositories hold vectors of different models.
        """
        query = make_query(
            question,
            k=self._settings.k if k is None else k,
            mode=mode or self._settings.mode,
            paths=paths,
            languages=languages,
            only=only,
            no=no,
        )
        reading = self._deep.asked(deep, deep_budget, progress or silent)
        reader, means, warnings = self._ready(
            query, repositories, progress or silent, refresh=refresh
        )
        means = remembering(means, self._cache, reading)
        found = search(
            query, reader, means, self._profile, partial(self._content, reader), reading.deep
        )
        return Results(
            query=query,
            profile=self._profile.name,
            hits=_attributed(found.hits, reader),
            status=Status(reader.manifest, reader.counts()),
            warnings=said_once(warnings, (*found.warnings, *reading.warnings)),
            confidence=found.confidence,
            also=found.also,
        )

    def _ready(
        self, query: Query, repositories: Sequence[str], progress: Progress, *, refresh: bool
    ) -> tuple[JointReader, Means, Sequence[str]]:
        raise NotImplementedError

    def _content(self, reader: JointReader, path: str) -> Content | None:
        """What stands at ``path``, a repository's name and a path inside, on this machine."""
        name = reader.repository_of(path)
        if name not in self._scanners:
            folder = self.folders().get(name)
            self._scanners[name] = (
                make_scanner(folder, self._settings, self._profile) if folder else None
            )
        scanner = self._scanners[name]
        return scanner.content(path.removeprefix(f"{name}/")) if scanner else None


class Folders(Many):
    """
    Indexes of this user.

    Args:
        settings: how to answer.
        indexes: by the repository's name.
    """

    def __init__(self, settings: Settings, indexes: Mapping[str, Index]) -> None:
        super().__init__(settings)
        self._indexes = indexes

    def close(self) -> None:
        super().close()
        for index in self._indexes.values():
            index.close()

    def _ready(
        self, query: Query, repositories: Sequence[str], progress: Progress, *, refresh: bool
    ) -> tuple[JointReader, Means, Sequence[str]]:
        chosen = {name: self._indexes[name] for name in _known(repositories, self._indexes)}
        readers: dict[str, Reader] = {}
        warnings: list[str] = []
        means = Means(None)
        for name, index in chosen.items():
            ready = index.ready(query.mode, progress, refresh=refresh)
            readers[name] = ready.reader
            warnings += [f"{name}: {warning}" for warning in ready.warnings]
            if means.embedder is None:
                means = ready.means
        if query.mode != "lexical":
            _agree({name: reader.manifest for name, reader in readers.items()})
        return JoinedReader(readers, self._revision), means, warnings

    def folders(self) -> Mapping[str, Path]:
        return {name: index.root for name, index in self._indexes.items()}

    def _revision(self, repository: str) -> str:
        return revision(str(self._indexes[repository].root))


class Cluster(Many):
    """
    A collection on a server.

    Args:
        settings: how to answer.
        collection: what is asked.
        folders: where repositories lie on this machine, those that do.
    """

    def __init__(
        self,
        settings: Settings,
        collection: Collection,
        folders: Mapping[str, Path] | None = None,
    ) -> None:
        super().__init__(settings)
        self._collection = collection
        self._folders = folders or {}

    def close(self) -> None:
        super().close()
        self._collection.close()

    def _ready(
        self,
        query: Query,
        repositories: Sequence[str],
        progress: Progress,  # noqa: ARG002 - nothing is indexed here
        *,
        refresh: bool,  # noqa: ARG002 - the same
    ) -> tuple[JointReader, Means, Sequence[str]]:
        reader = self._collection.read(repositories)
        manifest = reader.manifest
        means = Means(None)
        if query.mode != "lexical" and manifest.embedder is not None:
            try:
                embedder = make_embedder(manifest.embedder_name, self._settings)
                if embedder.identity != manifest.embedder:
                    raise IndexMismatch(
                        f"{manifest.root} holds vectors of {manifest.embedder}, and "
                        f"{embedder.identity} is here: rebuild it with 'fiuto org --rebuild'"
                    )
                means = Means(embedder, instant=manifest.embedder_name == DEFAULT_EMBEDDER)
            except ModelUnavailable as error:
                means = Means(None, str(error))
        warnings = [] if manifest.complete else ["not every repository is complete yet"]
        return reader, means, warnings

    def folders(self) -> Mapping[str, Path]:
        return self._folders


def named_folders(roots: Iterable[Path]) -> dict[str, Path]:
    """
    A name for each folder: its own, with as many of those above it as tell it from others.

    >>> list(named_folders([Path("/a/web"), Path("/b/web"), Path("/b/api")]))
    ['a/web', 'b/web', 'api']
    """
    folders = list(dict.fromkeys(roots))
    out: dict[str, Path] = {}
    for folder in folders:
        parts = folder.parts[1:] or ("root",)
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[-depth:])
            if sum(other.parts[1:][-depth:] == parts[-depth:] for other in folders) == 1:
                break
        out[name] = folder
    return out


def _known(asked: Sequence[str], names: Iterable[str]) -> list[str]:
    known = list(names)
    for name in asked:
        if name not in known:
            raise UsageError(f"no repository is called {name!r}; {nearest(name, known)}")
    return [name for name in known if not asked or name in asked]


def _agree(manifests: Mapping[str, Manifest]) -> None:
    """Refuse to compare vectors of different models."""
    first: tuple[str, Manifest] | None = None
    for name, manifest in manifests.items():
        if manifest.embedder is None:
            continue
        if first is not None and manifest.embedder != first[1].embedder:
            raise IndexMismatch(
                f"{first[0]} was indexed with {first[1].embedder}, {name} with "
                f"{manifest.embedder}: index both with the same --embedder, or ask with "
                "--mode lexical"
            )
        first = first or (name, manifest)


def _attributed(hits: Sequence[Hit], reader: JointReader) -> tuple[Hit, ...]:
    """The hits, each with its repository apart from its path."""
    names = [reader.repository_of(hit.path) for hit in hits]
    distinct = list(dict.fromkeys(names))
    # Each may be a run of git, which is waited for and not worked on.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        revisions = dict(zip(distinct, pool.map(reader.revision_of, distinct), strict=True))
    return tuple(
        replace(
            hit, path=hit.path.removeprefix(f"{name}/"), repository=name, revision=revisions[name]
        )
        for hit, name in zip(hits, names, strict=True)
    )
