"""
The indexes of this user, open and by id.

Two for each: one answers at once from the index as it stands, the other refreshes
first.  A refresh may take minutes, and nobody who can be answered waits for it.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fiuto.engine import Index, Place, forget, list_indexes, open_index
from fiuto.errors import UsageError
from fiuto.web.problems import Missing

__all__ = ["Library"]

_FRESH = 1.0
"""Seconds for which the last look at a folder is good enough: nobody saves and asks faster."""


@dataclass(slots=True)
class _Open:
    """The open indexes of one place."""

    place: Place
    settings: tuple[tuple[int, int] | None, ...]
    """Stamps of the files that settings come from."""
    still: Index
    live: Index
    looked: float = -_FRESH


class Library:
    """Finds, opens and keeps indexes; safe to use from several threads."""

    def __init__(self, home: Path | None = None) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._added: dict[str, Place] = {}

    def places(self) -> list[Place]:
        """Every index there is, and those about to be made, by root and profile."""
        found = self._added | {place.name: place for place in list_indexes(self._home)}
        return sorted(found.values(), key=lambda place: (str(place.root), place.profile))

    def place(self, id_: str) -> Place:
        """
        The index called ``id_``.

        Raises:
            Missing: there is none.
        """
        for place in self.places():
            if place.name == id_:
                return place
        raise Missing(f"no index is called {id_[:80]!r}")

    def add(self, root: str, **options: Any) -> Place:
        """
        A folder that is about to be indexed.

        Raises:
            UsageError: no folder, or a setting that cannot be used.
        """
        folder = Path(root).expanduser()
        if not folder.is_absolute():
            raise UsageError(f"{root!r} does not begin with / or ~; give the whole path")
        place = self.opened(folder, **options).place
        self._added[place.name] = place
        return place

    @property
    def home(self) -> Path | None:
        """Where indexes are kept, None for the user's cache folder."""
        return self._home

    def opened(self, root: Path, **options: Any) -> Index:
        """
        An index of its own for whoever writes; he closes it.

        Raises:
            UsageError: no folder, or a setting that cannot be used.
        """
        return open_index(root, home=self._home, **options)

    def index(self, id_: str, *, live: bool = False) -> Index:
        """
        The index called ``id_``, which stays open.

        Args:
            id_: as in :attr:`fiuto.engine.Place.name`.
            live: the one that may refresh, and may wait.

        Raises:
            Missing: there is none.
            UsageError: its folder is gone.
        """
        entry = self._entry(id_)
        return entry.live if live else entry.still

    def due(self, id_: str) -> bool:
        """Whether somebody should look at the folder again; true for one caller at a time."""
        entry = self._entry(id_)
        with self._lock:
            if time.monotonic() - entry.looked < _FRESH:
                return False
            entry.looked = time.monotonic()
            return True

    def forget(self, id_: str) -> Place:
        """
        Delete one index; its folder is not touched.

        Raises:
            Missing: there is none.
            IndexBusy: it is being written to.
        """
        place = self.place(id_)
        forget(place.root, self._home, place.profile)
        self._added.pop(id_, None)
        self._drop(id_)
        return place

    def close(self) -> None:
        """Let every index go."""
        for id_ in list(self._open):
            self._drop(id_)

    def _entry(self, id_: str) -> _Open:
        known = self._open.get(id_)
        place = known.place if known else self.place(id_)
        stamps = _settings_of(place.root)
        with self._lock:
            entry = self._open.get(id_)
            if entry is None or entry.settings != stamps:
                still, live = (
                    self.opened(place.root, profile=place.profile) for _ in ("still", "live")
                )
                # The one before it may be answering; it closes when it is let go.
                entry = self._open[id_] = _Open(place, stamps, still, live)
            return entry

    def _drop(self, id_: str) -> None:
        with self._lock:
            entry = self._open.pop(id_, None)
        if entry is not None:
            entry.still.close()
            entry.live.close()


def _settings_of(root: Path) -> tuple[tuple[int, int] | None, ...]:
    out = []
    for name in ("fiuto.toml", "pyproject.toml"):
        stamp = None
        with suppress(OSError):
            status = (root / name).stat()
            stamp = (status.st_mtime_ns, status.st_size)
        out.append(stamp)
    return tuple(out)
