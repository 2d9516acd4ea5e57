"""
What ten hits do not show: how many more files hold the names that were asked for.

Nobody should take the first ten for all of them.  The names are those in the question, or
the one that the first hit defines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fiuto.model import Also, Hit, Query, StoredChunk, TermQuery
from fiuto.protocols import Reader
from fiuto.search.asked import Asked
from fiuto.search.words import same_name, symbols_of

__all__ = ["also"]

_CHUNKS = 300
"""Chunks looked into for each name."""
_PATHS = 10
"""Paths given; the rest is a number."""
_NAMES = 3
_TELLING = re.compile(r"[a-z][A-Z]|_|^[A-Z][a-z]\w{3,}")
"""What a name of the first hit must look like: ``run`` or ``get`` stands everywhere."""


def also(
    query: Query, asked: Asked, hits: Sequence[Hit], reader: Reader, *, sure: bool
) -> Also | None:
    """
    The tail of an answer, None where no name is at hand or no further file holds one.

    Args:
        query: what is asked; its filters hold here too.
        asked: the same, understood.
        hits: what is shown already.
        reader: one generation of an index.
        sure: whether what the first hit defines may stand for the question.
    """
    names = asked.written[:_NAMES] or (_defined(hits) if sure else ())
    if not names or query.mode == "semantic":
        return None
    shown = {hit.path for hit in hits}
    files: dict[str, None] = {}
    capped = False
    for name in names:
        found = _holding(name, query, reader)
        capped = capped or len(found) == _CHUNKS
        shape = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for stored in found:
            path, text = stored.path, stored.chunk.text
            if path not in shown and path not in files and name in text and shape.search(text):
                files[path] = None
    if not files:
        return None
    return Also(tuple(names), tuple(list(files)[:_PATHS]), len(files), capped)


def _holding(name: str, query: Query, reader: Reader) -> list[StoredChunk]:
    term = TermQuery((same_name(name),))
    found = [scored.id for scored in reader.match_terms(term, query.where, _CHUNKS)]
    chunks = reader.chunks(found)
    return [chunks[id_] for id_ in found if id_ in chunks]


def _defined(hits: Sequence[Hit]) -> tuple[str, ...]:
    """The name that the first hit defines, where it is one of a kind."""
    if not hits or hits[0].kind in ("section", "slice", "text"):
        return ()
    name = next(iter(symbols_of(hits[0].symbol)), "")
    return (name,) if _TELLING.search(name) else ()
