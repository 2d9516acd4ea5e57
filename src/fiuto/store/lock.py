"""
Who may write to an index: one process, and in it one thread.

The lock is an exclusive transaction on an empty SQLite file.  That holds between processes
and between threads, the system lets it go with a process that dies, and the library is
there already: others for the same purpose take as long to import as a small folder to index.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fiuto.errors import IndexBusy
from fiuto.store.database import translated

__all__ = ["locked"]

_LOOK_SECONDS = 0.05
"""Between two tries; SQLite's own waiting would not hear a Ctrl-C."""


@contextmanager
def locked(path: Path, wait: float) -> Iterator[None]:
    """
    Hold the lock of the index in whose folder the file ``path`` is.

    Raises:
        IndexBusy: somebody else kept it for ``wait`` seconds.
        OSError: the folder takes no file.
    """
    with translated(path):
        db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    with closing(db):
        until = time.monotonic() + wait
        while not _taken(db, path):
            if time.monotonic() >= until:
                raise IndexBusy(f"another process is writing {path.parent}; try again in a moment")
            time.sleep(_LOOK_SECONDS)
        yield


def _taken(db: sqlite3.Connection, path: Path) -> bool:
    with translated(path):
        try:
            db.execute("PRAGMA journal_mode = OFF")  # nothing is ever written
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            raise
    return True
