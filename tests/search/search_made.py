"""Chunks and pools for tests of the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fiuto.model import Chunk, StoredChunk
from fiuto.search.asked import parse
from fiuto.search.pool import Pool


def chunk(id_: int, path: str, text: str = "pass", symbol: str = "", **more) -> StoredChunk:
    """One chunk of a file."""
    made = Chunk(
        more.get("start", 1), more.get("end", 9), text, symbol, more.get("kind", "function")
    )
    return StoredChunk(
        id_, path, made, more.get("language", "python"), more.get("label", "source"), "d",
        more.get("size", 0),
    )  # fmt: skip


def pool(
    question: str,
    *chunks: StoredChunk,
    scores: Mapping[str, Mapping[int, float]] | None = None,
    near: Mapping[str, float] | None = None,
) -> Pool:
    """What the signals look at; ``near`` has the cosines of the cards that hold a word."""

    def cosines(texts: Sequence[str]) -> Sequence[float]:
        return [
            max((value for word, value in (near or {}).items() if word in text), default=0.0)
            for text in texts
        ]

    return Pool(parse(question), chunks, scores or {}, cosines)
