"""A small tree with known answers, and runs that were never made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fiuto.evaluation.run import Cell, Column, IndexFacts, Row, Run, ScopeRun
from fiuto.evaluation.targets import Place, Question

FILES = {
    "src/shop/cart.py": '''"""What a customer wants to buy."""


class Cart:
    def add(self, item, amount):
        """Put something into the basket, or more of it where it lies there already."""
        self.items[item] = self.items.get(item, 0) + amount
        return self.items[item]

    def total(self, prices):
        rows = self.items.items()
        return sum(prices[item] * amount for item, amount in rows)
''',
    "src/shop/login.py": '''def check_password(user, given):
    """Compare the hash of what was typed with the one on file."""
    wanted = user.digest
    return constant_time_equal(hash_of(given), wanted)


def lock_out(user, attempts):
    if attempts > 5:
        user.blocked = True
        user.save()
''',
    "tests/test_login.py": """from shop.login import check_password, lock_out


def test_a_wrong_password_is_refused():
    assert not check_password(USER, "guess")


def test_too_many_attempts_block_the_user():
    lock_out(USER, attempts=6)
    assert USER.blocked
""",
    "README.md": "# Shop\n\nBlock users after five wrong passwords.\n",
}

QUESTIONS = [
    {
        "question": "where are users blocked after too many wrong guesses",
        "grep_phrase": "wrong guesses",
        "grep_word": "block",
        "target": {"path": "src/shop/login.py", "symbol": "lock_out"},
    },
    {
        "question": "how much does everything in the basket cost",
        "target": {"path": "src/shop/cart.py", "symbol": "Cart.total", "line": 10},
    },
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with two sources, a test and a page."""
    root = tmp_path / "shop"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture
def question_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a question file; the good one where nothing is given."""

    def write(data: Any = QUESTIONS, name: str = "questions.json") -> Path:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where indexes are kept."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FIUTO_HOME", str(folder))
    for name in ("FIUTO_EMBEDDER", "FIUTO_CHUNKER", "FIUTO_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def made() -> Callable[..., Run]:
    """A run from ranks alone: column -> rank for each question."""

    def make(ranks: dict[str, list[int | None]], **changed: Any) -> Run:
        kinds = {"fair grep": "grep", "BM25": "lexical", "static": "semantic"}
        columns = tuple(
            Column(name, kinds.get(name, name.partition(" ")[0]))  # type: ignore[arg-type]
            for name in ranks
        )
        n = len(next(iter(ranks.values())))
        rows = tuple(
            Row(
                question=Question(f"q{i}", f"question {i}", (Place("a.py", i + 1, f"name{i}"),)),
                phrase_lines=0,
                word_lines=i,
                cells={
                    name: Cell(given[i], given[i], 100 * (given[i] or 99), 0.001)
                    for name, given in ranks.items()
                },
            )
            for i in range(n)
        )
        whole = ScopeRun("all", files=7, chunks=30, outside=0, rows=rows)
        facts = IndexFacts("static", "static (revision 1)", "lines/1", 7, 30, 999, 2)
        run = {
            "title": "made.json", "root": "/made", "revision": "", "profile": "default",
            "seed": 0, "columns": columns, "reference": columns[-1].name,
            "indexes": (facts,), "scopes": (whole,),
        }  # fmt: skip
        return Run(**{**run, **changed})

    return make
