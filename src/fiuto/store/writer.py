"""The one writer of a local index: commits batches, and keeps the derived files in step."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from fiuto.model import Batch, IndexedFile, Manifest
from fiuto.store import rows
from fiuto.store.database import (
    checkpoint,
    connect,
    read_manifest,
    transaction,
    translated,
    write_manifest,
)
from fiuto.store.follow import follow, postings_generation
from fiuto.store.layout import Layout, Place
from fiuto.store.seal import Seal, read_seal, seal_files, stamp_of, write_seal
from fiuto.store.segments import Row, merge_segments, open_segment, write_segment

__all__ = ["LocalWriter", "reseal"]

_SPARE = 256 * 1024
"""Bytes that the smallest commit takes for a while: pages, logs, markers and the seal."""

_MOST_SEGMENTS = 8
"""Segments before the small ones are merged: each costs a scan call and an open file."""


class LocalWriter:
    """
    Implements :class:`fiuto.protocols.Writer`; made by the store, under its lock.

    ``let_go`` drops the store's own reader.  While one holds an older generation, the
    database cannot be written up to its end, and would change after it is sealed: whoever
    comes next would have to check all of it.
    """

    def __init__(self, place: Place, let_go: Callable[[], None] = lambda: None) -> None:
        self._place = place
        self._let_go = let_go
        self._layout = place.current()
        self._growing = False
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let the database go."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def reset(self, manifest: Manifest) -> None:
        self.close()
        present = self._place.current()
        self._layout = self._place.start()
        self._growing = self._layout != present
        self._db = connect(self._layout.database, create=True)
        with transaction(self._db):
            write_manifest(self._db, replace(manifest, generation=0, complete=False))
        self._settle(-1, 0, {})

    def apply(self, batch: Batch) -> int:
        _make_sure_of_room(self._layout, batch)
        with translated(self._layout.database):
            db = self._database()
            with transaction(db):
                manifest = read_manifest(db)
                generation = manifest.generation + 1
                terms: dict[int, str] = {}
                changed = self._write(db, batch, manifest, generation, terms)
                scan = manifest.scan if batch.scan is None else batch.scan
                after = replace(manifest, complete=batch.complete, scan=scan)
                changed |= after != manifest
                if changed:
                    write_manifest(db, replace(after, generation=generation))
            if changed:
                self._settle(manifest.generation, generation, terms)
            elif batch.touched and read_seal(self._layout.seal).generation == manifest.generation:
                self._let_go()
                reseal(self._layout, db, manifest.generation)
            if self._growing and batch.complete:
                self.close()
                self._layout = self._place.finish(self._layout)
                self._growing = False
        return generation if changed else manifest.generation

    def _database(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = connect(self._layout.database)
        return self._db

    def _write(
        self,
        db: sqlite3.Connection,
        batch: Batch,
        manifest: Manifest,
        generation: int,
        terms: dict[int, str],
    ) -> bool:
        """The rows of ``batch``; whether a reader could notice.  Known terms go to ``terms``."""
        for record in batch.touched:
            values = rows.file_values(record, generation)
            db.execute(
                "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, checked_ns = ?"
                " WHERE path = ?",
                (*values[1:5], record.checked_ns, record.path),
            )
        for path in batch.dropped:
            _drop(db, path, generation)
        vectors = [row for file in batch.files for row in _put(db, file, generation, terms)]
        if vectors and manifest.embedder is not None:
            self._add_segment(db, vectors, manifest.embedder.dimension, generation)
        skips = _replace_skipped(db, batch) if batch.skipped is not None else False
        return bool(batch.files or batch.dropped or skips)

    def _add_segment(
        self, db: sqlite3.Connection, vectors: list[Row], dimension: int, generation: int
    ) -> None:
        name = f"{generation:08d}.vec"
        crc = write_segment(self._layout.vectors / name, vectors, dimension)
        db.execute("INSERT OR REPLACE INTO segments VALUES (?, ?, ?)", (name, len(vectors), crc))
        known = db.execute("SELECT name, rows FROM segments ORDER BY rows DESC, name").fetchall()
        wasted = sum(count for _, count in known) - rows.count(db, "chunks")
        if wasted > max(1000, rows.count(db, "chunks")):
            self._merge(db, known, generation)
        elif len(known) > _MOST_SEGMENTS:
            self._merge(db, _smallest(known), generation)

    def _merge(
        self, db: sqlite3.Connection, known: Iterable[tuple[str, int]], generation: int
    ) -> None:
        """Make one segment of several, dropping rows of deleted chunks."""
        segments = [open_segment(self._layout.vectors / n, count, None) for n, count in known]
        held = [id_ for segment in segments for id_ in segment.chunks]
        if len(held) > rows.count(db, "chunks") // 8:
            alive = {id_ for (id_,) in db.execute("SELECT id FROM chunks")}
        else:
            alive = rows.alive(db, held)
        name = f"{generation:08d}m.vec"
        total, crc = merge_segments(self._layout.vectors / name, segments, alive)
        db.executemany("DELETE FROM segments WHERE name = ?", [(s.name,) for s in segments])
        db.execute("INSERT INTO segments VALUES (?, ?, ?)", (name, total, crc))

    def _settle(self, since: int, generation: int, terms: Mapping[int, str]) -> None:
        """Bring postings and seal to ``generation`` and remove what no row names."""
        db = self._database()
        if since >= 0 and postings_generation(self._layout) != since:
            since = -1
        follow(self._layout, db, since, generation, terms)
        named = {name for (name,) in db.execute("SELECT name FROM segments")}
        for path in self._layout.vectors.iterdir():
            if path.name not in named:
                path.unlink(missing_ok=True)
        self._let_go()
        reseal(self._layout, db, generation)


def _smallest(known: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """
    The segments to make one of: from the smallest on, as long as the next is not much larger.

    So each row is written again about once for each doubling of the index.
    """
    ordered = sorted(known, key=lambda segment: segment[1])
    chosen, rows = ordered[:2], sum(count for _, count in ordered[:2])
    for name, count in ordered[2:]:
        if count > 2 * rows:
            break
        chosen.append((name, count))
        rows += count
    return chosen


def reseal(layout: Layout, db: sqlite3.Connection, generation: int) -> None:
    """Record what the files look like now; outside a transaction, under the lock."""
    checkpoint(db)
    known = read_seal(layout.seal).files
    files = seal_files(layout.folder, layout.posting_files(), known)
    segments = [f"vectors/{name}" for (name,) in db.execute("SELECT name FROM segments")]
    files |= seal_files(layout.folder, segments, known)
    write_seal(layout.seal, Seal(generation, stamp_of(layout.database), files))


def _make_sure_of_room(layout: Layout, batch: Batch) -> None:
    """
    Refuse what would end in the middle, with a database that its postings cannot follow.

    Raises:
        OSError: the disk is as good as full.
    """
    text = sum(len(entry.chunk.text) for file in batch.files for entry in file.chunks)
    vectors = sum(len(entry.vector or b"") for file in batch.files for entry in file.chunks)
    # The log, the file and the postings hold the text; two forms of each vector are kept.
    if shutil.disk_usage(layout.folder).free < _SPARE + 4 * text + vectors:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(layout.folder))


def _drop(db: sqlite3.Connection, path: str, generation: int) -> None:
    row = db.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if row is not None:
        db.execute("DELETE FROM chunks WHERE file = ?", row)
        db.execute("DELETE FROM files WHERE id = ?", row)
        db.execute("INSERT INTO removed VALUES (?, ?)", (generation, row[0]))


def _put(
    db: sqlite3.Connection, file: IndexedFile, generation: int, terms: dict[int, str]
) -> list[Row]:
    """
    Write one file; returns the vectors that no segment holds yet.

    A chunk whose text, symbol and kind stand already keeps its id, and with it
    its row in a segment.
    """
    values = rows.file_values(file.record, generation)
    row = db.execute("SELECT id, embedded FROM files WHERE path = ?", values[:1]).fetchone()
    if row is None:
        marks = ",".join("?" * len(values))
        cursor = db.execute(f"INSERT INTO files VALUES (NULL, {marks})", values)
        row = (cursor.lastrowid, True)
    else:
        db.execute(
            "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, digest = ?,"
            " language = ?, label = ?, checked_ns = ?, embedded = ?, truncated = ?,"
            " generation = ? WHERE path = ?",
            (*values[1:], values[0]),
        )
    return _put_chunks(db, file, int(row[0]), terms, had_vectors=bool(row[1]))


def _put_chunks(
    db: sqlite3.Connection,
    file: IndexedFile,
    id_: int,
    terms: dict[int, str],
    *,
    had_vectors: bool,
) -> list[Row]:
    known: dict[bytes, list[int]] = defaultdict(list)
    for chunk_id, hash_ in db.execute(
        "SELECT id, hash FROM chunks WHERE file = ? ORDER BY start DESC", (id_,)
    ):
        known[hash_].append(chunk_id)
    vectors: list[Row] = []
    for entry in file.chunks:
        chunk = entry.chunk
        hash_ = rows.chunk_hash(chunk)
        if kept := known.get(hash_):
            chunk_id = kept.pop()
            db.execute(
                "UPDATE chunks SET start = ?, end = ? WHERE id = ?",
                (chunk.start, chunk.end, chunk_id),
            )
            fresh = not had_vectors
        else:
            cursor = db.execute(
                "INSERT INTO chunks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                (id_, chunk.start, chunk.end, chunk.text, chunk.symbol, chunk.kind, hash_),
            )
            chunk_id = int(cursor.lastrowid or 0)
            fresh = True
        if entry.vector is not None and fresh:
            vectors.append(Row(chunk_id, id_, entry.vector))
        if entry.terms is not None:
            terms[chunk_id] = entry.terms
    gone = [(chunk_id,) for ids in known.values() for chunk_id in ids]
    db.executemany("DELETE FROM chunks WHERE id = ?", gone)
    return vectors


def _replace_skipped(db: sqlite3.Connection, batch: Batch) -> bool:
    """Store the list of skipped files; whether it says anything new."""
    assert batch.skipped is not None
    before = set(db.execute("SELECT path, reason, detail FROM skipped"))
    db.execute("DELETE FROM skipped")
    values = [rows.skipped_values(skipped) for skipped in batch.skipped]
    db.executemany("INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    return {value[:3] for value in values} != before
