"""Places are looked for in the files as they are, and what is not there is told."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fiuto.errors import UsageError
from fiuto.evaluation.definitions import definition_lines
from fiuto.evaluation.judgments import BadQuestions
from fiuto.evaluation.targets import Place, load
from fiuto.model import Hit, Skipped, SourceFile, Stamp

CODE = """import os

class Cart:
    def add(self, item):
        return self.total

    def total(self):
        return add(self)

def total(rows):
    return sum(rows)
"""
FILES = {"shop/cart.py": CODE}


def read(path):
    """A file of a tree that holds one, and one that is skipped."""
    if path == "big.bin":
        return Skipped(path, "binary")
    if path not in FILES:
        raise UsageError(f"there is no {path}")
    return SourceFile(path, FILES[path], Stamp(1, 1, 1, 1), "d", "python", "source")


def loaded(question_file, target, root: Path = Path("/nowhere"), **more):
    """What one question comes to."""
    return load(question_file([{"question": "q", "target": target, **more}]), root, read)


def test_line_and_symbol_agree(question_file):
    """The target comes first, then what answers as well."""
    found = loaded(
        question_file,
        {"path": "shop/cart.py", "symbol": "Cart.total", "line": 7},
        also=[{"path": "shop/cart.py", "symbol": "add"}],
    )

    assert found.questions[0].places == (
        Place("shop/cart.py", 7, "Cart.total"),
        Place("shop/cart.py", 4, "add"),
    )


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ({"path": "gone.py", "line": 1}, "target 'gone.py': there is no gone.py"),
        ({"path": "big.bin", "line": 1}, "target 'big.bin' is not indexed: It is not text."),
        ({"path": "shop/cart.py", "line": 13}, "target 'shop/cart.py' has 12 lines, not 13"),
        (
            {"path": "shop/cart.py", "symbol": "add", "line": 3},
            "target 'shop/cart.py' line 3 does not hold 'add'; it is on line 4",
        ),
        (
            {"path": "shop/cart.py", "symbol": "remove", "line": 4},
            "target 'shop/cart.py' line 4 does not hold 'remove'; it is nowhere in the file",
        ),
        (
            {"path": "shop/cart.py", "symbol": "remove"},
            "target 'shop/cart.py' does not hold 'remove'",
        ),
        (
            {"path": "shop/cart.py", "symbol": "total"},
            "target 'shop/cart.py' may define 'total' on lines 7, 10; give the line",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_found(target, what, question_file):
    """A moved symbol says where it is now."""
    with pytest.raises(BadQuestions) as error:
        loaded(question_file, target)

    assert [(fault.entry, fault.what) for fault in error.value.faults] == [(1, what)]


def test_faults_of_shape_and_place_come_together(question_file):
    """In the order of the entries, whichever check found them."""
    path = question_file([
        {"question": "a", "target": {"path": "gone.py", "line": 1}},
        {"question": "b"},
        {"question": "c", "target": {"path": "shop/cart.py", "line": 99}},
    ])  # fmt: skip

    with pytest.raises(BadQuestions) as error:
        load(path, Path("/nowhere"), read)

    assert [fault.entry for fault in error.value.faults] == [1, 2, 3]


def test_another_language_asks_only_what_it_has(question_file):
    """The rest is left out and counted; none at all is a fault."""
    target = {"path": "shop/cart.py", "line": 4}
    path = question_file([
        {"question": "add", "question_it": "aggiungi", "target": target},
        {"question": "only English", "target": target},
    ])  # fmt: skip

    found = load(path, Path("/nowhere"), read, "it")

    assert [question.text for question in found.questions] == ["aggiungi"]
    assert found.questions[0].id == "add"
    assert found.warnings == ("1 of 2 entries have question_it",)
    with pytest.raises(BadQuestions, match="has no question_de in any entry"):
        load(path, Path("/nowhere"), read, "de")


def git(root, *words):
    """A commit needs an author."""
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    run = subprocess.run(
        ["git", "-C", str(root), *author, *words], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_the_revision_is_checked(question_file, tmp_path):
    """A tag or a hash of the commit that is checked out is fine, any other is a fault."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    git(root, "tag", "v1")
    head = git(root, "rev-parse", "HEAD")
    entry = {"question": "q", "target": {"path": "shop/cart.py", "line": 4}}

    def of(revision):
        return load(question_file({"revision": revision, "questions": [entry]}), root, read)

    assert of("v1").warnings == ()
    assert of(head[:10]).revision == head[:10]
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    with pytest.raises(BadQuestions, match=rf"is for revision v1; .* is at (?!{head[:12]})"):
        of("v1")
    for unknown in ("v9", "--help", "-x"):
        with pytest.raises(BadQuestions, match="which this repository does not know"):
            of(unknown)


def test_a_revision_outside_a_repository_is_only_doubtful(question_file, tmp_path):
    """An unpacked archive has none to compare with."""
    root = tmp_path / "unpacked"
    root.mkdir()
    entry = {"question": "q", "target": {"path": "shop/cart.py", "line": 4}}

    found = load(question_file({"revision": "v1", "questions": [entry]}), root, read)

    assert found.warnings == (f"revision v1 was not checked: {root} is no git checkout",)


def test_a_hit_covers_a_line_in_its_file_or_a_copy():
    """Lines are inclusive at both ends."""
    hit = Hit("a.py", 3, 5, "", "python", "source", "", 1.0, {}, {}, "", verified=True)
    copy = replace(hit, path="b.py", copies=("a.py",))

    assert [Place("a.py", line).covered_by(hit) for line in (2, 3, 5, 6)] == [
        False, True, True, False,
    ]  # fmt: skip
    assert Place("a.py", 4).covered_by(copy)
    assert not Place("c.py", 4).covered_by(copy)


@pytest.mark.parametrize(
    ("text", "symbol", "lines"),
    [
        ("x = f()\ndef f():\n    f()", "f", [2]),
        ("fn helper() {}\npub(crate) async fn run(x: u8) {}\nrun(1)", "net::run", [2]),
        ("func (c *Context) Next() {\n\tc.Next()\n}", "Context.Next", [1]),
        ("/* sort(): the main one */\nstatic int sort(int *a) {\n  sort(a);\n}", "sort", [2]),
        ("int sort(int *a);\nint sort(int *a) {\n}", "sort", [2]),
        ("  public static <T> T first(List<T> a) {\n    return first(a);", "first", [1]),
        ("function M.open(a)\nend\nM.open(1)", "M.open", [1]),
        ("  def self.valid?(x)\n  end\n  valid?(1)", "valid?", [1]),
        ("export const run = () => 1\nrun()", "run", [1]),
        ("data class Point(val x: Int)\nPoint(1)", "Point", [1]),
        ("defmodule App.Cart do\n  def add(x), do: x", "App.Cart", [1]),
        ("fun <T> List<T>.second() = this[1]", "second", [1]),
        ("LIMIT: 3\nuse LIMIT", "LIMIT", [1, 2]),
        ("nothing here", "LIMIT", []),
    ],
)
def test_definitions_are_told_from_uses(text, symbol, lines):
    """By keyword, then by shape, and where nothing tells them apart every mention is named."""
    assert definition_lines(text, symbol) == lines
