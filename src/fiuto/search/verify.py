"""
Checks a chunk against the file as it is now, before anybody is sent there.

Pure: the caller reads the file.  Lines that moved are found again by their text;
lines that are gone are reported as they were, marked as not verified.
"""

from __future__ import annotations

from dataclasses import replace

from fiuto.model import Chunk, Content, StoredChunk

__all__ = ["verify"]


def verify(stored: StoredChunk, now: Content | None) -> tuple[Chunk, bool]:
    """
    The chunk where it stands now, and whether it stands there.

    Args:
        stored: the chunk as indexed.
        now: its file as it is, or None where it cannot be read any more.
    """
    chunk = stored.chunk
    if now is None:
        return chunk, False
    if now.digest == stored.digest:
        return chunk, True
    lines = now.text.split("\n")
    wanted = chunk.text.split("\n")
    size = len(wanted)
    starts = [
        i for i in range(len(lines) - size + 1)
        if lines[i] == wanted[0] and lines[i : i + size] == wanted
    ]  # fmt: skip
    if not starts:
        return chunk, False
    # Of several equal places the nearest to where it was.
    start = min(starts, key=lambda i: abs(i + 1 - chunk.start)) + 1
    return replace(chunk, start=start, end=start + size - 1), True
