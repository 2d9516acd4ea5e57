"""Figures of columns and the differences between them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fiuto.evaluation.metrics import Estimate
from fiuto.evaluation.run import Cell
from fiuto.evaluation.summary import caution, differences, figures, parts


def test_figures_of_a_column():
    """Shares, mean reciprocal rank, nDCG, median tokens and milliseconds."""
    cells = [
        Cell(1, 1, 100, 0.001), Cell(4, 2, 300, 0.002), Cell(20, 5, 900, 0.003),
        Cell(None, 6, 8000, 0.1),
    ]  # fmt: skip

    found = figures(cells, seed=0)

    assert (found.n, found.hits[1].value, found.hits[5].value, found.hits[10].value) == (
        4, 0.25, 0.5, 0.5,
    )  # fmt: skip
    assert found.files.value == 0.75
    assert found.mrr.value == pytest.approx((1 + 1 / 4 + 1 / 20) / 4)
    assert found.ndcg.value == pytest.approx((1 + 0.430677) / 4, abs=1e-6)
    assert found.tokens.value == 600
    assert found.milliseconds == pytest.approx(2.5)


def test_differences_are_paired(made):
    """Better and worse are counted question by question, in the direction of the reference."""
    run = made({"BM25": [2, 1, 4, None], "fiuto static": [1, 2, 4, 1]})

    (found,) = differences(run, run.scopes[0])

    assert (found.other, found.by_file, found.better, found.worse) == ("BM25", False, 2, 1)
    assert found.mrr.value == pytest.approx((0.5 - 0.5 + 0 + 1) / 4)
    # Of the eight sign patterns of 0.5, -0.5 and 1 six sum to 1 or more in size.
    assert found.p == found.corrected == 0.75


def test_grep_is_compared_file_by_file(made):
    """Grep ranks files, so the reference is judged by where the answer's file came too."""
    run = made({"fair grep": [2, 2], "fiuto static": [9, 9]})
    scope = run.scopes[0]
    rows = tuple(
        replace(row, cells=row.cells | {"fiuto static": Cell(9, 1, 0, 0.0)}) for row in scope.rows
    )

    (found,) = differences(run, replace(scope, rows=rows))

    assert found.by_file
    assert found.mrr == Estimate(0.5, 0.5, 0.5)


def test_grep_as_the_reference(made):
    """Then everything is compared by files, and the other way round."""
    ranks = {"fair grep": [1, 1], "BM25": [2, 2], "fiuto static": [4, 4]}
    run = made(ranks, reference="fair grep")

    found = differences(run, run.scopes[0])

    assert [(one.other, one.by_file, one.mrr.value) for one in found] == [
        ("BM25", True, 0.5),
        ("fiuto static", True, 0.75),
    ]


def test_many_columns_make_a_difference_less_sure(made):
    """Holm's correction over all of them."""
    ranks = {"BM25": [9] * 8, "static": [9] * 8, "fiuto static": [1] * 8}
    run = made(ranks)

    found = differences(run, run.scopes[0])

    assert [(one.p, one.corrected) for one in found] == [(2 / 256, 4 / 256)] * 2


def test_parts_are_categories(made):
    """All first; one category alone is no part."""
    scope = made({"fiuto static": [1, 2, 3]}).scopes[0]
    first, second, third = scope.rows
    other = replace(third, question=replace(third.question, category="names"))

    assert parts(scope) == {"": scope.rows}
    assert parts(replace(scope, rows=(first, second, other))) == {
        "": (first, second, other),
        "other": [first, second],
        "names": [other],
    }


def test_few_questions_are_warned_of():
    """Ten never pass for proof; two hundred need no warning."""
    assert caution(10).startswith("10 questions are few: a true 50 % can show as anything from 24%")
    assert caution(200) == ""
