"""
Chunks by lines with overlap: the rule of the article that fiuto starts from.

It looks at nothing but lengths, so it works on any text, and its result for a
given repository is known: what other chunkers gain is measured against it.
"""

from __future__ import annotations

from collections.abc import Sequence

from fiuto.chunk.sheet import MAX_SLICES, slices
from fiuto.model import Chunk

__all__ = ["LinesChunker"]

CHARACTERS_PER_TOKEN = 4
"""The article's estimate; counted in characters, not bytes."""

LONG_LINE = 4
"""A single line of this many targets is cut up: the article knows no such limit."""


class LinesChunker:
    """Runs of whole lines of a target size; each run begins inside the one before it."""

    def __init__(self, target: int = 700, overlap: int = 80) -> None:
        """Sizes are in tokens of :data:`CHARACTERS_PER_TOKEN` characters."""
        self._target = target
        self._overlap = overlap

    @property
    def identity(self) -> str:
        return f"lines/1 ({self._target} tokens, overlap {self._overlap})"

    def chunk(self, path: str, text: str, language: str) -> Sequence[Chunk]:
        """Cut ``text``; the path and the language make no difference."""
        del path, language
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        target = self._target * CHARACTERS_PER_TOKEN
        overlap = self._overlap * CHARACTERS_PER_TOKEN
        limit = target * LONG_LINE
        piece = max(limit, -(-len(text) // MAX_SLICES))
        chunks: list[Chunk] = []
        start = 0
        while start < len(lines):
            if len(lines[start]) > limit:
                chunks += slices(lines[start], start, piece)
                start += 1
                continue
            end = _grow(lines, start, target, limit)
            body = "\n".join(lines[start:end])
            if body and not body.isspace():
                chunks.append(Chunk(start + 1, end, body, "", "lines"))
            if end == len(lines) or len(lines[end]) > limit:
                start = end
            else:
                start = max(_step_back(lines, start, end, overlap), start + 1)
        return chunks


def _grow(lines: Sequence[str], start: int, target: int, limit: int) -> int:
    """The row after the last one that is needed to reach the target."""
    size = 0
    end = start
    while end < len(lines) and size < target and len(lines[end]) <= limit:
        size += len(lines[end]) + 1
        end += 1
    return end


def _step_back(lines: Sequence[str], start: int, end: int, overlap: int) -> int:
    """The row from which the lines up to ``end`` hold the overlap."""
    size = 0
    row = end
    while row > start + 1 and size < overlap:
        row -= 1
        size += len(lines[row]) + 1
    return row
