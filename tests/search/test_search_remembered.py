"""A question is known again, and nothing else is taken for it."""

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.search.remembered import Remembered


class KeptVectors(dict):
    """A vector store in memory."""

    def get(self, identity, keys):
        return {key: self[identity, key] for key in keys if (identity, key) in self}

    def put(self, identity, rows):
        self.update({(identity, key): row for key, row in rows.items()})


@pytest.fixture
def cache():
    """Shared by every embedder of a test."""
    return KeptVectors()


def test_the_same_question_needs_no_model(cache):
    """By another object of the same identity, with the same row and the same mark."""
    first = Remembered(ScriptedEmbedder(window=4), cache).embed(["where are users"], "query")
    inner = ScriptedEmbedder(window=4)
    assert Remembered(inner, cache).embed(["where are users"], "query") == first
    assert first.truncated == (True,)
    assert inner.asked == []
    other = Remembered(inner, cache).embed(["else"], "query")
    assert (inner.asked, other.truncated) == (["else"], (False,))


def test_documents_and_other_models_are_not_questions(cache):
    """A text kept as a question is embedded as a document, and by another model, anew."""
    Remembered(ScriptedEmbedder("one"), cache).embed(["text"], "query")
    inner = ScriptedEmbedder("one")
    Remembered(inner, cache).embed(["text"], "document")
    assert inner.embedded == ["text"]
    two = ScriptedEmbedder("two")
    assert Remembered(two, cache).identity == two.identity
    assert Remembered(two, cache).embed(["text"], "query") == ScriptedEmbedder("two").embed(
        ["text"], "query"
    )
    assert two.asked == ["text"]
