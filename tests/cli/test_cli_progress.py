"""Tests of fiuto.cli.progress."""

from __future__ import annotations

import io
import sys

import pytest

from fiuto.cli import progress
from fiuto.cli.progress import Bar, progress_bar


class Terminal(io.StringIO):
    """Remembers what was drawn on it."""

    now = 100.0

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A person at standard error, and a clock that stands still."""
    stream = Terminal()
    # Not in a fixture: pytest puts its own stream back before the test begins.
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(progress.time, "monotonic", lambda: stream.now)
    return stream


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it cost an import of Rich."""
    screen = terminal(monkeypatch)
    with progress_bar() as bar:
        screen.now += 0.29
        bar("read", 1, 2)

    assert isinstance(bar, Bar)
    assert screen.getvalue() == ""


def test_long_work_shows_its_stage_and_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is gone at the end."""
    screen = terminal(monkeypatch)
    with progress_bar() as bar:
        for stage, done, total in (
            ("scan", 0, 0),
            ("read", 1_500, 117_000),
            ("download", 1_000_000, 134_000_000),
        ):
            screen.now += 1
            bar(stage, done, total)
            bar._progress.refresh()
    drawn = screen.getvalue()

    assert "Looking for files" in drawn
    assert "1,500 of 117,000" in drawn
    assert "1.0 MB of 134.0 MB" in drawn
    assert drawn.endswith(("\x1b[2K", "\x1b[1A\x1b[2K"))


def test_many_calls_draw_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run over 100,000 files is not slowed down by telling of it."""
    screen = terminal(monkeypatch)
    drawn = []
    bar = Bar()
    screen.now += 1
    bar("read", 0, 10)
    monkeypatch.setattr(bar._progress, "update", lambda *_args, **more: drawn.append(more))
    for i in range(10):
        screen.now += 0.01
        bar("read", i, 10)
    bar.close()

    assert [more["completed"] for more in drawn] == [4, 9]


def test_a_pipe_gets_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the time it takes."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar() as bar:
        monkeypatch.setattr(progress.time, "monotonic", lambda: 1e9)
        bar("read", 1, 2)

    assert stream.getvalue() == ""
