"""One repository in a collection of Milvus, as a store."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fiuto.errors import IndexMissing, UsageError
from fiuto.store.milvus import schema
from fiuto.store.milvus.lease import Lease
from fiuto.store.milvus.link import Link, Target, target_of
from fiuto.store.milvus.reader import MilvusReader
from fiuto.store.milvus.schema import Build
from fiuto.store.milvus.state import load_states
from fiuto.store.milvus.writer import MilvusWriter, remove

__all__ = ["MilvusStore", "open_milvus"]

_NAME = re.compile(r"[\w.@+~-]+(/[\w.@+~-]+)*")
_LONGEST = 400
"""Bytes of a name: keys of small rows hold it with a few dozen more, in 1,024."""


class MilvusStore:
    """
    Implements :class:`fiuto.protocols.Store`.

    Args:
        target: the collection.
        repository: its name there: every row carries it.
        revision: what hits say they were found in; empty where nothing is known.
        build: the number of a build to read and write instead of the current one.
    """

    def __init__(self, target: Target, repository: str, revision: str = "", build: int = 0) -> None:
        self._link = Link(target)
        self._repository = repository
        self._revision = revision
        self._pinned = Build(f"{self._link.name}__{build}") if build else None
        self._reader: tuple[tuple[Build, int], MilvusReader] | None = None
        self._mutex = threading.RLock()

    def read(self) -> MilvusReader:
        with self._mutex:
            build = self._pinned or schema.current(self._link)
            states = load_states(self._link, build, [self._repository]) if build else {}
            state = states.get(self._repository)
            if build is None or state is None:
                raise IndexMissing(f"no index of {self._repository} in {self._link.target.url}")
            key = (build, state.generation)
            if self._reader is None or self._reader[0] != key:
                reader = MilvusReader(self._link, build, [state], state.manifest, joint=False)
                self._reader = (key, reader)
            return self._reader[1]

    @contextmanager
    def write(self, wait: float) -> Iterator[MilvusWriter]:
        lease = Lease(self._link, self._repository)
        writer = MilvusWriter(self._link, lease, self._repository, self._revision)
        try:
            writer.start(wait, self._pinned)
            yield writer
        finally:
            with self._mutex:
                self._reader = None
            lease.give()

    def repairs(self) -> Sequence[str]:
        return ()

    def size(self) -> int:
        return 0

    def remove(self) -> None:
        """
        Delete the repository from the collection.

        Raises:
            IndexBusy: it is being written to.
        """
        build = self._pinned or schema.current(self._link)
        if build is not None:
            with self.write(0):
                remove(self._link, build, self._repository)

    def close(self) -> None:
        self._link.close()


def open_milvus(
    url: str, repository: str, revision: str = "", build: int = 0, **how: Any
) -> MilvusStore:
    """
    The store of one repository; nothing is asked of the server before it is used.

    Args:
        url: ``milvus://host:port/collection``.
        repository: its name there.
        revision: what hits say they were found in.
        build: a build to write to instead of the current one.
        how: as in :class:`fiuto.store.milvus.link.Target`.

    Raises:
        UsageError: a name, an address or a level of consistency that cannot be used.
    """
    if _NAME.fullmatch(repository) is None or len(repository.encode()) > _LONGEST:
        raise UsageError(
            f"{repository!r} cannot name a repository: letters, digits and . _ @ + ~ - in parts "
            "between slashes"
        )
    return MilvusStore(target_of(url, **how), repository, revision, build)
