"""
A deterministic embedder for tests: no weights, no numpy, and it remembers what it read.

Texts that share words lie near each other, so that searches have a right answer; two
embedders of different names point in unrelated directions, so that mixing them shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from fiuto.embed.rows import encodable, unit_row
from fiuto.embed.words import parts_of, runs_of
from fiuto.model import EmbedderIdentity, Role, Vectors

__all__ = ["ScriptedEmbedder", "open_scripted"]


def open_scripted(name: str = "scripted", dimension: int = 32) -> ScriptedEmbedder:
    """A fresh embedder that has read nothing yet."""
    return ScriptedEmbedder(name, dimension)


class ScriptedEmbedder:
    """
    Each word a random direction, a text the sum of its words.

    Args:
        name: the identity, and the seed of every direction.
        dimension: values a row.
        vectors: rows to give for exactly these texts, at any length but zero.
        window: characters read of a text; longer ones count as truncated.  0: all.
    """

    def __init__(
        self,
        name: str = "scripted",
        dimension: int = 32,
        vectors: Mapping[str, Sequence[float]] | None = None,
        window: int = 0,
    ) -> None:
        self._name = name
        self._dimension = dimension
        self._vectors = vectors or {}
        self._window = window
        self.embedded: list[str] = []
        """Every document text so far, in order."""
        self.asked: list[str] = []
        """Every query text so far, in order."""

    @property
    def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity(
            name=self._name,
            revision="1",
            dimension=self._dimension,
            recipe=f"window {self._window}" if self._window else "",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        (self.asked if role == "query" else self.embedded).extend(texts)
        data = b"".join(unit_row(self._values(text)) for text in texts)
        cut = tuple(bool(self._window) and len(text) > self._window for text in texts)
        return Vectors(data, self._dimension, cut)

    def _values(self, text: str) -> Sequence[float]:
        if text in self._vectors:
            return self._vectors[text]
        read = text[: self._window] if self._window else text
        words = {part for run in set(runs_of(read)) for part in parts_of(run)}
        rows = [self._direction(word) for word in sorted(words or {""})]
        middle = 127.5 * len(rows)
        return [sum(column) - middle or 0.5 for column in zip(*rows, strict=True)]

    def _direction(self, word: str) -> bytes:
        """One value from 0 to 255 for each dimension, by hash."""
        seed = f"{self._name}\0{encodable(word)}".encode()
        blocks = (self._dimension + 63) // 64
        data = b"".join(blake2b(seed, salt=bytes([i])).digest() for i in range(blocks))
        return data[: self._dimension]
