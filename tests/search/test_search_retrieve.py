"""Cards of files: how near in meaning names and symbols are, and what is kept of them."""

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.model import Chunk, StoredChunk
from fiuto.search.retrieve import Means, cards


class KeptVectors(dict):
    """A vector store in memory."""

    def get(self, identity, keys):
        return {key: self[identity, key] for key in keys if (identity, key) in self}

    def put(self, identity, rows):
        self.update({(identity, key): row for key, row in rows.items()})


def stored(id_, path, symbol):
    """A chunk of the pool."""
    return StoredChunk(id_, path, Chunk(1, 9, "x", symbol, "function"), "python", "source", "d")


CHUNKS = [stored(1, "src/user.py", "cooldown"), stored(2, "src/other.py", "thing")]


@pytest.fixture
def vector():
    """The question's row."""
    return ScriptedEmbedder().embed(["user cooldown"], "query").row(0)


def test_the_same_cards_again_need_no_model(vector):
    """And say the same, to the last bit, as what was said first."""
    cache = KeptVectors()
    first = cards(CHUNKS, vector, Means(ScriptedEmbedder(), instant=True, kept=cache))
    again = ScriptedEmbedder()
    assert cards(CHUNKS, vector, Means(again, instant=True, kept=cache)) == first
    assert again.embedded == []
    plain = cards(CHUNKS, vector, Means(ScriptedEmbedder(), instant=True))
    assert first == pytest.approx(plain, abs=1e-6)
    assert first["src/user.py"] > first["src/other.py"]


def test_other_cards_another_question_or_another_model_are_made_anew(vector):
    """Whatever the cosines depend on is part of what they are kept under."""
    cache = KeptVectors()
    cards(CHUNKS, vector, Means(ScriptedEmbedder(), instant=True, kept=cache))
    other = ScriptedEmbedder().embed(["something else"], "query").row(0)
    for chunks, row, name in (
        (CHUNKS[::-1], vector, "scripted"),
        (CHUNKS, other, "scripted"),
        (CHUNKS, vector, "another"),
    ):
        made = ScriptedEmbedder(name)
        cards(chunks, row, Means(made, instant=True, kept=cache))
        assert len(made.embedded) == len(CHUNKS)
    assert len(cache) == 4
