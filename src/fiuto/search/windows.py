"""
The parts of a chunk that the deep tier reads, each short enough for a small transformer.

They depend on the chunk alone, never on the question: so what one question had read
serves the next, and an index can be read in advance.  Pure.
"""

from __future__ import annotations

from fiuto.model import Chunk

__all__ = ["WINDOWS", "windows_of"]

WINDOWS = "windows-1"
"""The name of this way to cut; raise the number when any result changes."""

_SIZE = 400
"""Non-blank characters: with the path some 100 tokens of identifiers cut into words."""
_MOST = 2
"""Those after the second added nothing but time."""


def windows_of(path: str, chunk: Chunk) -> list[str]:
    """
    The first runs of whole lines of ``chunk``, in order, each under the path and the symbol.

    A line longer than a window is one; a blank chunk is one.
    """
    parts: list[list[str]] = [[]]
    size = 0
    for line in chunk.text.split("\n"):
        length = len("".join(line.split()))
        if parts[-1] and size + length > _SIZE:
            parts.append([])
            size = 0
        parts[-1].append(line)
        size += length
    return ["\n".join((path, chunk.symbol, *lines)) for lines in parts[:_MOST]]
