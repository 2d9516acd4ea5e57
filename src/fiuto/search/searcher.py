"""Ties retrieval, fusion and ranking together for one question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from fiuto.model import Also, Confidence, Content, Hit, Query
from fiuto.protocols import Reader
from fiuto.search.also import also
from fiuto.search.asked import Asked, parse, verbatim
from fiuto.search.confidence import judge
from fiuto.search.copies import Folded, fold
from fiuto.search.deep import DEEP, Deep, candidates, deepen
from fiuto.search.pool import Pool
from fiuto.search.profile import Profile
from fiuto.search.rank import Ranked, in_order, rank, signals_count, spread
from fiuto.search.retrieve import Lists, Means, nearness, retrieve
from fiuto.search.verify import verify
from fiuto.values import dataclass

__all__ = ["Found", "folded_of", "gather", "hit_of", "hits_of", "search"]

_SHOWN = 50
"""Hits that the tail leaves out; who asks for more is not shown a tail of the rest."""


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, and what could not be asked."""

    hits: tuple[Hit, ...]
    warnings: tuple[str, ...]
    confidence: Confidence | None = None
    also: Also | None = None


def search(
    query: Query,
    reader: Reader,
    means: Means,
    profile: Profile,
    read: Callable[[str], Content | None] | None,
    deep: Deep | None = None,
) -> Found:
    """
    Answer ``query``.

    Args:
        query: what is asked.
        reader: one generation of an index.
        means: the model that built the index, or why it is not there.
        profile: constants of the pipeline.
        read: the current content of a path, None where it is gone; without it hits are
            given as they were indexed, not verified.
        deep: reads the best of the pool again; without it they stay as they are.
    """
    signals = signals_count(query, profile)
    asked = parse(query.text) if signals else verbatim(query.text)
    pool, lists = gather(query, asked, reader, means, profile, signals=signals)
    ranked = rank(query, pool, lists.fused, signals=signals)
    warnings = lists.warnings
    if deep is not None:
        ranked, said = _deepened(query, ranked, lists, deep)
        warnings += said
    shown: Iterable[tuple[Ranked, Folded]]
    if profile.signals:
        shown = folded_of(ranked)
    else:
        shown = ((entry, Folded(entry.stored, entry.stored)) for entry in ranked)
    if signals:
        shown = spread(query, pool, shown)
    hits = hits_of(islice(shown, query.k), read)
    if not signals:
        return Found(hits, warnings)
    confidence = judge(pool, ranked)
    tail = also(query, asked, hits[:_SHOWN], reader, sure=confidence != "none")
    return Found(hits, warnings, confidence, tail)


def gather(
    query: Query, asked: Asked, reader: Reader, means: Means, profile: Profile, *, signals: bool
) -> tuple[Pool, Lists]:
    """Every chunk that some list holds, those of the fused lists in turn first."""
    lists = retrieve(query, asked, reader, means, profile, wide=signals)
    ids = dict.fromkeys(candidates(*lists.fused.values(), most=None))
    ids.update(dict.fromkeys(id_ for scores in lists.scores.values() for id_ in scores))
    stored = reader.chunks(list(ids))
    chunks = [stored[id_] for id_ in ids if id_ in stored]
    return Pool(asked, chunks, lists.scores, nearness(lists.vector, means)), lists


def _deepened(
    query: Query, ranked: list[Ranked], lists: Lists, deep: Deep
) -> tuple[list[Ranked], tuple[str, ...]]:
    """The order with what the reader thinks, and what must be said about it."""
    by_id = {entry.stored.id: entry.stored for entry in ranked}
    best = candidates([entry.stored.id for entry in ranked], list(lists.cosines))
    chunks = [by_id[id_] for id_ in best if id_ in by_id]
    read = deepen(query.text, chunks, deep)
    out = []
    for entry in ranked:
        id_ = entry.stored.id
        known = id_ in read.shares
        out.append(entry.plus(DEEP, read.shares[id_], {DEEP: read.ranks[id_]}) if known else entry)
    return in_order(out), read.warnings


def folded_of(ranked: Sequence[Ranked]) -> Iterator[tuple[Ranked, Folded]]:
    """Each distinct text once, with the candidate that ranked best of its copies."""
    by_id = {entry.stored.id: entry for entry in ranked}
    for folded in fold([entry.stored for entry in ranked]):
        yield by_id[folded.best.id], folded


def hits_of(
    shown: Iterable[tuple[Ranked, Folded]], read: Callable[[str], Content | None] | None
) -> tuple[Hit, ...]:
    """The answers that ``shown`` are; each file is read once, none without ``read``."""
    now: dict[str, Content | None] = {}
    hits = []
    for entry, shown_as in shown:
        path = shown_as.main.path
        if read is not None and path not in now:
            now[path] = read(path)
        hits.append(hit_of(entry, shown_as, now.get(path)))
    return tuple(hits)


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
        parts=dict(entry.parts),
        ranks=entry.ranks,
        text=chunk.text,
        verified=verified,
        copies=folded.copies,
    )
