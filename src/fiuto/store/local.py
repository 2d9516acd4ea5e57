"""
The default store: one folder per root in the user's cache.

SQLite is the truth; tantivy and the vector segments are derived.  Opening
compares all three with the seal and with each other; what disagrees is derived
again under the writer's lock, and what cannot be derived is reported as
:class:`~fiuto.errors.IndexCorrupt`, for the caller to index anew.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.errors import IndexBusy, IndexCorrupt, IndexFault
from fiuto.model import Manifest
from fiuto.store.database import connect, damage, read_manifest, translated
from fiuto.store.layout import UNITS, Layout, Place, make_folder
from fiuto.store.postings import read_postings
from fiuto.store.reader import LocalReader
from fiuto.store.seal import broken, read_seal, stamp_of
from fiuto.store.segments import open_segment

if TYPE_CHECKING:
    from fiuto.store.writer import LocalWriter

__all__ = ["LocalStore", "open_local"]

_PATIENCE = 30.0
"""Seconds a reader waits for a writer between two commits, which takes it well under one."""


class _Unsettled(Exception):
    """Database and derived files are not of one generation, or one is damaged."""


class LocalStore:
    """Implements :class:`fiuto.protocols.Store` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._place = Place(folder)
        self._mutex = threading.RLock()
        self._watch: sqlite3.Connection | None = None
        self._reader: LocalReader | None = None
        self._seen: tuple[int, ...] = ()
        self._repairs: list[str] = []

    def read(self) -> LocalReader:
        with self._mutex:
            now = self._now()
            if self._reader is None or self._seen != now:
                self._reader = None
                self._reader = self._patient()
                self._seen = now
            return self._reader

    @contextmanager
    def write(self, wait: float) -> Iterator[LocalWriter]:
        from fiuto.store.writer import LocalWriter  # noqa: PLC0415 - readers start without it

        with self._locked(wait):
            writer = LocalWriter(self._place, self._let_go)
            try:
                yield writer
            finally:
                writer.close()

    def _let_go(self) -> None:
        # Who holds it may be waiting for the commit that this belongs to.
        if self._mutex.acquire(blocking=False):
            try:
                self._reader = None
            finally:
                self._mutex.release()

    def repairs(self) -> Sequence[str]:
        with self._mutex:
            said, self._repairs = self._repairs, []
            return said

    def faults(self) -> Sequence[str]:
        """
        What is damaged, by reading every byte and changing none.

        Raises:
            IndexMissing: there is no index.
            IndexMismatch: it has a newer format.
        """
        from fiuto.store.examine import examine  # noqa: PLC0415 - seldom asked for

        return examine(self._place.current())

    def size(self) -> int:
        return self._place.size()

    def remove(self) -> None:
        """
        Delete the index.

        Raises:
            IndexBusy: it is being written to.
        """
        with self._locked(0):
            self.close()
            self._place.wipe()

    def close(self) -> None:
        with self._mutex:
            self._reader = None
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    @contextmanager
    def _locked(self, wait: float) -> Iterator[None]:
        from fiuto.store.lock import locked  # noqa: PLC0415 - readers start without it

        make_folder(self._place.folder)
        with locked(self._place.lock, wait):
            yield

    def _now(self) -> tuple[int, ...]:
        """Changes when the database was written to or replaced."""
        database = self._place.current().database
        try:
            stat = database.stat()
            if self._watch is not None and (stat.st_dev, stat.st_ino) != self._seen[:2]:
                self._watch.close()
                self._watch = None
            if self._watch is None:
                self._watch = connect(database)
            version = self._watch.execute("PRAGMA data_version").fetchone()[0]
        except (OSError, IndexFault, sqlite3.Error):
            return (-1, -1, time.monotonic_ns())
        # Where the file can only be read as one that does not change, its time tells.
        return (stat.st_dev, stat.st_ino, version, stat.st_size, stat.st_mtime_ns)

    def _patient(self) -> LocalReader:
        """Open; wait for a writer in the middle of a commit, mend after one that died."""
        until = time.monotonic() + _PATIENCE
        mended = 0
        while True:
            with suppress(_Unsettled):
                return self._open()
            if mended > 1:
                raise IndexCorrupt(f"the index in {self._place.folder} cannot be repaired")
            from fiuto.store.mend import mend  # noqa: PLC0415 - seldom needed

            try:
                with self._locked(0.05):
                    self._repairs += mend(self._place.current())
                    mended += 1
            except IndexBusy:
                if time.monotonic() > until:
                    raise

    def _open(self) -> LocalReader:
        """
        Open the newest generation if all its parts agree.

        Raises:
            _Unsettled: they do not.
            IndexCorrupt: the database itself is damaged.
        """
        layout = self._place.current()
        with translated(layout.database):
            db = connect(layout.database)
            try:
                db.execute("BEGIN")
                manifest = read_manifest(db)
                seal = read_seal(layout.seal)
                touched = seal.database != stamp_of(layout.database)
                if touched and (found := damage(db)):
                    raise IndexCorrupt(f"the index file {layout.database} is damaged ({found})")
                if seal.generation != manifest.generation or broken(layout.folder, seal.files):
                    raise _Unsettled
                reader = self._assemble(db, manifest, layout)
            except BaseException:
                db.close()
                raise
        if touched:
            self._seal_again(layout, manifest.generation)
        return reader

    def _assemble(self, db: sqlite3.Connection, manifest: Manifest, layout: Layout) -> LocalReader:
        try:
            units = UNITS if manifest.generation else ()
            postings = {unit: read_postings(layout.postings(unit)) for unit in units}
            segments = [
                open_segment(layout.vectors / name, count, None)
                for name, count in db.execute("SELECT name, rows FROM segments ORDER BY name")
            ]
        except IndexCorrupt as error:
            raise _Unsettled from error
        if any(p.generation() != manifest.generation for p in postings.values()):
            raise _Unsettled
        return LocalReader(db, manifest, postings, segments)

    def _seal_again(self, layout: Layout, generation: int) -> None:
        """The database was checked and is sound; spare the next reader the check."""
        from fiuto.store.writer import reseal  # noqa: PLC0415 - seldom needed

        with suppress(IndexBusy, OSError), self._locked(0), closing(connect(layout.database)) as db:
            if read_manifest(db).generation == generation:
                reseal(layout, db, generation)


def open_local(folder: Path) -> LocalStore:
    """The store in ``folder``; nothing is read or made before it is used."""
    return LocalStore(folder)
