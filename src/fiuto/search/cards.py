"""
Cards: what a file is called and defines, so short that all can be read for every question.

A name says in two words what its code takes fifty lines for, and stands in the vector of a
chunk as a few words among many.
"""

from __future__ import annotations

from collections.abc import Sequence

from fiuto.model import StoredChunk
from fiuto.search.words import symbols_of

__all__ = ["FILES", "file_cards"]

FILES = 100
"""Files that get a card."""


def file_cards(chunks: Sequence[StoredChunk]) -> dict[str, str]:
    """
    The card of each file by path: its name and the names it defines.

    Args:
        chunks: candidates, most promising first; the files of the first ones get a card.
    """
    names: dict[str, dict[str, None]] = {}
    for stored in chunks:
        if stored.path in names or len(names) < FILES:
            names.setdefault(stored.path, {}).update(dict.fromkeys(symbols_of(stored.chunk.symbol)))
    return {
        path: f"{path.replace('/', ' ')} {path.rpartition('/')[2]}\n{' '.join(symbols)}"
        for path, symbols in names.items()
    }
