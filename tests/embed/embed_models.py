"""A model of five words, small enough to work out its rows by hand."""

from __future__ import annotations

import struct

from fiuto.embed.static_pack import Row

WORDS = {
    "file": ((1.0, 1.0, 1.0), 0.01, (100, 0, 0, 0)),
    "read": ((2.0, 4.0, 2.0), 0.01, (0, 100, 0, 0)),
    "http": ((1.0, 1.0, 1.0), 0.02, (0, 0, 50, 0)),
    "the": ((0.1, 0.1, 0.1), 0.01, (0, 0, 0, 100)),
    "größe": ((1.0, 1.0, 1.0), 0.01, (-50, 50, 0, 0)),
}
"""Word -> weights in code, path and question, scale, values."""


def rows_of(words=WORDS):
    """The rows that a file is packed from."""
    return [
        Row(word, weights, scale, struct.pack(f"{len(values)}b", *values))
        for word, (weights, scale, values) in words.items()
    ]
