"""Rows of the database as values, and values as rows: the one place that knows the columns."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from fiuto.errors import IndexCorrupt
from fiuto.model import Chunk, FileRecord, Label, Skipped, Stamp, StoredChunk

__all__ = [
    "alive",
    "chunk_hash",
    "count",
    "file_values",
    "first_chunks",
    "in_batches",
    "printable",
    "read_chunks",
    "read_chunks_of",
    "read_files",
    "read_skipped",
    "skipped_values",
]

_IN_CLAUSE = 500
"""Ids per statement: under SQLite's oldest limit of 999 variables."""

_T = TypeVar("_T")


def in_batches(ids: Sequence[_T]) -> Iterator[tuple[str, Sequence[_T]]]:
    """Runs of ``ids`` that one statement can take, each after its question marks."""
    for i in range(0, len(ids), _IN_CLAUSE):
        some = ids[i : i + _IN_CLAUSE]
        yield ",".join("?" * len(some)), some


def chunk_hash(chunk: Chunk) -> bytes:
    """16 bytes that are equal exactly when text, symbol and kind are."""
    joined = f"{chunk.symbol}\x1f{chunk.kind}\x1f{chunk.text}"
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def printable(path: str) -> str:
    r"""A path that SQLite can hold: bytes that are no UTF-8 become ``\xNN``."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _signed(inode: int) -> int:
    return inode - (1 << 64) if inode >= 1 << 63 else inode


def _unsigned(inode: int) -> int:
    return inode % (1 << 64)


def file_values(record: FileRecord, generation: int) -> tuple[object, ...]:
    """The columns of ``files`` after ``id``."""
    stamp = record.stamp
    return (
        record.path, stamp.size, stamp.mtime_ns, stamp.ctime_ns, _signed(stamp.inode),
        record.digest, record.language, record.label, record.checked_ns,
        record.embedded, record.truncated, generation,
    )  # fmt: skip


def skipped_values(skipped: Skipped) -> tuple[object, ...]:
    """The columns of ``skipped``."""
    stamp = skipped.stamp
    four = (
        (None,) * 4
        if stamp is None
        else (stamp.size, stamp.mtime_ns, stamp.ctime_ns, _signed(stamp.inode))
    )
    return (printable(skipped.path), skipped.reason, printable(skipped.detail), *four)


def read_files(db: sqlite3.Connection) -> dict[str, FileRecord]:
    """Every file by path."""
    rows = db.execute(
        "SELECT path, size, mtime_ns, ctime_ns, inode, digest, language, label,"
        " checked_ns, embedded, truncated FROM files"
    )
    return {row[0]: _record(row) for row in rows}


def _record(row: tuple[Any, ...]) -> FileRecord:
    stamp = Stamp(row[1], row[2], row[3], _unsigned(row[4]))
    digest, language, label, checked_ns, embedded, truncated = row[5:]
    return FileRecord(row[0], stamp, digest, language, label, checked_ns, bool(embedded), truncated)


def read_skipped(db: sqlite3.Connection) -> list[Skipped]:
    """Every skipped path, in order."""
    out = []
    for path, reason, detail, size, mtime_ns, ctime_ns, inode in db.execute(
        "SELECT * FROM skipped ORDER BY path"
    ):
        stamp = None if size is None else Stamp(size, mtime_ns, ctime_ns, _unsigned(inode))
        out.append(Skipped(path, reason, detail, stamp))
    return out


_CHUNK = (
    "SELECT c.id, f.path, c.start, c.end, c.text, c.symbol, c.kind, f.language, f.label,"
    " f.digest, f.size, c.hash FROM chunks c JOIN files f ON f.id = c.file"
)


def _stored(
    row: tuple[int, str, int, int, str, str, str, str, Label, str, int, bytes],
) -> StoredChunk:
    chunk = Chunk(*row[2:7])
    if chunk_hash(chunk) != row[11]:
        raise IndexCorrupt(f"the index holds a damaged chunk of {row[1]}")
    return StoredChunk(row[0], row[1], chunk, row[7], row[8], row[9], row[10])


def read_chunks(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[StoredChunk]:
    """
    Those of ``ids`` that exist, in no particular order.

    Raises:
        IndexCorrupt: a row does not match its own checksum.
    """
    for marks, some in in_batches(ids):
        for row in db.execute(f"{_CHUNK} WHERE c.id IN ({marks})", some):
            yield _stored(row)


def read_chunks_of(db: sqlite3.Connection, path: str) -> list[StoredChunk]:
    """The chunks of one file, in order; the same checks."""
    rows = db.execute(f"{_CHUNK} WHERE f.path = ? ORDER BY c.start, c.end, c.id", (path,))
    return [_stored(row) for row in rows]


def count(db: sqlite3.Connection, what: str) -> int:
    """Rows of a table, or of ``table WHERE …``."""
    return int(db.execute(f"SELECT count(*) FROM {what}").fetchone()[0])


def alive(db: sqlite3.Connection, ids: Sequence[int]) -> set[int]:
    """Those of ``ids`` that are still chunks."""
    out: set[int] = set()
    for marks, some in in_batches(ids):
        out.update(
            id_ for (id_,) in db.execute(f"SELECT id FROM chunks WHERE id IN ({marks})", some)
        )
    return out


def first_chunks(db: sqlite3.Connection, files: Sequence[int]) -> dict[int, int]:
    """File id -> id of its first chunk, for those that have any."""
    out: dict[int, int] = {}
    for marks, some in in_batches(files):
        rows = db.execute(
            f"SELECT file, id, min(start) FROM chunks WHERE file IN ({marks}) GROUP BY file", some
        )
        out.update((file, id_) for file, id_, _ in rows)
    return out
