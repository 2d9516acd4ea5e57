"""Ties retrieval, fusion and ranking together for one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fiuto.model import Content, Hit, Query, StoredChunk
from fiuto.protocols import Embedder, Reader
from fiuto.search.copies import Folded, fold
from fiuto.search.fuse import ranks_of, shares
from fiuto.search.profile import Profile
from fiuto.search.retrieve import retrieve
from fiuto.search.signals import SIGNALS
from fiuto.search.verify import verify

__all__ = ["Found", "Ranked", "hit_of", "search"]


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, and what could not be asked."""

    hits: tuple[Hit, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk with its score and where that comes from."""

    stored: StoredChunk
    ranks: dict[str, int]
    parts: dict[str, float]
    score: float


def search(
    query: Query,
    reader: Reader,
    embedder: Embedder | None,
    profile: Profile,
    read: Callable[[str], Content | None] | None,
    missing: str = "",
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
        missing: why there is no embedder, for the warning.
    """
    lists = retrieve(query, reader, embedder, profile, missing)
    ranks = ranks_of(lists.ids)
    chunks = reader.chunks(list(ranks))
    ranked = []
    for id_, stored in chunks.items():
        parts = shares(ranks[id_]) | _signals(query, stored, profile)
        ranked.append(Ranked(stored, ranks[id_], parts, sum(parts.values())))
    ranked.sort(key=lambda r: (-r.score, r.stored.path, r.stored.chunk.start, r.stored.id))
    by_id = {entry.stored.id: entry for entry in ranked}
    places = [entry.stored for entry in ranked]
    shown = fold(places) if profile.signals else [Folded(place, place) for place in places]
    seen: dict[str, Content | None] = {}
    hits = []
    for folded in shown[: query.k]:
        path = folded.main.path
        if read is not None and path not in seen:
            seen[path] = read(path)
        hits.append(hit_of(by_id[folded.best.id], folded, seen.get(path)))
    return Found(tuple(hits), lists.warnings)


def _signals(query: Query, stored: StoredChunk, profile: Profile) -> dict[str, float]:
    """What each signal adds; those that add nothing are left out."""
    if not profile.signals:
        return {}
    active = {name: f for name, f in SIGNALS.items() if name not in query.without}
    values = {name: signal(query.text, stored) for name, signal in active.items()}
    return {name: value for name, value in values.items() if value}


def hit_of(entry: Ranked, folded: Folded, now: Content | None) -> Hit:
    """The answer that ``entry`` is, as its file is ``now``."""
    stored = folded.main
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
        copies=folded.copies,
    )
