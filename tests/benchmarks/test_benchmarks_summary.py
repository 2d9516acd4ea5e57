"""From ranks to figures."""

import math

import pytest
from benchmarks.questions import Question
from benchmarks.running import Answer
from benchmarks.summary import each, groups, means, overall


def answer(*ranks, repository="r", category="semantic", language="go"):
    """An answer that found its targets at these ranks."""
    question = Question(repository, "how", category, language, ())
    return Answer(question, ranks, 0.01)


def test_ndcg_of_several_targets():
    """Targets at ranks 2 and 5 of three: (1/log2 3 + 1/log2 6) over the best three places."""
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    gained = 1 / math.log2(3) + 1 / math.log2(6)

    assert each(answer(5, 2, None))["ndcg@10"] == pytest.approx(gained / ideal)


def test_ranks_beyond_ten_count_only_for_the_reciprocal_rank():
    """Rank 11 is no hit, but not nothing."""
    assert each(answer(11)) == {
        "ndcg@10": 0.0, "hit@5": 0.0, "hit@10": 0.0, "mrr": pytest.approx(1 / 11),
    }  # fmt: skip


def test_the_first_target_found_decides_hits():
    """One of two targets in the first five is a hit."""
    row = each(answer(40, 5))

    assert (row["hit@5"], row["hit@10"], row["mrr"]) == (1.0, 1.0, 0.2)


def test_one_chunk_takes_one_place():
    """Two targets found by the same chunk never give more than a perfect list."""
    row = each(answer(1, 1))

    assert row["ndcg@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_nothing_found_is_nothing():
    """A miss is zero in every figure."""
    assert set(each(answer(None, None)).values()) == {0.0}


def test_groups_weigh_questions_not_repositories():
    """Three questions of one group, one of another; the mean of all counts each once."""
    answers = [answer(1), answer(1), answer(None), answer(2, language="lua")]
    by_language = groups(answers, lambda a: a.question.language)

    assert list(by_language) == ["go", "lua"]
    assert by_language["go"] == {
        "n": 3, "ndcg@10": 0.6667, "hit@5": 0.6667, "hit@10": 0.6667, "mrr": 0.6667,
    }  # fmt: skip
    assert means(answers)["mrr"] == 0.625


def test_the_interval_holds_the_mean_and_is_the_same_every_time():
    """A seeded bootstrap: wide for four questions, and reproducible."""
    answers = [answer(1), answer(None), answer(3), answer(1)]
    first, second = overall(answers), overall(answers)
    low, high = first["interval"]["mrr"]

    assert first == second
    assert low < first["mrr"] < high
    assert first["n"] == 4


def test_no_questions_are_no_figures():
    """An empty group does not divide by zero."""
    assert means([]) == {"n": 0, "ndcg@10": 0.0, "hit@5": 0.0, "hit@10": 0.0, "mrr": 0.0}
