"""A name that is asked for leads to its definition."""

import pytest

from fiuto.model import Chunk, StoredChunk
from fiuto.search.signals import DEFINITION, bare_identifier, definition


def chunk(symbol):
    """A chunk that defines ``symbol``."""
    return StoredChunk(1, "a.py", Chunk(1, 2, "text", symbol), "python", "source", "d")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("raise_for_status", "raise_for_status"), (" Foo::bar ", "bar"), ("a.b.C", "C"),
        ("f()", "f"), ("Foo#bar", "bar"), ("größe", "größe"), ("two words", ""), ("1st", ""),
        ("a.b.", ""), ("why?", ""), ("", ""),
    ],
)  # fmt: skip
def test_bare_identifier(question, name):
    """A name alone, however qualified; anything else is a sentence."""
    assert bare_identifier(question) == name


@pytest.mark.parametrize("question", ["raise_for_status", "raiseForStatus", "R.raise_for_status"])
def test_definition_counts_once(question):
    """In any style of writing, for any of the names a chunk defines."""
    assert definition(question, chunk("R.close R.raise_for_status")) == DEFINITION


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("raise_for", "R.raise_for_status"),
        ("status", "R.raise_for_status"),
        ("R", "R.raise_for_status"),
        ("raise_for_status", ""),
        ("who calls raise_for_status", "R.raise_for_status"),
    ],
)
def test_other_chunks_get_nothing(question, symbol):
    """Parts of a name, owners and sentences are no definition."""
    assert definition(question, chunk(symbol)) == 0.0
