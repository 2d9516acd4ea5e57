"""Every repository of a collection, or some of them, as one reader; and the builds they are in."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from fiuto.errors import IndexMissing, StoreUnavailable, UsageError, nearest
from fiuto.model import EmbedderIdentity, Manifest
from fiuto.store.milvus import schema
from fiuto.store.milvus.link import Link, Target, target_of
from fiuto.store.milvus.reader import MilvusReader
from fiuto.store.milvus.schema import Build
from fiuto.store.milvus.state import State, load_states

__all__ = ["MilvusCollection", "open_joint"]

_LOOKS, _AGAIN = 10, 1.0
"""Looks at a build that says nothing of its embedder yet, and the seconds between them."""


class MilvusCollection:
    """Implements :class:`fiuto.protocols.Collection`."""

    def __init__(self, target: Target) -> None:
        self._link = Link(target)

    def prepare(self, embedder: EmbedderIdentity | None, *, rebuild: bool) -> int:
        """
        The number of the build to write to, made where it is not there.

        Args:
            embedder: whose vectors it is for.
            rebuild: start a build beside the current one; one that was started for this
                embedder and is not in use yet is gone on with.
        """
        present = schema.current(self._link)
        every = schema.builds(self._link)
        if present is not None and not rebuild:
            return present.number
        newer = [b for b in every if present is None or b.number > present.number]
        if newer and self._identity(newer[-1]) == embedder:
            build = newer[-1]
        else:
            number = max((b.number for b in every), default=0) + 1
            build = Build(f"{self._link.name}__{number}")
            schema.create(self._link, build, embedder)
        if present is None and not rebuild:
            schema.switch(self._link, build)
        return build.number

    def _identity(self, build: Build) -> EmbedderIdentity | None:
        """Of a build that another process may be making at this moment."""
        for _ in range(_LOOKS):
            with suppress(StoreUnavailable):
                if (found := schema.identity(self._link, build)) is not None:
                    return found
            time.sleep(_AGAIN)
        return None

    def held(self, number: int) -> Mapping[str, bool]:
        """The repositories of one build by name, and whether each is complete."""
        states = load_states(self._link, Build(f"{self._link.name}__{number}"))
        return {name: state.manifest.complete for name, state in states.items()}

    def switch(self, number: int) -> None:
        """Have readers find build ``number`` from now on; builds before the last one go."""
        build = Build(f"{self._link.name}__{number}")
        before = schema.current(self._link)
        schema.switch(self._link, build)
        for old in schema.builds(self._link):
            if old.number < build.number and old != before:
                schema.drop(self._link, old)

    def current(self) -> int:
        """The number of the build that readers find, 0 where there is none."""
        build = schema.current(self._link)
        return build.number if build else 0

    def remove(self) -> None:
        """Delete the alias and every build under it."""
        if schema.current(self._link) is not None:
            self._link.call("drop_alias", self._link.name)
        for build in schema.builds(self._link):
            schema.drop(self._link, build)

    def close(self) -> None:
        """Let the connection go."""
        self._link.close()

    def read(self, repositories: Sequence[str] = ()) -> MilvusReader:
        """
        The newest whole generation of each repository; of all where none is named.

        Raises:
            IndexMissing: nothing was written yet.
            UsageError: a repository that is not there.
        """
        build = schema.current(self._link)
        states = load_states(self._link, build, repositories or None) if build else {}
        if build is None or not (states or repositories):
            raise IndexMissing(f"no repositories in {self._link.target.url}")
        for name in repositories:
            if name not in states:
                known = list(load_states(self._link, build))
                raise UsageError(
                    f"no repository is called {name!r} in {self._link.target.url}; "
                    f"{nearest(name, known)}"
                )
        manifest = _common(list(states.values()), self._link.target.url)
        return MilvusReader(self._link, build, list(states.values()), manifest, joint=True)


def _common(states: Sequence[State], url: str) -> Manifest:
    """A manifest that speaks for all: each agrees on the embedder, as a build has one."""
    embedded = [s.manifest for s in states if s.manifest.embedder is not None]
    first = (embedded or [states[0].manifest])[0]
    return Manifest(
        root=url, embedder_name=first.embedder_name, embedder=first.embedder,
        chunker=first.chunker, terms=first.terms, scan=first.scan,
        generation=max(s.generation for s in states),
        complete=all(s.manifest.complete for s in states),
    )  # fmt: skip


def open_joint(url: str, **how: Any) -> MilvusCollection:
    """
    A collection as a whole; nothing is asked of the server before it is used.

    Args:
        url: ``milvus://host:port/collection``.
        how: as in :class:`fiuto.store.milvus.link.Target`.

    Raises:
        UsageError: an address or a level of consistency that cannot be used.
    """
    return MilvusCollection(target_of(url, **how))
