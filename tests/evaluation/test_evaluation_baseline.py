"""A loss against an earlier run is found, and nothing else is one."""

from __future__ import annotations

import json

import pytest

from fiuto.errors import UsageError
from fiuto.evaluation.baseline import compare, read_baseline
from fiuto.evaluation.jsonable import run_data


@pytest.fixture
def saved(tmp_path):
    """Writes a run down as ``--json`` prints it, and reads it as a baseline."""

    def save(run):
        path = tmp_path / "baseline.json"
        path.write_text(json.dumps(run_data(run)), "utf-8")
        return read_baseline(path)

    return save


def test_the_same_run_is_no_loss(made, saved):
    """Every figure is compared, none moved."""
    run = made({"BM25": [1, 9, None], "fiuto static": [1, 2, None]})

    found = compare(run, saved(run), tolerance=0.0)

    assert [change.figure for change in found.changes] == [
        "hit@1", "hit@5", "hit@10", "MRR", "nDCG@10",
    ]  # fmt: skip
    assert (found.losses, found.moved, found.notes) == ((), (), ())


def test_a_loss_beyond_the_tolerance(made, saved):
    """One of four answers fell from first to third place."""
    before = saved(made({"BM25": [1, 1, 1, 1], "fiuto static": [1, 1, 1, 1]}))
    now = made({"BM25": [None] * 4, "fiuto static": [1, 1, 1, 3]})

    found = compare(now, before, tolerance=0.2)

    assert [str(loss) for loss in found.losses] == [
        "all, fiuto static: hit@1 1.000 -> 0.750 (-0.250)"
    ]
    assert found.moved == ("all, fiuto static: 1 -> 3  q3",)
    assert {loss.figure for loss in compare(now, before, 0.1).losses} == {"hit@1", "MRR", "nDCG@10"}


def test_a_loss_of_just_the_tolerance_is_allowed(made, saved):
    """Sums of fractions do not tip the scale."""
    before = saved(made({"fiuto static": [1] * 10}))
    now = made({"fiuto static": [1] * 9 + [None]})

    assert not compare(now, before, tolerance=0.1).losses
    assert compare(now, before, tolerance=0.09).losses


def test_only_shared_questions_count(made, saved):
    """A hard question that is new is no loss, one that is gone no gain; both are told."""
    before = saved(made({"fiuto static": [1, 1]}))
    now = made({"fiuto static": [1, 1, None, None]})

    found = compare(now, before, tolerance=0.0)

    assert not found.losses
    assert found.notes == (
        "all, fiuto static: 2 questions are in both runs; 2 are new, 0 are gone",
    )
    assert compare(made({"fiuto static": [1]}), before, 0.0).notes == (
        "all, fiuto static: 1 questions are in both runs; 0 are new, 1 are gone",
    )


def test_a_gain_is_told_question_by_question(made, saved):
    """Found where it was not before."""
    before = saved(made({"fiuto static": [None, 2]}))

    found = compare(made({"fiuto static": [4, 2]}), before, tolerance=0.0)

    assert found.moved == ("all, fiuto static: none -> 4  q0",)
    assert not found.losses


def test_nothing_in_common_is_an_error(made, saved):
    """Another embedder's column cannot be compared, so a build must not pass by it."""
    before = saved(made({"fiuto other": [1, 1]}))

    with pytest.raises(UsageError, match="nothing can be compared with the baseline"):
        compare(made({"fiuto static": [1, 1]}), before, tolerance=0.0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is no run of 'fiuto eval --json': JSONDecodeError"),
        ("[]", "is no run of 'fiuto eval --json': TypeError"),
        ("{}", "is no run of 'fiuto eval --json': KeyError 'schema'"),
        ('{"schema": 99}', "has schema 99, not 1; make it anew"),
        ('{"schema": 1, "scopes": [{"name": "all"}], "columns": [{"name": "x"}]}', "'rows'"),
        (
            (
                '{"schema": 1, "columns": [{"name": "x"}],'
                ' "scopes": [{"name": "all", "rows": [{"id": "q", "ranks": {"x": 0}}]}]}'
            ),
            "rank 0",
        ),
    ],
)
def test_files_that_are_no_baseline(content, message, tmp_path):
    """One line with the file's name."""
    path = tmp_path / "baseline.json"
    path.write_text(content, "utf-8")

    with pytest.raises(UsageError, match=message) as error:
        read_baseline(path)

    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_baseline_that_is_not_there(tmp_path):
    """Not an empty one."""
    with pytest.raises(UsageError, match=r"gone\.json cannot be read: No such file"):
        read_baseline(tmp_path / "gone.json")
