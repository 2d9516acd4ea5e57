"""
Vectors shared by every index of this user, by embedder and text.

A worktree, a branch or a second clone holds the same texts under the same paths,
so it finds its vectors here and embeds nothing.  Losing this file costs time,
never an answer: whatever cannot be read counts as not there.
"""

from __future__ import annotations

import errno
import sqlite3
import threading
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from fiuto.model import EmbedderIdentity
from fiuto.store.database import damage, open_file, refusal, tells_damage, transaction
from fiuto.store.layout import make_folder
from fiuto.store.rows import in_batches

__all__ = ["SqliteVectorCache"]

_BUSY_MS = 30_000
_CRC = 4


class SqliteVectorCache:
    """Implements :class:`fiuto.protocols.VectorCache` in one SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._repairs: list[str] = []
        self._told = False

    def get(self, identity: EmbedderIdentity, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        with self._lock:
            try:
                return self._get(identity, keys)
            except sqlite3.DatabaseError as error:
                if tells_damage(error):
                    self._start_over(error)
                return {}

    def put(self, identity: EmbedderIdentity, rows: Mapping[bytes, bytes]) -> None:
        with self._lock:
            try:
                self._put(identity, rows)
            except sqlite3.DatabaseError as error:
                if tells_damage(error):
                    self._start_over(error)
                    self._put(identity, rows)
                elif refusal(error) == errno.ENOSPC and not self._told:
                    # A cache that is merely busy or read-only goes without a word.
                    self._told = True
                    self._repairs.append(f"no room for vectors in {self._path}: they are not kept")
            except OSError:  # there is no folder for it, and none can be made
                return

    def repairs(self) -> Sequence[str]:
        """One sentence for each damage since the last call."""
        with self._lock:
            said, self._repairs = self._repairs, []
            return said

    def faults(self) -> Sequence[str]:
        """What is damaged; nothing where there is no file."""
        with self._lock:
            if not self._path.exists():
                return ()
            try:
                said = damage(self._database())
            except sqlite3.DatabaseError as error:
                said = str(error)
        return (f"{self._path} is damaged ({said})",) if said else ()

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _get(self, identity: EmbedderIdentity, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        db = self._database()
        row = db.execute("SELECT id FROM embedders WHERE key = ?", (identity.key,)).fetchone()
        out: dict[bytes, bytes] = {}
        for marks, some in in_batches(keys if row else ()):
            found = db.execute(
                f"SELECT key, data FROM vectors WHERE embedder = ? AND key IN ({marks})",
                (row[0], *some),
            )
            for key, data in found:
                vector = data[:-_CRC]
                # The key is part of the sum: a vector under a wrong key is no vector.
                if zlib.crc32(key + vector) == int.from_bytes(data[-_CRC:], "little"):
                    out[key] = vector
        return out

    def _put(self, identity: EmbedderIdentity, rows: Mapping[bytes, bytes]) -> None:
        db = self._database()
        with transaction(db):
            db.execute("INSERT OR IGNORE INTO embedders (key) VALUES (?)", (identity.key,))
            (id_,) = db.execute(
                "SELECT id FROM embedders WHERE key = ?", (identity.key,)
            ).fetchone()
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                (
                    (id_, key, vector + zlib.crc32(key + vector).to_bytes(_CRC, "little"))
                    for key, vector in rows.items()
                ),
            )

    def _database(self) -> sqlite3.Connection:
        if self._db is None:
            make_folder(self._path.parent)
            db = open_file(self._path, _BUSY_MS / 1000, "SELECT count(*) FROM sqlite_master")
            if _is_made(db):
                self._db = db
                return db
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(
                    "CREATE TABLE IF NOT EXISTS embedders"
                    " (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
                    "CREATE TABLE IF NOT EXISTS vectors"
                    " (embedder INTEGER, key BLOB, data BLOB NOT NULL,"
                    " PRIMARY KEY (embedder, key)) WITHOUT ROWID;"
                )
            except sqlite3.DatabaseError:
                db.close()
                raise
            self._db = db
        return self._db

    def _start_over(self, error: sqlite3.DatabaseError) -> None:
        """Throw the file away; whoever else has it open keeps what he has."""
        if self._db is not None:
            self._db.close()
            self._db = None
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._repairs.append(
            f"the vector cache {self._path} was damaged ({error}) and is empty now"
        )


def _is_made(db: sqlite3.Connection) -> bool:
    """Whether the tables are there, so that nothing need be written to open the file."""
    db.execute("PRAGMA synchronous = OFF")  # losing the newest rows is harmless
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {"embedders", "vectors"} <= {name for (name,) in names}
