"""What is believed, and what is said not to be there."""

import pytest
from search_made import chunk, pool

from fiuto.search.asked import KINDS
from fiuto.search.confidence import EVIDENCE, evidence, judge, probability
from fiuto.search.rank import Ranked


def ranked(stored, score=0.1, **parts):
    """One candidate of the order."""
    return Ranked(stored, {}, parts, score)


def test_evidence_by_hand():
    """Best cosine; share held by the first hits; share nobody holds; named; ahead."""
    one = chunk(1, "src/auth.py", "strip the header", symbol="strip")
    other = chunk(2, "b.py", "nothing")
    made = pool("strip credentials", one, other, scores={"semantic": {1: 0.5, 2: 0.1}})
    figures = evidence(made, [ranked(one, 0.1), ranked(other, 0.05)])

    assert dict(zip(EVIDENCE, figures, strict=True)) == pytest.approx(
        {"cosine": 0.5, "held": 0.5, "absent": 0.5, "named": 0.5, "ahead": 0.0}
    )


def test_nothing_is_no_evidence():
    """An empty order."""
    assert evidence(pool("q"), []) == (0.0, 0.0, 1.0, 0.0, 0.0)


def test_more_evidence_is_more_likely():
    """For every kind, held words and cosines speak for an answer."""
    for kind in KINDS:
        low, high = (probability(kind, (x, x, 1 - x, x, x)) for x in (0.1, 0.9))
        assert 0 < low < high < 1


def test_a_definition_that_was_asked_for_is_sure():
    """However small the index."""
    one = chunk(1, "a.py", "x", symbol="block_user")
    made = pool("block_user", one, scores={"semantic": {1: 0.01}})
    assert judge(made, [ranked(one)]) == "high"


def test_a_name_from_another_package_is_sure_where_it_comes_in():
    """Its part of the score does not count as being ahead."""
    there, *others = (chunk(i, f"{i}.rs") for i in range(7))
    made = pool("FromRequest", there, *others, scores={"semantic": {0: 0.01}})
    order = [ranked(there, 0.3, passed_on=0.2), *(ranked(one, 0.1) for one in others)]
    assert judge(made, order) == "high"
    assert evidence(made, order)[4] == pytest.approx(0.0)


def test_strange_words_far_away_are_none():
    """No word is held, nothing is near."""
    one = chunk(1, "a.py", "def send(): pass", symbol="send")
    made = pool("kubernetes operator reconcile loop", one, scores={"semantic": {1: 0.05}})
    assert judge(made, [ranked(one)]) == "none"


def test_all_words_held_is_never_none():
    """The reader may judge."""
    one = chunk(1, "a.py", "operator loop", symbol="")
    made = pool("operator loop", one, scores={"semantic": {1: 0.0}})
    assert judge(made, [ranked(one)]) != "none"


def test_no_model_no_verdict():
    """Cosines weigh most."""
    one = chunk(1, "a.py")
    assert judge(pool("q w", one), [ranked(one)]) is None
