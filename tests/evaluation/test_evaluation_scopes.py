"""Parts of a tree, as ``--scope`` names them."""

from __future__ import annotations

import pytest

from fiuto.errors import UsageError
from fiuto.evaluation.scopes import Scope, parse_scope
from fiuto.model import SourceFile, Stamp

FILES = [
    SourceFile(path, "", Stamp(0, 0, 0, 0), "", "", label)
    for path, label in (
        ("README.md", "docs"),
        ("src/a.py", "source"),
        ("src/deep/b.py", "source"),
        ("src2/c.py", "source"),
        ("tests/t.py", "test"),
    )
]


@pytest.mark.parametrize(
    ("text", "scope", "selected"),
    [
        ("all", Scope("all"), [file.path for file in FILES]),
        ("src/**", Scope("src/**", paths=("src/**",)), ["src/a.py", "src/deep/b.py"]),
        ("src/*", Scope("src/*", paths=("src/*",)), ["src/a.py"]),
        ("*.md", Scope("*.md", paths=("*.md",)), ["README.md"]),
        (
            "label:test,docs",
            Scope("label:test,docs", only=("test", "docs")),
            ["README.md", "tests/t.py"],
        ),
        ("nowhere", Scope("nowhere", paths=("nowhere",)), []),
    ],
)
def test_scopes(text, scope, selected):
    """Everything, a glob as everywhere else, or labels; what matches nothing selects nothing."""
    assert parse_scope(text) == scope
    assert scope.select(FILES) == selected


@pytest.mark.parametrize("text", ["label:sorce", "label:", "[", ""])
def test_scopes_that_mean_nothing(text):
    """An error before anything is asked."""
    with pytest.raises(UsageError):
        parse_scope(text)
