"""Tests of fiuto.cli.why."""

from __future__ import annotations

from pathlib import Path

import pytest

from fiuto.engine.places import place_of
from fiuto.model import Found, Skipped, Stamp


def test_an_indexed_file_is_exit_code_0(fake, run, tmp_path: Path) -> None:
    """The current folder is the one in question."""
    fake.found = Found("a.py", Stamp(1, 2, 3, 4))

    result = run("why", "a.py", "--include", "*.lock", "--secrets")

    assert (result.exit_code, result.stdout) == (0, "a.py: indexed\n")
    assert tmp_path / "a.py" == fake.asked["path"]
    assert str(tmp_path) == fake.opened["root"]
    assert (fake.opened["include"], fake.opened["secrets"]) == (("*.lock",), True)


def test_a_file_that_is_left_out_is_exit_code_1_with_the_rule(fake, run) -> None:
    """The reason, what it means, and the detail."""
    fake.found = Skipped("k.pem", "secret", "a private key")
    full = run("why", "k.pem")
    fake.found = Skipped("k.pem", "binary")
    bare = run("why", "k.pem")

    assert full.stdout == (
        "k.pem: left out as secret: It holds a key, a token or a password and is withheld. "
        "(a private key)\n"
    )
    assert bare.stdout == "k.pem: left out as binary: It is not text.\n"
    assert (full.exit_code, bare.exit_code) == (1, 1)


def test_a_folder_is_searched_or_left_out(fake, run, tmp_path: Path) -> None:
    """It is no file to be indexed."""
    (tmp_path / "src").mkdir()
    fake.found = Found("src", Stamp(1, 2, 3, 4))

    assert run("why", "src").stdout == "src: a folder that is searched\n"


def test_a_file_outside_is_looked_up_in_the_innermost_index(
    fake, run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From anywhere; where none holds it, the engine says so about the current folder."""
    monkeypatch.setenv("FIUTO_HOME", str(tmp_path / "home"))
    for root in ("app", "app/inner", "app/inner/deep"):
        place_of(tmp_path / "home", tmp_path / root, "default").note()
    here = tmp_path / "elsewhere"
    here.mkdir()
    monkeypatch.chdir(here)
    fake.found = Found("a.py", Stamp(1, 2, 3, 4))

    run("why", "../app/inner/a.py")
    inner = fake.opened["root"]
    run("why", "../a.py")

    assert str(tmp_path / "app/inner") == inner
    assert str(here) == fake.opened["root"]


def test_a_link_is_asked_about_itself(fake, run, tmp_path: Path) -> None:
    """Not about what it leads to."""
    (tmp_path / "link").symlink_to(tmp_path / "other")
    fake.found = Skipped("link", "link")

    run("why", "link")

    assert tmp_path / "link" == fake.asked["path"]
