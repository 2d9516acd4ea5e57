"""The arithmetic, held against an independent implementation and against tables."""

from __future__ import annotations

import itertools
import math
import random
import statistics

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, Success, nDCG

from fiuto.evaluation.metrics import (
    bootstrap,
    hit,
    holm,
    mean,
    ndcg,
    paired_p_values,
    reciprocal_rank,
    wilson,
)

RANKS = st.lists(st.integers(1, 40), min_size=1, max_size=12, unique=True)


def judged(ranks: list[int], missed: int, depth: int = 40):
    """A ranking in which the wanted documents stand at these ranks, as ir-measures takes it."""
    qrels = [ir_measures.Qrel("q", f"d{rank}", 1) for rank in ranks]
    qrels += [ir_measures.Qrel("q", f"gone{i}", 1) for i in range(missed)]
    run = [ir_measures.ScoredDoc("q", f"d{i}", float(depth - i)) for i in range(1, depth + 1)]
    return qrels, run


@settings(deadline=None)
@given(RANKS, st.integers(0, 3))
def test_agrees_with_ir_measures(ranks, missed):
    """nDCG@10, reciprocal rank and success at k are those of the reference implementation."""
    theirs = ir_measures.calc_aggregate(
        [nDCG @ 10, RR, Success @ 1, Success @ 5, Success @ 10], *judged(ranks, missed)
    )

    assert ndcg([*ranks, *[None] * missed]) == pytest.approx(theirs[nDCG @ 10], abs=1e-6)
    assert reciprocal_rank(min(ranks)) == pytest.approx(theirs[RR], abs=1e-6)
    for k in (1, 5, 10):
        assert hit(min(ranks), k) == theirs[Success @ k]


def test_what_was_not_found_is_worth_nothing():
    """No rank gives zero everywhere, and nothing has a mean of zero."""
    assert (hit(None, 10), reciprocal_rank(None), ndcg([None]), ndcg([]), mean([])) == (0.0,) * 5


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Brown, Cai, DasGupta 2001 and any statistics table.
        (10, 10, 0.7225, 1.0),
        (0, 10, 0.0, 0.2775),
        (8, 10, 0.4902, 0.9433),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_shares_have_wilson_intervals(hits, n, low, high):
    """A perfect score on ten questions is no certainty."""
    found = wilson([1.0] * hits + [0.0] * (n - hits))

    assert found.value == hits / n
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_the_bootstrap_is_repeatable_and_near_theory():
    """The same seed gives the same limits, and for a mean they are about 1.96 standard errors."""
    rng = random.Random(7)
    values = [rng.gauss(5, 2) for _ in range(400)]
    found = bootstrap(values, seed=3)
    error = statistics.stdev(values) / math.sqrt(len(values))

    assert found == bootstrap(values, seed=3)
    assert found != bootstrap(values, seed=4)
    assert found.value == pytest.approx(statistics.mean(values))
    assert found.low == pytest.approx(found.value - 1.96 * error, abs=0.03)
    assert found.high == pytest.approx(found.value + 1.96 * error, abs=0.03)


def test_the_bootstrap_takes_other_statistics():
    """A median lies between its limits, and one value has no spread."""
    found = bootstrap([1.0, 2.0, 3.0, 100.0, 200.0], 0, statistics.median)

    assert found.low <= found.value == 3.0 <= found.high
    assert bootstrap([4.0], 0) == bootstrap([4.0, 4.0], 0)


def by_enumeration(a, b):
    """The p of every sign pattern, the long way."""
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    observed = abs(sum(gaps))
    sums = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(gaps))
    ]
    return sum(total >= observed - 1e-9 for total in sums) / len(sums)


def test_few_questions_are_tested_exactly():
    """Three better of three give a p of 1/4, which no number of columns can improve."""
    columns = {"ours": [1.0, 1.0, 1.0], "theirs": [0.5, 0.2, 0.1], "same": [1.0, 1.0, 1.0]}

    assert paired_p_values(columns, "ours", seed=0) == {"theirs": 0.25, "same": 1.0}


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=9))
def test_the_exact_test_is_the_enumeration(pairs):
    """The sum over columns gives what the sum over differences does."""
    a, b = ([pair[side] for pair in pairs] for side in (0, 1))

    found = paired_p_values({"a": a, "b": b}, "b", seed=0)

    assert found == {"a": by_enumeration(a, b)}


def test_many_questions_are_tested_by_random_signs():
    """From fourteen on the p is an estimate of the exact one, and never zero."""
    rng = random.Random(1)
    a = [rng.random() for _ in range(14)]
    b = [min(1.0, x + rng.uniform(-0.1, 0.2)) for x in a]
    far = [x + 10 for x in a]

    found = paired_p_values({"a": a, "b": b, "far": far}, "a", seed=0)

    assert found["b"] == pytest.approx(by_enumeration(a, b), abs=0.015)
    assert 0 < found["far"] < 0.001
    assert found == paired_p_values({"a": a, "b": b, "far": far}, "a", seed=0)


def test_nothing_to_compare_is_no_difference():
    """Without questions every p is 1."""
    assert paired_p_values({"a": [], "b": []}, "a", seed=0) == {"b": 1.0}


def test_holm_steps_down():
    """The example of Holm's procedure: each p times what is left, never falling, at most 1."""
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})

    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}
