"""How near in meaning short texts are, and what is kept of them."""

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.search.retrieve import Means, nearness


class KeptVectors(dict):
    """A vector store in memory."""

    def get(self, identity, keys):
        return {key: self[identity, key] for key in keys if (identity, key) in self}

    def put(self, identity, rows):
        self.update({(identity, key): row for key, row in rows.items()})


TEXTS = ["src user.py\ncooldown", "src other.py\nthing"]


@pytest.fixture
def vector():
    """The question's row."""
    return ScriptedEmbedder().embed(["user cooldown"], "query").row(0)


def test_the_same_cards_again_need_no_model(vector):
    """And say the same, to the last bit, as what was said first."""
    cache = KeptVectors()
    first = nearness(vector, Means(ScriptedEmbedder(), instant=True, kept=cache))(TEXTS)
    again = ScriptedEmbedder()
    assert nearness(vector, Means(again, instant=True, kept=cache))(TEXTS) == first
    assert again.embedded == []
    plain = nearness(vector, Means(ScriptedEmbedder(), instant=True))(TEXTS)
    assert first == pytest.approx(plain, abs=1e-6)
    assert first[0] > first[1]


def test_other_cards_another_question_or_another_model_are_made_anew(vector):
    """Whatever the cosines depend on is part of what they are kept under."""
    cache = KeptVectors()
    nearness(vector, Means(ScriptedEmbedder(), instant=True, kept=cache))(TEXTS)
    other = ScriptedEmbedder().embed(["something else"], "query").row(0)
    for texts, row, name in (
        (TEXTS[::-1], vector, "scripted"),
        (TEXTS, other, "scripted"),
        (TEXTS, vector, "another"),
    ):
        made = ScriptedEmbedder(name)
        nearness(row, Means(made, instant=True, kept=cache))(texts)
        assert len(made.embedded) == len(TEXTS)
    assert len(cache) == 4
