"""
Writes the file that :mod:`fiuto.embed.static_file` reads.

It is apart from the reader because only training and tests write, and needs nothing
but the standard library, so that a test can make a model of three words.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from fiuto.embed.container import assemble

__all__ = ["Row", "pack"]


@dataclass(frozen=True, slots=True)
class Row:
    """One word of a model."""

    word: str
    weights: tuple[float, float, float]
    """In code, in a path, in a question."""
    scale: float
    values: bytes
    """int8, one a dimension."""


def pack(rows: Sequence[Row], dimension: int) -> bytes:
    """
    The bytes of a model file; the order of ``rows`` does not matter.

    Raises:
        ValueError: a word twice, a word with a line end, or a row of another length.
    """
    rows = sorted(rows, key=lambda row: row.word.encode())
    words = [row.word.encode() for row in rows]
    if len(set(words)) != len(words) or any(b"\n" in word or not word for word in words):
        raise ValueError("words must differ, and hold no line end")
    if any(len(row.values) != dimension for row in rows):
        raise ValueError(f"every row needs {dimension} values")
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    size = len(rows)
    sections = {
        "words": b"".join(word + b"\n" for word in words),
        "starts": struct.pack(f"<{size + 1}I", *starts),
        "weights": b"".join(
            struct.pack(f"<{size}f", *[row.weights[use] for row in rows]) for use in range(3)
        ),
        "scales": struct.pack(f"<{size}f", *[row.scale for row in rows]),
        "checks": struct.pack(f"<{size}I", *[crc32(row.values) for row in rows]),
        "vectors": b"".join(row.values for row in rows),
    }
    return assemble(sections, size, dimension)
