"""The embedder that tests of the other parts rely on."""

import math
import struct

import pytest

from fiuto.embed.scripted import ScriptedEmbedder, open_scripted
from fiuto.testing.embedders import check_embedder


def row(vectors, i=0):
    """The values of a row."""
    return struct.unpack(f"<{vectors.dimension}f", vectors.row(i))


@pytest.mark.parametrize("dimension", [2, 32, 200])
def test_it_keeps_the_contract(dimension):
    """Every check for embedders holds, at any dimension."""
    check_embedder(open_scripted("any", dimension))


def test_two_names_are_two_models():
    """Equal dimension, other name: another identity and unrelated rows."""
    one, other = ScriptedEmbedder("one"), ScriptedEmbedder("other")

    assert one.identity != other.identity
    assert one.identity.dimension == other.identity.dimension
    texts = ["redirect the request", "read a file"]
    apart = [math.dist(row(one.embed([t], "query")), row(other.embed([t], "query"))) for t in texts]
    assert min(apart) > 0.5


def test_texts_that_share_words_lie_near():
    """The question finds the text with its words."""
    embedder = ScriptedEmbedder()
    asked = row(embedder.embed(["strip auth"], "query"))
    stored = embedder.embed(["def should_strip_auth", "def read_file_lines"], "document")

    assert math.dist(asked, row(stored, 0)) < math.dist(asked, row(stored, 1))


def test_it_remembers_what_it_read():
    """Documents and questions are listed apart, in order."""
    embedder = ScriptedEmbedder()
    embedder.embed(["a", "b"], "document")
    embedder.embed(["q"], "query")
    embedder.embed(["c"], "document")

    assert embedder.embedded == ["a", "b", "c"]
    assert embedder.asked == ["q"]


def test_scripted_rows_win():
    """A given text gets the given direction, at length 1."""
    embedder = ScriptedEmbedder(dimension=2, vectors={"north": (0, 5), "east": (2, 0)})
    vectors = embedder.embed(["north", "east"], "document")

    assert [row(vectors, i) for i in range(2)] == [(0.0, 1.0), (1.0, 0.0)]


def test_a_window_cuts_and_says_so():
    """Only the first characters count, longer texts are marked, and it is in the identity."""
    embedder = ScriptedEmbedder(window=8)
    vectors = embedder.embed(["one two", "one two three", "one two four"], "document")

    assert vectors.truncated == (False, True, True)
    assert row(vectors, 1) == row(vectors, 2)
    assert embedder.identity != ScriptedEmbedder().identity
