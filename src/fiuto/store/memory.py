"""
A store in memory: the always-there second implementation.

It computes BM25 and cosine the plain way, in exact arithmetic and without any
library, so that the contract suite can hold the one on disk against it.
"""

from __future__ import annotations

import math
import threading
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import mul

from fiuto.errors import IndexBusy, IndexMissing
from fiuto.model import (
    Batch,
    Counts,
    FileRecord,
    IndexedChunk,
    Manifest,
    Scored,
    Skipped,
    StoredChunk,
    TermQuery,
    Where,
)
from fiuto.store.where import Selection, select
from fiuto.terms import terms

__all__ = ["MemoryStore", "open_memory"]

K1, B = 1.2, 0.75
"""BM25 constants of tantivy (and Lucene)."""


@dataclass(frozen=True, slots=True)
class _Entry:
    id: int
    file: int
    path: str
    indexed: IndexedChunk


@dataclass(frozen=True, slots=True)
class _State:
    """One generation; never changed once a reader may hold it."""

    manifest: Manifest
    files: Mapping[str, FileRecord] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)
    entries: tuple[_Entry, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class MemoryReader:
    """Implements :class:`fiuto.protocols.Reader` over one frozen state."""

    def __init__(self, state: _State) -> None:
        self._state = state
        self._by_id = {entry.id: entry for entry in state.entries}

    @property
    def manifest(self) -> Manifest:
        return self._state.manifest

    def files(self) -> Mapping[str, FileRecord]:
        return self._state.files

    def skipped(self) -> Sequence[Skipped]:
        return self._state.skipped

    def counts(self) -> Counts:
        records = self._state.files.values()
        return Counts(
            files=len(records),
            chunks=len(self._state.entries),
            bytes=sum(record.stamp.size for record in records),
            skipped=dict(sorted(Counter(s.reason for s in self._state.skipped).items())),
            truncated=sum(record.truncated for record in records),
            unembedded=sum(not record.embedded for record in records),
        )

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> Sequence[Scored]:
        selection = self._select(where)
        documents = self._documents() if query.unit == "chunk" else self._whole_files()
        asked = Counter(query.terms)
        scores: dict[int, float] = {}
        for name in ("body", "symbol", "path"):
            if weight := getattr(query, name):
                column = {id_: parts[name] for id_, (_, parts) in documents.items()}
                for id_, score in bm25(column, asked).items():
                    scores[id_] = scores.get(id_, 0.0) + weight * score
        found = [Scored(i, s) for i, s in scores.items() if documents[i][0] in selection]
        return sorted(found, key=lambda s: (-s.score, s.id))[:limit]

    def match_vector(self, vector: bytes, where: Where, limit: int) -> Sequence[Scored]:
        selection = self._select(where)
        query = array("f", vector)
        found = [
            Scored(entry.id, sum(map(mul, query, array("f", entry.indexed.vector))))
            for entry in self._state.entries
            if entry.indexed.vector is not None and entry.file in selection
        ]
        return sorted(found, key=lambda s: (-s.score, s.id))[:limit]

    def chunks(self, ids: Sequence[int]) -> Mapping[int, StoredChunk]:
        return {id_: self._stored(self._by_id[id_]) for id_ in ids if id_ in self._by_id}

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        found = [self._stored(entry) for entry in self._state.entries if entry.path == path]
        return sorted(found, key=lambda stored: (stored.chunk.start, stored.chunk.end, stored.id))

    def _stored(self, entry: _Entry) -> StoredChunk:
        record = self._state.files[entry.path]
        return StoredChunk(
            entry.id,
            entry.path,
            entry.indexed.chunk,
            record.language,
            record.label,
            record.digest,
            record.stamp.size,
        )

    def _select(self, where: Where) -> Selection:
        rows = (
            (self._state.ids[path], path, record.language, record.label)
            for path, record in self._state.files.items()
        )
        return select(where, rows)

    def _documents(self) -> dict[int, tuple[int, dict[str, list[str]]]]:
        """Chunk id -> (file id, terms by field)."""
        return {
            entry.id: (
                entry.file,
                {
                    "body": terms(entry.indexed.chunk.text),
                    "symbol": terms(entry.indexed.chunk.symbol),
                    "path": terms(entry.path),
                },
            )
            for entry in self._state.entries
        }

    def _whole_files(self) -> dict[int, tuple[int, dict[str, list[str]]]]:
        """First chunk's id -> (file id, terms of the whole file, each line once)."""
        out: dict[int, tuple[int, dict[str, list[str]]]] = {}
        for path, file in self._state.ids.items():
            chunks = self.chunks_of(path)
            body: list[str] = []
            last = 0
            for stored in chunks:
                lines = stored.chunk.text.split("\n")
                overlap = last - stored.chunk.start + 1
                inside = 0 < overlap < len(lines)
                body += terms("\n".join(lines[overlap:] if inside else lines))
                last = max(last, stored.chunk.end)
            symbols = [term for stored in chunks for term in terms(stored.chunk.symbol)]
            if chunks:
                parts = {"body": body, "symbol": symbols, "path": terms(path)}
                out[chunks[0].id] = (file, parts)
        return out


def bm25(documents: Mapping[int, Sequence[str]], asked: Mapping[str, int]) -> dict[int, float]:
    """
    BM25 of each document that holds an asked term.

    Lucene's form, as tantivy has it (Robertson and Zaragoza, "The Probabilistic
    Relevance Framework", 2009): idf = ln(1 + (N - n + 0.5) / (n + 0.5)).
    """
    counts = {id_: Counter(words) for id_, words in documents.items()}
    mean = sum(len(words) for words in documents.values()) / max(len(documents), 1)
    scores: dict[int, float] = {}
    for term, times in asked.items():
        holders = [id_ for id_, bag in counts.items() if term in bag]
        idf = math.log(1 + (len(documents) - len(holders) + 0.5) / (len(holders) + 0.5))
        for id_ in holders:
            frequency = counts[id_][term]
            norm = K1 * (1 - B + B * len(documents[id_]) / mean)
            weight = times * idf * frequency * (K1 + 1) / (frequency + norm)
            scores[id_] = scores.get(id_, 0.0) + weight
    return scores


class MemoryStore:
    """Implements :class:`fiuto.protocols.Store` and, for itself, the writer."""

    def __init__(self) -> None:
        self._state: _State | None = None
        self._lock = threading.Lock()
        self._next = 1

    def read(self) -> MemoryReader:
        if self._state is None:
            raise IndexMissing("nothing was written to this store in memory yet")
        return MemoryReader(self._state)

    @contextmanager
    def write(self, wait: float) -> Iterator[MemoryStore]:
        if not self._lock.acquire(timeout=max(wait, 0)):
            raise IndexBusy("another thread is writing this store in memory")
        try:
            yield self
        finally:
            self._lock.release()

    def repairs(self) -> Sequence[str]:
        return ()

    def size(self) -> int:
        return 0

    def remove(self) -> None:
        self._state = None

    def close(self) -> None:
        """Nothing to let go."""

    def reset(self, manifest: Manifest) -> None:
        self._state = _State(replace(manifest, generation=0, complete=False))

    def apply(self, batch: Batch) -> int:
        if self._state is None:
            raise IndexMissing("nothing was written to this store in memory yet")
        state = self._state
        files, ids = dict(state.files), dict(state.ids)
        gone = {*batch.dropped, *(file.record.path for file in batch.files)}
        entries = [entry for entry in state.entries if entry.path not in gone]
        old = {path: [e for e in state.entries if e.path == path] for path in gone & files.keys()}
        for path in batch.dropped:
            files.pop(path, None)
            ids.pop(path, None)
        for record in batch.touched:
            before = files[record.path]
            files[record.path] = replace(before, stamp=record.stamp, checked_ns=record.checked_ns)
        for file in batch.files:
            path = file.record.path
            files[path] = file.record
            ids.setdefault(path, self._number())
            kept = {e.indexed.chunk: e for e in old.get(path, ())}
            for indexed in file.chunks:
                before_entry = kept.pop(indexed.chunk, None)
                id_ = before_entry.id if before_entry else self._number()
                keep = before_entry is not None and indexed.vector is None
                entry = before_entry.indexed if before_entry and keep else indexed
                entries.append(_Entry(id_, ids[path], path, entry))
        skipped = state.skipped if batch.skipped is None else batch.skipped
        scan = state.manifest.scan if batch.scan is None else batch.scan
        after = replace(state.manifest, complete=batch.complete, scan=scan)
        changed = bool(batch.files or batch.dropped) or (
            (after, skipped) != (state.manifest, state.skipped)
        )
        generation = state.manifest.generation + changed
        manifest = replace(after, generation=generation)
        self._state = _State(manifest, files, ids, tuple(entries), skipped)
        return generation

    def _number(self) -> int:
        self._next += 1
        return self._next


def open_memory() -> MemoryStore:
    """An empty store."""
    return MemoryStore()
