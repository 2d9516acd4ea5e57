"""Tests of fiuto.cli.index."""

from __future__ import annotations

import json

from cli_fakes import status_of


def test_a_refresh_is_told_in_a_line(fake, run) -> None:
    """What changed, what it cost, what was left out."""
    result = run("index")

    assert result.exit_code == 0
    assert result.stdout == (
        "2 files, 5 chunks: 1 added, 2 changed; 40 embedded, 3 reused, 1.25 s\n"
        "3 skipped: 2 binary, 1 image ('fiuto status --skipped' names them)\n"
    )
    assert fake.asked["rebuild"] is False


def test_truncated_chunks_and_warnings_are_told(fake, run) -> None:
    """A model that reads only the start of a chunk is a fact to know."""
    fake.status_ = status_of(skipped={}, truncated=4)
    fake.warnings = ("the index was built anew: embedder a -> b",)

    result = run("index", "--rebuild", "--embedder", "b")

    assert result.stdout.splitlines(True)[-1] == "the embedder read only the start of 4 chunks\n"
    assert result.stderr == "fiuto: warning: the index was built anew: embedder a -> b\n"
    assert (fake.opened["embedder"], fake.asked["rebuild"]) == ("b", True)


def test_json_carries_the_warnings(fake, run, tmp_path) -> None:
    """One object, nothing beside it."""
    fake.warnings = ("careful",)

    result = run("index", str(tmp_path), "--json")

    data = json.loads(result.stdout)
    assert (
        data["embedded"], data["reused"], data["generation"], data["warnings"], result.stderr,
    ) == (40, 3, 7, ["careful"], "")  # fmt: skip
    assert str(tmp_path) == fake.opened["root"]


def test_reading_deeply_is_told_in_a_line(run, fake) -> None:
    """After the index itself, and only where it was asked for."""
    lines = run("index", "--deep").stdout.splitlines()
    told = "deep, reader (revision 1, 16 dimensions): 9 windows, 4 read now, 0.50 s"
    assert lines[-1] == told
    assert told not in run("index").stdout


def test_reading_deeply_as_data(run, fake) -> None:
    """One object still."""
    data = json.loads(run("index", "--deep", "--json").stdout)
    assert data["deep"] == {
        "embedder": "reader (revision 1, 16 dimensions)", "windows": 9, "read": 4, "seconds": 0.5,
    }  # fmt: skip
    assert "deep" not in json.loads(run("index", "--json").stdout)
