"""Reading questions, and what counts as finding their targets."""

import json

import pytest
from benchmarks.questions import Place, Target, load_annotations, load_grep_proof
from benchmarks.repositories import Repository, load_repositories

from fiuto.errors import UsageError

REPOSITORY = Repository("tiny", "me/tiny", "abc", language="python", root="src/tiny")


@pytest.fixture
def checkout(tmp_path):
    """A work tree with a root below it and something beside it."""
    folder = tmp_path / "tiny"
    for path in ("src/tiny/a.py", "src/tiny/sub/b.py", "other/c.py"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("one\ntwo\nthree\n")
    return folder


def annotated(tmp_path, *entries):
    """A file of the public set."""
    path = tmp_path / "tiny.json"
    defaults = {"query": "where", "relevant": [], "secondary": [], "category": "semantic"}
    path.write_text(json.dumps([defaults | entry for entry in entries]))
    return path


def test_paths_are_relative_to_what_is_indexed(tmp_path, checkout):
    """Written from the top of the checkout or from the root: the same place."""
    path = annotated(tmp_path, {"relevant": ["src/tiny/a.py"], "secondary": ["sub/b.py"]})
    (question,), skipped = load_annotations(path, REPOSITORY, checkout)

    assert [t.places for t in question.targets] == [(Place("a.py"),), (Place("sub/b.py"),)]
    assert (question.repository, question.language) == ("tiny", "python")
    assert not skipped


def test_targets_outside_the_root_do_not_count(tmp_path, checkout):
    """They are reported, and the question keeps its other targets."""
    path = annotated(tmp_path, {"relevant": ["a.py", "other/c.py"]}, {"relevant": ["other/c.py"]})
    (first, second), skipped = load_annotations(path, REPOSITORY, checkout)

    assert [t.places[0].path for t in first.targets] == ["a.py"]
    assert [one.path for one in skipped] == ["other/c.py", "other/c.py"]
    assert second.targets == (Target(()),)
    assert second.targets[0].rank([("other/c.py", 1, 3)]) is None


def test_lines_narrow_a_target(tmp_path, checkout):
    """A chunk finds lines 2-3 when it holds one of them."""
    span = {"path": "src/tiny/a.py", "start_line": 2, "end_line": 3}
    (question,), _ = load_annotations(
        annotated(tmp_path, {"relevant": [span]}), REPOSITORY, checkout
    )
    (target,) = question.targets

    assert target.rank([("a.py", 1, 1), ("sub/b.py", 2, 3), ("a.py", 3, 9)]) == 3
    assert target.rank([("a.py", 4, 9)]) is None


def test_more_chunks_of_a_file_take_places():
    """The rank counts chunks, not files."""
    hits = [("x.py", 1, 5), ("x.py", 6, 9), ("a.py", 1, 2), ("a.py", 3, 4)]

    assert Target((Place("a.py"),)).rank(hits) == 3


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"relevant": ["gone.py"]}, "gone.py is not in"),
        ({"relevant": [7]}, "7 is not a path"),
        ({"relevant": []}, "no target"),
        ({"relevant": "a.py"}, "relevant must be a list"),
        ({"relevant": [{"path": "a.py", "start_line": 3, "end_line": 2}]}, "start_line"),
        ({"query": " "}, "query must be a text"),
    ],
)
def test_malformed_annotations_are_named(tmp_path, checkout, entry, said):
    """File, entry and fault in one line."""
    path = annotated(tmp_path, {"relevant": ["a.py"]}, entry)
    with pytest.raises(UsageError, match=said) as caught:
        load_annotations(path, REPOSITORY, checkout)

    assert "tiny.json, entry 2" in str(caught.value)
    assert "\n" not in str(caught.value)


def proof(tmp_path, *entries):
    """A grep-proof file."""
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(entries))
    return path


def test_also_answers_too(tmp_path, checkout):
    """One target: the definition's line, or any line of ``also``; earlier counts."""
    entry = {
        "question": "Where?", "grep_word_lines": 0,
        "target": {"path": "src/tiny/a.py", "symbol": "x", "line": 3},
        "also": [{"path": "other/c.py", "symbol": "y", "line": 1}],
    }  # fmt: skip
    (question,) = load_grep_proof(proof(tmp_path, entry), "tiny", checkout)
    (target,) = question.targets

    assert (
        target.rank([("src/tiny/a.py", 1, 2), ("other/c.py", 1, 2), ("src/tiny/a.py", 3, 3)]) == 2
    )
    assert (question.category, question.language) == ("word not found", "python")


def test_other_languages_ask_only_what_was_translated(tmp_path, checkout):
    """English asks all, Italian the one that has a translation."""
    target = {"path": "src/tiny/a.py", "symbol": "x", "line": 1}
    path = proof(
        tmp_path,
        {"question": "Where?", "question_it": "Dove?", "target": target, "grep_word_lines": 2},
        {"question": "Why?", "target": target},
    )

    assert [q.text for q in load_grep_proof(path, "tiny", checkout)] == ["Where?", "Why?"]
    assert [q.text for q in load_grep_proof(path, "tiny", checkout, "it")] == ["Dove?"]
    assert load_grep_proof(path, "tiny", checkout, "zh") == []


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ({"path": "src/tiny/a.py", "line": 5}, "has no line 5"),
        ({"path": "src/tiny/a.py", "line": 0}, "has no line 0"),
        ({"path": "nowhere.py", "line": 1}, "nowhere.py is not in"),
        ({"path": "src/tiny/a.py"}, "needs a path and a line"),
        (None, "needs a path and a line"),
    ],
)
def test_lines_must_exist(tmp_path, checkout, target, said):
    """A target that cannot be there is a fault of the file, not a miss."""
    with pytest.raises(UsageError, match=said):
        load_grep_proof(proof(tmp_path, {"question": "Q", "target": target}), "tiny", checkout)


def test_repositories_in_order(tmp_path):
    """Null or missing fields are empty; the order of the file is kept."""
    path = tmp_path / "repos.json"
    path.write_text(json.dumps([
        {"name": "b", "github": "me/b", "revision": "1", "benchmark_root": None},
        {"name": "a", "github": "me/a", "revision": "2", "benchmark_root": "src/"},
    ]))  # fmt: skip
    found = load_repositories(path)

    assert list(found) == ["b", "a"]
    assert (found["b"].root, found["a"].root) == ("", "src")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ("{}", "must hold a list"),
        ('[{"name": "a", "github": "me/a"}]', "entry 1: revision must be a text"),
        ('[{"name": "a/b", "github": "me/a", "revision": "1"}]', "cannot be a name"),
        ('[{"name": "a", "github": 3, "revision": "1"}]', "entry 1: github must be a text"),
    ],
)
def test_malformed_lists_of_repositories(tmp_path, text, said):
    """One line that names the file."""
    path = tmp_path / "repos.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        load_repositories(path)


def test_a_missing_file_is_said(tmp_path):
    """No traceback for a wrong path."""
    with pytest.raises(UsageError, match="cannot be read"):
        load_repositories(tmp_path / "none.json")
