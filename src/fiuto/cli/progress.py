"""
A progress bar for people who wait.

Drawn on standard error, only where that is a terminal and only once the work has
taken a moment; Rich is imported at that point and not before.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fiuto.cli.figures import size
from fiuto.cli.terminal import is_terminal
from fiuto.protocols import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["Bar", "progress_bar"]

_PATIENCE = 0.3
"""Seconds before a bar appears: a warm search never shows one."""

_PERIOD = 0.05
"""Seconds between two updates; a run reports each of 100,000 files."""

_STAGES = {
    "scan": "Looking for files",
    "read": "Reading",
    "embed": "Embedding",
    "deep": "Reading deeply",
    "commit": "Writing",
    "download": "Fetching",
}


class Bar:
    """Called as :data:`fiuto.protocols.Progress`, from any thread; draws when it is time."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._last = 0.0
        self._stage = ""
        self._progress: RichProgress | None = None
        self._task: TaskID | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        with self._lock:
            now = time.monotonic()
            early = now - self._started < _PATIENCE
            if early or (stage == self._stage and now - self._last < _PERIOD):
                return
            self._last = now
            progress = self._progress = self._progress or _rich()
            if stage != self._stage:
                # A new task, because a total once known cannot become unknown again.
                if self._task is not None:
                    progress.remove_task(self._task)
                self._stage = stage
                self._task = progress.add_task(_STAGES.get(stage, stage), total=None, amount="")
            assert self._task is not None  # there is a stage
            told = size if stage == "download" else "{:,}".format
            amount = f"{told(done)} of {told(total)}" if total else ""
            progress.update(self._task, completed=done, total=total or None, amount=amount)

    def close(self) -> None:
        """Take the bar away; the terminal is as before."""
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar for the work inside, where somebody sees it."""
    if not is_terminal(sys.stderr):
        yield _unseen
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


def _unseen(_stage: str, _done: int, _total: int) -> None:
    """Progress for nobody."""


def _rich() -> RichProgress:
    from rich.console import Console  # noqa: PLC0415 - 150 ms
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    progress.start()
    return progress
