"""Ties retrieval, fusion and ranking together for one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fiuto.errors import UsageError
from fiuto.model import Hit, Query, SourceFile, StoredChunk
from fiuto.protocols import Embedder, Reader
from fiuto.search.fuse import ranks_of, shares
from fiuto.search.profile import Profile
from fiuto.search.retrieve import retrieve
from fiuto.search.verify import verify

__all__ = ["Found", "search"]


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, and what could not be asked."""

    hits: tuple[Hit, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ranked:
    stored: StoredChunk
    ranks: dict[str, int]
    parts: dict[str, float]
    score: float


def search(
    query: Query,
    reader: Reader,
    embedder: Embedder | None,
    profile: Profile,
    read: Callable[[str], SourceFile | None] | None,
) -> Found:
    """
    Answer ``query``.

    Args:
        query: what is asked.
        reader: one generation of an index.
        embedder: of the model that built the index, or None.
        profile: constants of the pipeline.
        read: the current content of a path, None where it is gone; without it hits are
            given as they were indexed, not verified.

    Raises:
        UsageError: the question is empty, or ``k`` is not positive.
    """
    if not query.text.strip():
        raise UsageError(
            "the question is empty; ask for something, as in: fiuto 'where are users blocked'"
        )
    if query.k < 1:
        raise UsageError(f"k is {query.k}; it must be at least 1")
    lists = retrieve(query, reader, embedder, profile)
    ranks = ranks_of(lists.ids)
    chunks = reader.chunks(list(ranks))
    ranked = []
    for id_, stored in chunks.items():
        parts = shares(ranks[id_])
        ranked.append(_Ranked(stored, ranks[id_], parts, sum(parts.values())))
    ranked.sort(key=lambda r: (-r.score, r.stored.path, r.stored.chunk.start, r.stored.id))
    seen: dict[str, SourceFile | None] = {}
    hits = []
    for entry in ranked[: query.k]:
        path = entry.stored.path
        if read is not None and path not in seen:
            seen[path] = read(path)
        hits.append(_hit(entry, seen.get(path)))
    return Found(tuple(hits), lists.warnings)


def _hit(entry: _Ranked, now: SourceFile | None) -> Hit:
    stored = entry.stored
    chunk, verified = verify(stored, now)
    return Hit(
        path=stored.path,
        start=chunk.start,
        end=chunk.end,
        symbol=chunk.symbol,
        language=stored.language,
        label=stored.label,
        kind=chunk.kind,
        score=entry.score,
        parts=entry.parts,
        ranks=entry.ranks,
        text=chunk.text,
        verified=verified,
    )
