"""Ranking through the door that every surface uses."""

import random

import pytest


@pytest.fixture
def big(tree):
    """Sixty files that speak of a few things in many ways."""
    words = [
        "redirect",
        "proxy",
        "cookie",
        "header",
        "session",
        "cooldown",
        "retry",
        "token",
        "cache",
        "pool",
    ]
    rng = random.Random(7)
    for i in range(60):
        body = "\n".join(
            f"def {rng.choice(words)}_{rng.choice(words)}_{i}_{j}():\n"
            f"    return {rng.choice(words)}({rng.choice(words)!r})\n"
            for j in range(6)
        )
        (tree / f"src/m{i}.py").write_text(body)
    return tree


def test_parts_sum_to_the_score_of_a_thousand_hits(big, opened):
    """Names, phrases and sentences; deep lists too."""
    index = opened()
    seen = 0
    for question in ("cooldown", "redirect_proxy_3_1", "session cookies", "where is a proxy used?",
                     "tests for the cooldown", "retry the token with a header"):  # fmt: skip
        for mode in ("hybrid", "lexical", "semantic"):
            for hit in index.search(question, k=200, mode=mode):
                assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-12)
                seen += 1
    assert seen >= 1000


@pytest.mark.parametrize("question", ["session cookies", "where is a proxy used?", "cooldown"])
def test_first_five_of_twenty(big, opened, question):
    """With signals and the price of further hits of a file."""
    index = opened()
    assert [h.location for h in index.search(question, k=5)] == [
        h.location for h in index.search(question, k=20)
    ][:5]


def test_no_file_takes_the_first_places(opened, tree):
    """A phrase about many files shows several, though one file holds most."""
    body = "\n".join(f"def cooldown_{i}(user):\n    cooldown(user)\n" for i in range(200))
    (tree / "src/all.py").write_text(body)
    paths = [hit.path for hit in opened().search("cooldown of users", k=5)]
    assert paths.count("src/all.py") <= 2


def test_asked_for_tests_come_first(opened):
    """And not otherwise."""
    index = opened()
    assert index.search("tests for the cooldown")[0].path == "tests/test_limits.py"
    assert index.search("cooldown of a user")[0].path == "src/limits.py"


def test_a_trace_leads_to_its_innermost_frame(opened):
    """Frames of other code are passed over."""
    trace = (
        'Traceback (most recent call last):\n  File "/x/main.py", line 3, in <module>\n'
        '  File "/y/src/net.py", line 2, in open_proxy\n'
        '  File "/y/src/limits.py", line 3, in block_user\n'
        '  File "/z/lib/other.py", line 9, in f\nValueError: no\n'
    )
    assert [h.path for h in opened().search(trace, k=2)] == ["src/limits.py", "src/net.py"]


def test_a_trace_meets_filters(opened):
    """A frame outside of them is no hit."""
    found = opened().search("src/limits.py:2", only=["test"])
    assert {hit.path for hit in found} <= {"tests/test_limits.py"}


def test_the_tail_counts_the_files_that_hits_leave_out(opened, tree):
    """Exact names only; bounded paths, the whole number."""
    for i in range(15):
        (tree / f"src/use{i:02}.py").write_text(f"block_user({i})\nblock_users()\n")
    (tree / "src/near.py").write_text("reblock_user()\n")
    results = opened().search("block_user", k=3)

    assert results.also is not None
    assert results.also.identifiers == ("block_user",)
    shown = {hit.path for hit in results}
    assert len(results.also.files) == 10
    assert not shown & set(results.also.files)
    assert results.also.total == 17 - len(shown)
    assert "src/near.py" not in results.also.files


def test_learning_sees_values_and_measuring_sees_lists(opened):
    """``weights`` stand in for the table; without signals only places count."""
    index = opened()
    (one, *_) = index.search("cooldown of a user", weights={"file_coverage": 1.0})
    assert set(one.parts) == {"file_coverage"}
    (bare, *_) = index.search("cooldown of a user", without=["signals"])
    assert set(bare.parts) <= {"lexical", "semantic"}
