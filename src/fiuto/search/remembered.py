"""
An embedder that knows a question again.

The same question asked twice needs no model the second time: its vector lies in the
shared store, and loading a model is most of what a warm search would take.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from fiuto.model import EmbedderIdentity, Role, Vectors
from fiuto.protocols import Embedder, VectorCache

__all__ = ["Remembered", "key_of"]


def key_of(text: str) -> bytes:
    """Under which the vector of ``text`` is kept."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Remembered:
    """Implements :class:`fiuto.protocols.Embedder` over another one; documents pass through."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if role != "query" or len(texts) != 1:
            return self._embedder.embed(texts, role)
        identity = self.identity
        kept = replace(identity, recipe=f"{identity.recipe}; query")
        key = key_of(texts[0])
        row = self._cache.get(kept, [key]).get(key)
        if row is not None:
            # As the indexer's rows: the vector, then one byte that tells a truncated text.
            return Vectors(row[:-1], identity.dimension, (row[-1:] == b"\x01",))
        vectors = self._embedder.embed(texts, role)
        if len(vectors) == 1 and vectors.dimension == identity.dimension:
            told = b"\x01" if vectors.truncated[0] else b"\x00"
            self._cache.put(kept, {key: vectors.row(0) + told})
        return vectors
