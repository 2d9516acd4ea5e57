"""Ties retrieval, fusion and ranking together for one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fiuto.model import Content, Hit, Query, StoredChunk
from fiuto.protocols import Embedder, Reader
from fiuto.search.copies import Folded, fold
from fiuto.search.deep import DEEP, Deep, DeepRead, candidates, deepen
from fiuto.search.fuse import ranks_of, shares
from fiuto.search.profile import Profile
from fiuto.search.retrieve import retrieve
from fiuto.search.signals import SIGNALS
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
    read: Callable[[str], Content | None] | None,
    missing: str = "",
    deep: Deep | None = None,
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
        deep: reads the best of the pool again; without it they stay as they are.
    """
    lists = retrieve(query, reader, embedder, profile, missing)
    ranks = ranks_of(lists.ids)
    chunks = reader.chunks(list(ranks))
    ranked = []
    for id_, stored in chunks.items():
        parts = shares(ranks[id_]) | _signals(query, stored, profile)
        ranked.append(_Ranked(stored, ranks[id_], parts, sum(parts.values())))
    ranked.sort(key=_order)
    read_again = DeepRead()
    if deep is not None:
        best = candidates([r.stored.id for r in ranked], list(lists.cosines))
        places = [chunks[id_] for id_ in best if id_ in chunks]
        read_again = deepen(query.text, places, lists.cosines, deep)
        ranked = sorted((_added(entry, read_again) for entry in ranked), key=_order)
    by_id = {entry.stored.id: entry for entry in ranked}
    places = [entry.stored for entry in ranked]
    shown = fold(places) if profile.signals else [Folded(place, place) for place in places]
    seen: dict[str, Content | None] = {}
    hits = []
    for folded in shown[: query.k]:
        path = folded.main.path
        if read is not None and path not in seen:
            seen[path] = read(path)
        hits.append(_hit(by_id[folded.best.id], folded, seen.get(path)))
    return Found(tuple(hits), (*lists.warnings, *read_again.warnings))


def _order(entry: _Ranked) -> tuple[float, str, int, int]:
    stored = entry.stored
    return (-entry.score, stored.path, stored.chunk.start, stored.id)


def _added(entry: _Ranked, read: DeepRead) -> _Ranked:
    """The entry with what the deep list adds to it."""
    share = read.share(entry.stored.id)
    if not share:
        return entry
    return replace(
        entry,
        ranks=entry.ranks | {DEEP: read.ranks[entry.stored.id]},
        parts=entry.parts | share,
        score=entry.score + sum(share.values()),
    )


def _signals(query: Query, stored: StoredChunk, profile: Profile) -> dict[str, float]:
    """What each signal adds; those that add nothing are left out."""
    if not profile.signals:
        return {}
    active = {name: f for name, f in SIGNALS.items() if name not in query.without}
    values = {name: signal(query.text, stored) for name, signal in active.items()}
    return {name: value for name, value in values.items() if value}


def _hit(entry: _Ranked, folded: Folded, now: Content | None) -> Hit:
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
