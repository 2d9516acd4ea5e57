"""``fiuto watch``: keep the index of a folder fresh while its files change."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Unpack

import click

from fiuto.cli.failures import FOUND
from fiuto.cli.figures import changes_figure, counted
from fiuto.cli.options import IndexOptions, folder_of, index_options, open_asked
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import give, say, warn
from fiuto.engine.watching import keep_fresh
from fiuto.errors import UsageError
from fiuto.model import RefreshReport

__all__ = ["watch"]


class _Stopped(Exception):
    """A refresh was left because the command is to end."""


@click.command(epilog="Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 an error.")
@click.argument("path", default=".")
@index_options
def watch(path: str, **asked: Unpack[IndexOptions]) -> int:
    """
    Keep the index of the folder PATH fresh, until Ctrl-C.

    Searches find it up to date and need not look for changes themselves.  One line for
    each refresh that found something.
    """
    root = Path(folder_of(path)).resolve()
    if not root.is_dir():
        raise UsageError(f"{path} is no folder; name the folder to watch")
    open_asked(str(root), asked).close()  # mistakes in the options end it now, not later
    with _until_told() as stop, progress_bar() as bar:

        def progress(stage: str, done: int, total: int) -> None:
            if stop.is_set():
                raise _Stopped
            bar(stage, done, total)

        first = True
        try:
            for news in keep_fresh(root, lambda: open_asked(str(root), asked), stop, progress):
                if isinstance(news, str):
                    say(f"fiuto: {news}")
                elif first or _worth_a_line(news):
                    warn(news.warnings)
                    give(_told(news))
                    first = False
        except _Stopped:
            say("fiuto: stopped while indexing; what was done is kept")
    return FOUND


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second one ends the process as ever."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def told(number: int, _frame: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, told)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _worth_a_line(report: RefreshReport) -> bool:
    return bool(report.added or report.changed or report.removed or report.warnings)


def _told(report: RefreshReport) -> str:
    """One line: ``14:02:11  3 changed, 1 removed: 113 files, 458 chunks, 0.21 s``."""
    counts = report.status.counts
    held = f"{counted(counts.files, 'file')}, {counted(counts.chunks, 'chunk')}"
    now, changes = time.strftime("%H:%M:%S"), changes_figure(report) or "fresh"
    return f"{now}  {changes}: {held}, {report.seconds:.2f} s\n"
