"""
Finds what is like one chunk: the index asked with the chunk's own vector and words.

The same two lists and the same fusion as for a question; what stands in the chunk's
own file comes last, because whoever asks has that file open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from fiuto.model import Content, Hit, Query, StoredChunk, TermQuery
from fiuto.protocols import Reader
from fiuto.search.copies import Folded
from fiuto.search.fuse import ranks_of, shares
from fiuto.search.profile import Profile
from fiuto.search.rank import Ranked, in_order
from fiuto.search.searcher import folded_of, hit_of, hits_of
from fiuto.terms import terms

__all__ = ["chunk_at", "related"]

_TERMS = 128
"""Distinct terms asked for: more slow BM25 down and are the chunk's common words."""


def chunk_at(chunks: Sequence[StoredChunk], line: int) -> StoredChunk | None:
    """The chunk that holds ``line``, else the nearest one; of two equally near the later."""
    return min(
        reversed(chunks),
        key=lambda s: max(s.chunk.start - line, line - s.chunk.end, 0),
        default=None,
    )


def related(
    anchor: StoredChunk,
    vector: bytes | None,
    query: Query,
    reader: Reader,
    profile: Profile,
    read: Callable[[str], Content | None],
) -> tuple[Hit, tuple[Hit, ...]]:
    """
    The chunk itself, and the ``query.k`` chunks most like it, best first.

    Args:
        anchor: the chunk that others are compared with; never among the answers.
        vector: its float32 row, or None where words alone must answer.
        query: k, mode and filters; its text is not looked at.
        reader: the generation that ``anchor`` is from.
        profile: constants of the pipeline.
        read: the current content of a path, None where it is gone.
    """
    ids: dict[str, list[int]] = {}
    if query.mode != "semantic" or vector is None:
        words = TermQuery(_words(anchor), symbol=profile.symbol, path=profile.path)
        found = reader.match_terms(words, query.where, profile.pool)
        ids["lexical"] = [scored.id for scored in found if scored.id != anchor.id]
    if query.mode != "lexical" and vector is not None:
        found = reader.match_vector(vector, query.where, profile.pool)
        ids["semantic"] = [scored.id for scored in found if scored.id != anchor.id]
    ranks = ranks_of(ids)
    ranked = []
    for id_, stored in reader.chunks(list(ranks)).items():
        parts = shares(ranks[id_])
        ranked.append(Ranked(stored, ranks[id_], parts, sum(parts.values())))
    ranked = sorted(in_order(ranked), key=lambda entry: entry.stored.path == anchor.path)
    itself = hit_of(Ranked(anchor, {}, {}, 0.0), Folded(anchor, anchor), read(anchor.path))
    return itself, hits_of(islice(folded_of(ranked), query.k), read)


def _words(anchor: StoredChunk) -> tuple[str, ...]:
    """The chunk's distinct terms, those of its name first."""
    found = terms(f"{anchor.chunk.symbol} {anchor.chunk.text}")
    return tuple(dict.fromkeys(found))[:_TERMS]
