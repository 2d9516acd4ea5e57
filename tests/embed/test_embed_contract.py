"""The checks for embedders must themselves catch what they are for."""

import math
import struct

import pytest

from fiuto.embed.rows import unit_row
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.model import Vectors
from fiuto.testing.embedders import check_embedder


class Broken(ScriptedEmbedder):
    """The scripted embedder with one thing done wrong."""

    def __init__(self, spoil):
        super().__init__()
        self._spoil = spoil

    def embed(self, texts, role):
        return self._spoil(super().embed(texts, role), list(texts))


def doubled(vectors, _):
    """Each row twice."""
    return Vectors(vectors.data * 2, vectors.dimension, vectors.truncated * 2)


def stretched(vectors, _):
    """Rows of length 2."""
    values = struct.unpack(f"<{len(vectors.data) // 4}f", vectors.data)
    data = struct.pack(f"<{len(values)}f", *[2 * value for value in values])
    return Vectors(data, vectors.dimension, vectors.truncated)


def by_length(vectors, texts):
    """Rows in the order of text length."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    data = b"".join(vectors.row(i) for i in order)
    return Vectors(data, vectors.dimension, vectors.truncated)


def all_alike(vectors, _):
    """One row for everything."""
    row = unit_row([1.0] * vectors.dimension)
    return Vectors(row * len(vectors), vectors.dimension, vectors.truncated)


def narrower(vectors, _):
    """Twice as many rows of half the width."""
    return Vectors(vectors.data, vectors.dimension // 2, vectors.truncated * 2)


def by_batch(vectors, texts):
    """Rows that are turned when there are several."""
    if len(texts) < 2:
        return vectors
    turned = b"".join(vectors.row(i)[4:] + vectors.row(i)[:4] for i in range(len(vectors)))
    return Vectors(turned, vectors.dimension, vectors.truncated)


def undefined(vectors, texts):
    """Not a number for batches with an empty text."""
    if "" not in texts:
        return vectors
    row = struct.pack("<f", math.nan) * vectors.dimension
    return Vectors(row * len(vectors), vectors.dimension, vectors.truncated)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (doubled, "one row per text"),
        (stretched, "not 1"),
        (by_length, "order|batch"),
        (all_alike, "different texts"),
        (narrower, "dimension"),
        (by_batch, "depends on its batch"),
        (undefined, "odd texts: a row of length nan"),
    ],
)
def test_each_fault_is_caught(spoil, message):
    """An embedder with one fault fails, with words that name it."""
    with pytest.raises(AssertionError, match=message):
        check_embedder(Broken(spoil))


def test_an_identity_that_moves_is_caught():
    """An identity must be the same before and after use."""

    class Moving(ScriptedEmbedder):
        @property
        def identity(self):
            self._window = len(self.embedded) and 10_000_000
            return super().identity

    with pytest.raises(AssertionError, match="must not change with use"):
        check_embedder(Moving())
