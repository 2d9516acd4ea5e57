"""
A progress bar for people who wait.

Drawn on standard error, only where that is a terminal and only once the work has
taken a moment; Rich is imported at that point and not before.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fiuto.cli.terminal import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["Bar", "progress_bar"]

_PATIENCE = 0.3
"""Seconds before a bar appears: a warm search never shows one."""

_PERIOD = 0.05
"""Seconds between two updates; a scan reports each of 100,000 files."""

_STAGES = {
    "scan": "Looking for files",
    "read": "Reading",
    "embed": "Embedding",
    "commit": "Writing",
    "download": "Fetching",
}


class Bar:
    """Called as :data:`fiuto.protocols.Progress`; draws when it is time."""

    def __init__(self, *, patience: float = _PATIENCE) -> None:
        self._started = time.monotonic()
        self._patience = patience
        self._last = 0.0
        self._stage = ""
        self._progress: RichProgress | None = None
        self._task: TaskID | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._started < self._patience:
            return
        if stage == self._stage and now - self._last < _PERIOD:
            return
        self._last = now
        progress = self._progress = self._progress or _rich()
        if stage != self._stage:
            if self._task is not None:
                progress.remove_task(self._task)
            self._stage = stage
            self._task = progress.add_task(_STAGES.get(stage, stage), total=total or None)
        assert self._task is not None
        progress.update(self._task, completed=done, total=total or None)

    def close(self) -> None:
        """Take the bar away; the terminal is as before."""
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def progress_bar() -> Iterator[Bar | None]:
    """A bar for the work inside, or None where nobody would see it."""
    if not is_terminal(sys.stderr):
        yield None
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


def _rich() -> RichProgress:
    from rich.console import Console  # noqa: PLC0415 - 150 ms
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    progress.start()
    return progress
