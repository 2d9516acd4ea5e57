"""One whole generation of one repository, or of many at once, for reading from any thread."""

from __future__ import annotations

import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fiuto.filters import admitting
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
from fiuto.store.milvus.files import file_rows
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.rows import (
    CHUNK_FIELDS,
    encoded,
    place_id,
    skips_of,
    stored_of,
)
from fiuto.store.milvus.schema import FIELDS, Build
from fiuto.store.milvus.selecting import Selecting
from fiuto.store.milvus.state import State, listed, quoted, read_blob
from fiuto.store.rows import printable
from fiuto.store.several import repository_of, summed

__all__ = ["MilvusReader"]

_MOST = 16_384
"""Rows that Milvus ranks at most."""
_MORE = 64
"""Rows asked for beyond the limit where some may turn out not to count."""
_MOST_TERMS = 128
"""Distinct terms of a question, as in the local store; here the longest, as the server tells
no counts, and longer words are rarer."""
_REMEMBERED = 64
_IDS = 1000
"""Ids a request."""


class MilvusReader:
    """
    Implements :class:`fiuto.protocols.Reader`.

    Args:
        states: the repositories, each at a generation.
        manifest: theirs, or one that stands for all of them.
        joint: whether a path begins with its repository's name.
    """

    def __init__(
        self, link: Link, build: Build, states: Sequence[State], manifest: Manifest, *, joint: bool
    ) -> None:
        self._link = link
        self._build = build
        self._states = {state.repository: state for state in states}
        self._manifest = manifest
        self._joint = joint
        self._selecting = Selecting(link, build, states)
        self._files: dict[str, FileRecord] | None = None
        self._ranked: dict[object, list[Scored]] = {}
        self._lock = threading.Lock()

    @property
    def manifest(self) -> Manifest:
        return self._manifest

    def files(self) -> Mapping[str, FileRecord]:
        if self._files is None:
            files = {}
            for state in self._states.values():
                prefix = self._prefix(state.repository)
                for path, row in file_rows(self._link, self._build, state).items():
                    files[prefix + path] = replace(row.record, path=prefix + path)
            self._files = files
        return self._files

    def skipped(self) -> Sequence[Skipped]:
        out = []
        for state in self._states.values():
            text = read_blob(self._link, self._build, "skipped", state.repository, state.skipped)
            prefix = self._prefix(state.repository)
            out += [replace(skip, path=prefix + skip.path) for skip in skips_of(text)]
        return out

    def counts(self) -> Counts:
        return summed([state.counts for state in self._states.values()])

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> Sequence[Scored]:
        text = _question(query.terms)
        weights = {name: getattr(query, name) for name in FIELDS if getattr(query, name)}
        if not text or limit < 1 or not weights:
            return []
        found = {name: self._by_field(name, text, query.unit, where, limit) for name in weights}
        ids = list(dict.fromkeys(s.id for scores in found.values() for s in scores))
        totals = dict.fromkeys(ids, 0.0)
        for name, weight in weights.items():
            scores = {s.id: s.score for s in found[name]}
            missing = [id_ for id_ in ids if id_ not in scores] if len(weights) > 1 else []
            scores |= self._scores_of(missing, name, text, query.unit)
            for id_, score in scores.items():
                totals[id_] += weight * score
        best = sorted((Scored(i, s) for i, s in totals.items()), key=lambda s: (-s.score, s.id))
        return best[:limit]

    def match_vector(self, vector: bytes, where: Where, limit: int) -> Sequence[Scored]:
        if self._manifest.embedder is None or limit < 1:
            return []
        question = list(array("f", vector))

        def ask(clause: str, most: int) -> list[Any]:
            return self._searched(
                self._build.chunks, "vector", question, f"{clause} and embedded == true", most
            )

        return self._best(ask, where, limit, _chunk_of)

    def chunks(self, ids: Sequence[int]) -> Mapping[int, StoredChunk]:
        found = {}
        for i in range(0, len(ids), _IDS):
            rows = self._link.call(
                "query", self._build.chunks, filter=f"id in {listed(ids[i : i + _IDS])}",
                output_fields=list(CHUNK_FIELDS), limit=_IDS,
            )  # fmt: skip
            found.update({stored.id: stored for stored in self._stored(rows)})
        return {id_: found[id_] for id_ in ids if id_ in found}

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        out: list[StoredChunk] = []
        for repository in self._states:
            prefix = self._prefix(repository)
            if path.startswith(prefix):
                place = place_id(repository, printable(path.removeprefix(prefix)))
                clause = f"repo == {quoted(repository)} and place == {place}"
                rows = self._link.rows(self._build.chunks, clause, CHUNK_FIELDS)
                out += self._stored(rows)
        return sorted(out, key=lambda stored: (stored.chunk.start, stored.chunk.end, stored.id))

    def repository_of(self, path: str) -> str:
        """The repository that a path of this reader begins with."""
        return repository_of(path, self._states)

    def revision_of(self, repository: str) -> str:
        """The revision that a repository was indexed at, empty where none was told."""
        return self._states[repository].revision

    def _prefix(self, repository: str) -> str:
        return f"{repository}/" if self._joint else ""

    def _stored(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[StoredChunk]:
        rows = [r for r in rows if r["repo"] in self._states
                and self._states[r["repo"]].shows(r["file"], r["born"])]  # fmt: skip
        long = {row["file"] for row in rows if row["pieces"]}
        rests: dict[str, str] = {}
        if long:
            clause = f'kind == "text" and file in {listed(sorted(long))}'
            rests = {
                row["key"]: row["data"]
                for row in self._link.rows(self._build.meta, clause, ["key", "data"])
            }
        for row in rows:
            rest = "".join(rests.get(f"text/{row['id']}/{i:04}", "") for i in range(row["pieces"]))
            yield stored_of(row, rest, self._prefix(row["repo"]))

    def _by_field(self, field: str, text: str, unit: str, where: Where, limit: int) -> list[Scored]:
        """The best by one field; one question asks for the same list more than once."""
        key = (field, text, unit, where, limit)
        with self._lock:
            if key in self._ranked:
                return self._ranked[key]
        collection, id_of = self._unit(unit)

        def ask(clause: str, most: int) -> list[Any]:
            return self._searched(collection, FIELDS[field], text, clause, most)

        found = self._best(ask, where, limit, id_of)
        with self._lock:
            while len(self._ranked) >= _REMEMBERED:
                del self._ranked[next(iter(self._ranked))]
            self._ranked[key] = found
        return found

    def _scores_of(self, ids: Sequence[int], field: str, text: str, unit: str) -> dict[int, float]:
        """What one field gives those of ``ids`` that hold any of the terms."""
        collection, id_of = self._unit(unit)
        name = "id" if unit == "chunk" else "first"
        out = {}
        for i in range(0, len(ids), _IDS):
            some = ids[i : i + _IDS]
            clause = f"{self._selecting.repositories} and {name} in {listed(some)}"
            for row in self._searched(collection, FIELDS[field], text, clause, len(some)):
                out[id_of(row)] = row["score"]
        return out

    def _unit(self, unit: str) -> tuple[str, Callable[[Mapping[str, Any]], int]]:
        return (
            (self._build.chunks, _chunk_of) if unit == "chunk" else (self._build.files, _first_of)
        )

    def _best(
        self,
        ask: Callable[[str, int], list[Any]],
        where: Where,
        limit: int,
        id_of: Callable[[Mapping[str, Any]], int],
    ) -> list[Scored]:
        admits = admitting(where)
        best: list[Scored] = []
        for clause in self._selecting.clauses(where):
            most = min(limit + _MORE, _MOST)
            while True:
                rows = ask(clause, most)
                kept = [
                    Scored(id_of(row), row["score"])
                    for row in rows
                    if self._selecting.shows(row)
                    and admits(row["path"], row["language"], row["label"])
                    and id_of(row)
                ]
                if len(kept) >= limit or len(rows) < most or most == _MOST:
                    break
                most = min(8 * most, _MOST)
            best += kept
        return sorted(best, key=lambda s: (-s.score, s.id))[:limit]

    def _searched(
        self, collection: str, field: str, data: object, clause: str, most: int
    ) -> list[dict[str, Any]]:
        fields = ["repo", "born", "path", "language", "label"]
        fields.append("file" if collection == self._build.chunks else "first")
        if most < 1:
            return []
        metric = "IP" if field == "vector" else "BM25"
        (hits,) = self._link.call(
            "search", collection, data=[data], anns_field=field, filter=clause, limit=most,
            output_fields=fields, search_params={"metric_type": metric},
        )  # fmt: skip
        # The sign of BM25 differs among servers; a score of BM25 is never below zero.
        sign = abs if metric == "BM25" else float
        return [hit["entity"] | {"id": hit["id"], "score": sign(hit["distance"])} for hit in hits]


def _chunk_of(row: Mapping[str, Any]) -> int:
    return int(row["id"])


def _first_of(row: Mapping[str, Any]) -> int:
    """The first chunk of a file's row, 0 where it has none."""
    return int(row["first"])


def _question(words: Sequence[str]) -> str:
    counts = Counter(words)
    chosen = sorted(counts, key=lambda word: -len(word))[:_MOST_TERMS]
    kept = set(chosen)
    return encoded(word for word in words if word in kept)
