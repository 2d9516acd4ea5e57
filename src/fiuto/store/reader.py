"""One whole generation of a local index, for reading from any thread."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Mapping, Sequence

from fiuto.model import (
    Counts,
    FileRecord,
    Manifest,
    Scored,
    Skipped,
    StoredChunk,
    TermQuery,
    Where,
)
from fiuto.store import rows
from fiuto.store.postings import Postings
from fiuto.store.segments import Segment, scan
from fiuto.store.where import EVERYTHING, Selection, select

__all__ = ["LocalReader"]


_REMEMBERED = 4096
"""Chunks kept in memory, some 10 MB: one generation never changes, and questions to one
index meet the same chunks again."""


class LocalReader:
    """
    Implements :class:`fiuto.protocols.Reader`.

    Holds a read transaction, which pins the generation; the connection is closed
    when the last user lets the reader go.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        manifest: Manifest,
        postings: Mapping[str, Postings],
        segments: Sequence[Segment],
    ) -> None:
        self._db = db
        self._manifest = manifest
        self._postings = postings
        self._segments = segments
        self._lock = threading.Lock()
        self._counts: Counts | None = None
        self._known: dict[int, StoredChunk] = {}
        self._firsts: dict[int, int | None] = {}

    def __del__(self) -> None:
        self._db.close()

    @property
    def manifest(self) -> Manifest:
        return self._manifest

    def files(self) -> Mapping[str, FileRecord]:
        with self._lock:
            return rows.read_files(self._db)

    def skipped(self) -> Sequence[Skipped]:
        with self._lock:
            return rows.read_skipped(self._db)

    def counts(self) -> Counts:
        if self._counts is None:
            self._counts = self._counted()
        return self._counts

    def _counted(self) -> Counts:
        with self._lock:
            files, size, truncated, embedded = self._db.execute(
                "SELECT count(*), total(size), total(truncated), total(embedded) FROM files"
            ).fetchone()
            reasons = Counter(dict(self._db.execute(
                "SELECT reason, count(*) FROM skipped GROUP BY reason ORDER BY reason"
            ).fetchall()))  # fmt: skip
            chunks = rows.count(self._db, "chunks")
        return Counts(
            files, chunks, int(size), dict(reasons), int(truncated), files - int(embedded)
        )

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> Sequence[Scored]:
        if not self._manifest.generation:  # nothing was added yet
            return []
        selection = self._select(where)
        found = self._postings[query.unit].match(query, selection, limit)
        return found if query.unit == "chunk" else self._carried(found)

    def match_vector(self, vector: bytes, where: Where, limit: int) -> Sequence[Scored]:
        selection = self._select(where)
        total = sum(segment.rows for segment in self._segments)
        if selection.nothing or limit < 1 or not total:
            return []
        ask = limit + 32
        while True:
            found = scan(self._segments, vector, selection, ask)
            with self._lock:
                alive = rows.alive(self._db, [scored.id for scored in found])
            kept = [scored for scored in found if scored.id in alive]
            # Rows of deleted chunks take places until the segments are merged.
            if len(kept) >= limit or ask >= total:
                return kept[:limit]
            ask *= 4

    def chunks(self, ids: Sequence[int]) -> Mapping[int, StoredChunk]:
        with self._lock:
            known = self._known
            fresh = [id_ for id_ in ids if id_ not in known]
            if fresh:
                if len(known) + len(fresh) > _REMEMBERED:
                    known = self._known = {}
                    fresh = list(ids)
                known.update((chunk.id, chunk) for chunk in rows.read_chunks(self._db, fresh))
            return {id_: known[id_] for id_ in ids if id_ in known}

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        with self._lock:
            return rows.read_chunks_of(self._db, path)

    def _select(self, where: Where) -> Selection:
        if where == Where():
            return EVERYTHING
        with self._lock:
            return select(where, self._db.execute("SELECT id, path, language, label FROM files"))

    def _carried(self, files: Sequence[Scored]) -> list[Scored]:
        """Each file's score, given to its first chunk."""
        with self._lock:
            firsts = self._firsts
            fresh = [scored.id for scored in files if scored.id not in firsts]
            if fresh:
                found = rows.first_chunks(self._db, fresh)
                firsts.update((id_, found.get(id_)) for id_ in fresh)
        carried = ((firsts[scored.id], scored.score) for scored in files)
        return [Scored(id_, score) for id_, score in carried if id_ is not None]
