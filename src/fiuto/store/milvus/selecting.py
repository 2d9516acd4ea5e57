"""
Filters in the server's own words, as exact as those of every other store.

Language and label are clauses.  A path glob is resolved to the files that it selects
(listed by their folder where it names one), because the server's patterns mean
something else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fiuto.filters import admitting
from fiuto.model import Where
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.schema import Build
from fiuto.store.milvus.state import State, listed, quoted

__all__ = ["Selecting", "folder_clause"]

_FILES = 5000
"""File ids a clause."""
_KEPT = 8
"""Filters whose files are remembered."""


class Selecting:
    """Which rows count, for the repositories of one reader."""

    def __init__(self, link: Link, build: Build, states: Sequence[State]) -> None:
        self._link = link
        self._build = build
        self._states = {state.repository: state for state in states}
        self._resolved: dict[Where, list[int]] = {}
        self._lock = threading.Lock()

    @property
    def repositories(self) -> str:
        """The clause that names the repositories, by which the server picks partitions."""
        names = list(self._states)
        return f"repo == {quoted(names[0])}" if len(names) == 1 else f"repo in {listed(names)}"

    def shows(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of chunks or files belongs to the generation of its repository."""
        state = self._states.get(row["repo"])
        return state is not None and state.shows(row.get("file", row["id"]), row["born"])

    def clauses(self, where: Where) -> Iterator[str]:
        """What the server is asked with, once for each; nothing where nothing can match."""
        if not self._states or (where.only and not set(where.only) - set(where.no)):
            return
        base = self._base(where)
        if not where.paths:
            yield base
            return
        places = self._places(where, base)
        for i in range(0, len(places), _FILES):
            yield f"{base} and place in {listed(places[i : i + _FILES])}"

    def _base(self, where: Where) -> str:
        parts = [self.repositories]
        if len(self._states) == 1:
            (state,) = self._states.values()
            parts.append(f"born >= {state.floor} and born <= {state.generation}")
        if where.languages:
            parts.append(f"language in {listed(where.languages)}")
        if where.only:
            parts.append(f"label in {listed(where.only)}")
        if where.no:
            parts.append(f"label not in {listed(where.no)}")
        return " and ".join(parts)

    def _places(self, where: Where, base: str) -> list[int]:
        """The places (repository and path) that ``where`` selects."""
        with self._lock:
            known = self._resolved.get(where)
        if known is not None:
            return known
        admits = admitting(where)
        folders = list(map(folder_clause, where.paths))
        near = f"{base} and ({' or '.join(folders)})" if all(folders) else base
        fields = ["id", "repo", "born", "place", "path", "language", "label"]
        found = [
            row["place"]
            for row in self._link.rows(self._build.files, near, fields)
            if self.shows(row) and admits(row["path"], row["language"], row["label"])
        ]
        with self._lock:
            while len(self._resolved) >= _KEPT:
                del self._resolved[next(iter(self._resolved))]
            self._resolved[where] = sorted(found)
            return self._resolved[where]


def folder_clause(glob: str) -> str:
    """
    Paths that begin with the folder that a glob is rooted in, empty where it names none.

    As a range of texts, which every server compares alike, byte by byte.

    >>> folder_clause("src/net/*.c")
    'path >= "src/net/" and path < "src/net0"'
    """
    plain = glob.removeprefix("./").removeprefix("/")
    if not plain.isascii() or any(sign in plain for sign in "\\\"'"):
        return ""
    for wild in "*?[":
        plain = plain.partition(wild)[0]
    folder = plain.rpartition("/")[0]
    return f'path >= "{folder}/" and path < "{folder}0"' if folder else ""
