"""
The truth of an index: one SQLite file in WAL mode.

Postings and vectors are derived from what stands here.  All changes of a batch
are one transaction, so a reader sees the generation before or the one after.
Chunk and file ids are never used twice: a stale id in a derived file can only
miss, never point at something else.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from fiuto.errors import IndexCorrupt, IndexMissing
from fiuto.model import EmbedderIdentity, Manifest
from fiuto.store.format import FORMAT, check_format

__all__ = [
    "SCHEMA",
    "checkpoint",
    "connect",
    "damage",
    "open_file",
    "read_manifest",
    "refusal",
    "tells_damage",
    "transaction",
    "translated",
    "write_manifest",
]

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL, digest TEXT NOT NULL, language TEXT NOT NULL, label TEXT NOT NULL,
    checked_ns INTEGER NOT NULL, embedded INTEGER NOT NULL, truncated INTEGER NOT NULL,
    generation INTEGER NOT NULL
);
CREATE INDEX files_generation ON files (generation);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL,
    symbol TEXT NOT NULL, kind TEXT NOT NULL, hash BLOB NOT NULL
);
CREATE INDEX chunks_file ON chunks (file, start);
CREATE TABLE removed (generation INTEGER NOT NULL, file INTEGER NOT NULL);
CREATE TABLE skipped (
    path TEXT PRIMARY KEY, reason TEXT NOT NULL, detail TEXT NOT NULL,
    size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER
) WITHOUT ROWID;
CREATE TABLE segments (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, crc INTEGER NOT NULL)
    WITHOUT ROWID;
"""
"""``chunks.hash`` covers text, symbol and kind; ``removed`` remembers dropped files until
the postings have followed."""

_DAMAGE = ("malformed", "corrupt", "disk I/O", "no such table", "no such column")
"""What SQLite says of a bad file under a class that it also uses for locks and full disks."""

_REFUSALS = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_IOERR_SHMSIZE": errno.ENOSPC,
    "SQLITE_IOERR_WRITE": errno.ENOSPC,
    "SQLITE_READONLY": errno.EACCES,
    "SQLITE_CANTOPEN": errno.EACCES,
    "SQLITE_IOERR_SHMOPEN": errno.EACCES,
    "SQLITE_IOERR_LOCK": errno.ENOLCK,
}
"""How its names begin for what the system refuses, and the number under which that is known.
Those of I/O come under "disk I/O error" too, where nothing is wrong with the file."""

_BUSY_MS = 30_000
"""Only checkpoints and recovery after a crash make a reader wait; both are short."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a damaged file into ours, and those of the system into its own."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        number = refusal(error)
        if number:
            raise OSError(number, os.strerror(number), str(path)) from error
        if not tells_damage(error):
            raise
        raise IndexCorrupt(f"the index file {path} is damaged ({error})") from error


def refusal(error: sqlite3.DatabaseError) -> int:
    """The system's number for a disk or a folder that takes nothing, or 0."""
    name = getattr(error, "sqlite_errorname", "")
    return next((number for begin, number in _REFUSALS.items() if name.startswith(begin)), 0)


def tells_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is bad, rather than busy or out of reach."""
    about_us = isinstance(error, sqlite3.OperationalError)
    return not refusal(error) and (not about_us or any(word in str(error) for word in _DAMAGE))


def open_file(path: Path, seconds: float, asked: str) -> sqlite3.Connection:
    """
    A connection in autocommit mode that has answered ``asked`` once.

    A log beside a database must be opened for writing even by readers.  Where the system
    refuses that and the log is empty, nobody can be writing either, and the file is read as
    one that does not change.
    """
    address = path.absolute().as_uri()
    try:
        return _opened(address, seconds, asked)
    except sqlite3.DatabaseError as error:
        log = path.with_name(f"{path.name}-wal")
        if not refusal(error) or not path.exists() or (log.exists() and log.stat().st_size):
            raise
        return _opened(f"{address}?immutable=1", seconds, asked)


def _opened(address: str, seconds: float, asked: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        address, timeout=seconds, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        db.execute(asked)
    except BaseException:
        db.close()
        raise
    return db


def connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    """
    Open the database; in autocommit mode, usable from several threads under a lock.

    Raises:
        IndexMissing: there is none and ``create`` is false.
        IndexCorrupt: damaged.
        IndexMismatch: a newer format.
    """
    if not create and not path.exists():
        raise IndexMissing(f"no index at {path.parent}")
    with translated(path):
        if create and not path.exists():
            _start(path)
        db = open_file(path, _BUSY_MS / 1000, "SELECT count(*) FROM sqlite_master")
        try:
            if create:
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            check_format(db.execute("PRAGMA user_version").fetchone()[0], str(path.parent))
        except BaseException:
            db.close()
            raise
    return db


def _start(path: Path) -> None:
    """An empty database, which appears in one step: a kill leaves none or a whole one."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
    draft.rename(path)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def checkpoint(db: sqlite3.Connection) -> None:
    """Move the write-ahead log into the file, as far as readers let it, without waiting."""
    db.execute("PRAGMA busy_timeout = 0")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")


def damage(db: sqlite3.Connection) -> str:
    """What ``PRAGMA quick_check`` finds wrong with the file, or an empty string."""
    try:
        rows = db.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if rows == [("ok",)] else str(rows[0][0])


def read_manifest(db: sqlite3.Connection) -> Manifest:
    """
    The manifest as the current transaction sees it.

    Raises:
        IndexMissing: the database was made but never written to.
        IndexCorrupt: the entry cannot be understood.
    """
    row = db.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
    if row is None:
        raise IndexMissing("the index was started but never written")
    try:
        fields = json.loads(row[0])
        embedder = fields.pop("embedder")
        identity = EmbedderIdentity(**embedder) if embedder else None
        return Manifest(embedder=identity, **fields)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise IndexCorrupt(f"the manifest of the index cannot be read ({error})") from error


def write_manifest(db: sqlite3.Connection, manifest: Manifest) -> None:
    """Store ``manifest`` in the current transaction."""
    db.execute(
        "INSERT OR REPLACE INTO meta VALUES ('manifest', ?)", (json.dumps(asdict(manifest)),)
    )
