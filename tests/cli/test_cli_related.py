"""Tests of fiuto.cli.related."""

from __future__ import annotations

import json

import pytest
from cli_fakes import hit


def test_the_place_reaches_the_engine(fake, run, tmp_path) -> None:
    """Its file absolute, its first line, and the options of a search."""
    fake.hits, fake.source = (hit("src/b.py", 9),), hit("src/a.py", 3)
    shown = run("related", "src/a.py:3-5", "-k", "4", "--only", "source", "--mode", "lexical")

    assert shown.exit_code == 0
    assert shown.stdout.startswith("src/b.py:9-11  block\n")
    assert fake.asked["path"] == tmp_path / "src/a.py"
    assert (fake.asked["line"], fake.asked["k"], fake.asked["only"]) == (3, 4, ("source",))


def test_json_names_the_source(fake, run) -> None:
    """The chunk that was asked about, without its text."""
    fake.hits, fake.source = (hit("src/b.py"),), hit("src/a.py", 3)
    data = json.loads(run("related", "src/a.py:4", "--json").stdout)

    assert data["source"] == {
        "path": "src/a.py", "start": 3, "end": 5, "symbol": "block", "verified": True,
    }  # fmt: skip


@pytest.mark.parametrize("place", ["src/a.py", "src/a.py:", "src/a.py:x", ":3"])
def test_what_is_no_place(fake, run, place) -> None:
    """Exit code 2 and how to write one."""
    done = run("related", place)

    assert done.exit_code == 2
    assert "write FILE:LINE" in done.stderr


def test_none_like_it(fake, run) -> None:
    """Exit code 1."""
    fake.source = hit()
    assert run("related", "src/a.py:3").exit_code == 1
