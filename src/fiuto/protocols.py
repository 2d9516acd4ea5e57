"""
The seams where the world plugs in: at most eight methods each.

One required method where that is possible; whatever can be built on it is built
on it.  The checks that every implementation must pass are in
:mod:`fiuto.testing.contracts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias, runtime_checkable

from fiuto.model import (
    Batch,
    Chunk,
    Counts,
    EmbedderIdentity,
    FileRecord,
    Found,
    Glimpse,
    Manifest,
    Role,
    Scored,
    Skipped,
    SourceFile,
    Stamp,
    StoredChunk,
    TermQuery,
    Vectors,
    Where,
)

__all__ = [
    "Chunker",
    "Collection",
    "Comparing",
    "Embedder",
    "Glancing",
    "JointReader",
    "Progress",
    "Reader",
    "Scanner",
    "Store",
    "VectorCache",
    "Writer",
]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with (stage, done, total) from the working thread; total 0 means unknown."""


class Scanner(Protocol):
    """Finds and reads the files of one root."""

    @property
    def identity(self) -> str:
        """Equal exactly when the rules that decide on content are."""
        ...

    def walk(self) -> Iterator[Found | Skipped]:
        """Every file once, in path order, by name and ``stat`` alone."""
        ...

    def read(self, found: Found) -> SourceFile | Skipped:
        """Read, decode and judge one file; never raises on odd content."""
        ...


@runtime_checkable
class Glancing(Protocol):
    """
    A scanner that can tell what has changed for less than a walk.

    ``settled`` tells whether a change after the walk, or the look, began must show in a stamp.
    """

    def glance(self, settled: Callable[[Stamp], bool]) -> bytes | None:
        """What the last whole walk found, or None where a change might pass unseen."""
        ...

    def glimpse(self, glance: bytes, settled: Callable[[Stamp], bool]) -> Glimpse | None:
        """How a walk would differ from that one; None where only a walk can tell."""
        ...


@runtime_checkable
class Chunker(Protocol):
    """Cuts a text into chunks that together hold each of its non-blank characters."""

    @property
    def identity(self) -> str:
        """Name and settings: equal exactly when the same text gives the same chunks."""
        ...

    def chunk(self, path: str, text: str, language: str) -> Sequence[Chunk]:
        """Cut ``text``, in order of first line; never raises on odd input."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors, perhaps by different encoders for the two roles."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Known without loading weights; raises ModelUnavailable where there are none."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """
        One row per text, in order.

        Raises:
            ModelUnavailable: the weights, the runtime or the endpoint are not there.
        """
        ...


@runtime_checkable
class Comparing(Protocol):
    """What an embedder may do besides: compare texts with a row by itself, as it knows how."""

    def nearness(self, texts: Sequence[str], vector: bytes) -> Sequence[float]:
        """The cosine of each text, read as a document, to a unit float32 row."""
        ...


class Reader(Protocol):
    """One whole generation of an index; safe to use from several threads."""

    @property
    def manifest(self) -> Manifest: ...

    def files(self) -> Mapping[str, FileRecord]:
        """Every indexed file by path."""
        ...

    def skipped(self) -> Sequence[Skipped]: ...

    def counts(self) -> Counts: ...

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> Sequence[Scored]:
        """The best ``limit`` chunks by BM25, best first."""
        ...

    def match_vector(self, vector: bytes, where: Where, limit: int) -> Sequence[Scored]:
        """The best ``limit`` chunks by cosine to a float32 row, best first."""
        ...

    def chunks(self, ids: Sequence[int]) -> Mapping[int, StoredChunk]:
        """Those of ``ids`` that exist."""
        ...

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        """The chunks of one file in order; empty where it is not indexed."""
        ...


class JointReader(Reader, Protocol):
    """Several repositories as one: each path begins with its repository's name and a ``/``."""

    def repository_of(self, path: str) -> str:
        """The repository that ``path`` begins with, empty where it is none of these."""
        ...

    def revision_of(self, repository: str) -> str:
        """What of ``repository`` was indexed, as git names it; empty where nobody told."""
        ...


class Writer(Protocol):
    """The one writer of an index, holding its lock."""

    def reset(self, manifest: Manifest) -> None:
        """Throw away every file and start over under ``manifest``."""
        ...

    def apply(self, batch: Batch) -> int:
        """Commit ``batch`` as a whole; returns the new generation."""
        ...


class Store(Protocol):
    """Keeps one index: any number of readers, one writer."""

    def read(self) -> Reader:
        """
        The newest whole generation.

        Raises:
            IndexMissing: nothing was written yet.
            IndexCorrupt: damaged beyond what can be derived; reset it.
            IndexMismatch: written by another format.
        """
        ...

    def write(self, wait: float) -> AbstractContextManager[Writer]:
        """
        Take the lock, waiting up to ``wait`` seconds.

        Raises:
            IndexBusy: somebody else kept it.
        """
        ...

    def repairs(self) -> Sequence[str]:
        """One sentence for each damage found and mended since the last call."""
        ...

    def size(self) -> int:
        """Bytes on disk here; 0 where a server keeps it."""
        ...

    def remove(self) -> None:
        """
        Delete the index.

        Raises:
            IndexBusy: it is being written to.
        """
        ...

    def close(self) -> None: ...


class Collection(Protocol):
    """Many repositories on one server, in builds of which readers find one."""

    def prepare(self, embedder: EmbedderIdentity | None, *, rebuild: bool) -> int:
        """
        The number of the build to write to, made where it is not there.

        Args:
            embedder: whose vectors it is for.
            rebuild: a build beside the one that readers find, for :meth:`switch`; one that
                was begun for this embedder is gone on with.

        Raises:
            StoreUnavailable: the server does not answer.
        """
        ...

    def current(self) -> int:
        """The number of the build that readers find, 0 where there is none."""
        ...

    def held(self, number: int) -> Mapping[str, bool]:
        """The repositories of one build by name, and whether each is complete."""
        ...

    def switch(self, number: int) -> None:
        """Have readers find build ``number`` from now on, in one step."""
        ...

    def read(self, repositories: Sequence[str] = ()) -> JointReader:
        """
        The newest whole generation of each repository; of all where none is named.

        Raises:
            IndexMissing: nothing was written yet.
            UsageError: a repository that is not there.
        """
        ...

    def remove(self) -> None:
        """Delete every build."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Examinable(Protocol):
    """A store that can tell what is damaged; not every one can."""

    def faults(self) -> Sequence[str]:
        """
        One sentence for each fault, found without changing anything.

        Raises:
            IndexMissing: there is no index.
            IndexMismatch: it has a newer format.
        """
        ...


class VectorCache(Protocol):
    """Vectors by embedder and text, shared by every index of this user."""

    def get(self, identity: EmbedderIdentity, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Float32 rows of the keys that are known."""
        ...

    def put(self, identity: EmbedderIdentity, rows: Mapping[bytes, bytes]) -> None: ...

    def close(self) -> None: ...
