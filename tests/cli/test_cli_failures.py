"""Tests of fiuto.cli.failures: every ending is one line and a code."""

from __future__ import annotations

import pytest

from fiuto.errors import IndexBusy, ModelUnavailable, UsageError


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UsageError("the question is empty"), "the question is empty"),
        (IndexBusy("locked\nby somebody"), "locked by somebody"),
        (ModelUnavailable("no weights"), "no weights"),
        (
            PermissionError(13, "Permission denied", "/cache/fiuto"),
            "/cache/fiuto: Permission denied",
        ),
        (OSError(28, "No space left on device"), "/home/index: No space left on device"),
        (
            KeyError("x"),
            "unexpected KeyError: 'x'; this is a fault in fiuto: 'fiuto --debug …' shows where",
        ),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    fake, run, monkeypatch, error: Exception, line: str
) -> None:
    """No traceback; a file without a name is one of the index's."""
    monkeypatch.setenv("FIUTO_HOME", "/home/index")
    fake.raises = error

    result = run("search", "q")

    assert (2, "", f"fiuto: {line}\n") == (result.exit_code, result.stdout, result.stderr)
    assert fake.closed


def test_debug_shows_the_traceback_before_the_line(fake, run) -> None:
    """For a report of a fault."""
    fake.raises = KeyError("x")

    result = run("--debug", "search", "q")

    assert result.exit_code == 2
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert result.stderr.splitlines()[-1].startswith("fiuto: unexpected KeyError: 'x'")


def test_ctrl_c_is_exit_code_130_and_says_what_is_kept(fake, run) -> None:
    """One line."""
    fake.raises = KeyboardInterrupt()

    result = run("index")

    assert result.exit_code == 130
    assert (
        result.stderr
        == "fiuto: stopped; what was done is kept, and the next run goes on from there\n"
    )


def test_a_reader_that_went_away_is_no_error(fake, run) -> None:
    """``| head -1``."""
    fake.raises = BrokenPipeError(32, "Broken pipe")

    result = run("search", "q")

    assert (result.exit_code, result.stderr) == (0, "")
