"""Keeps an index fresh for as long as somebody wants: one refresh after each burst of changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from fiuto.engine.bell import Bell
from fiuto.engine.index import Index
from fiuto.errors import FiutoError
from fiuto.model import RefreshReport
from fiuto.protocols import Progress

__all__ = ["keep_fresh"]

_QUIET = 0.3
"""Seconds without a change before a refresh; longer where the last refresh took longer, so
that a build that writes without end costs at most half of a processor."""
_PATIENCE = 10
"""A refresh starts after so many of these pauses even if changes go on."""
_LOOK = 0.5
"""Seconds between two looks for a folder that is gone, or was replaced by another."""
_ANYWAY = 600.0
"""Seconds after which the folder is compared even if nothing rang: notices can get lost."""
_UNTOLD = 30.0
"""The same where the system sends none."""


def keep_fresh(
    root: Path, opener: Callable[[], Index], stop: threading.Event, progress: Progress
) -> Iterator[RefreshReport | str]:
    """
    Refresh now, then after each burst of changes, until ``stop``.

    Yields the report of each refresh, and in one line each what is in the way: a
    folder that is gone (it is waited for), a refresh that failed (the next is tried).

    Args:
        root: the folder, links resolved.
        opener: opens its index; called again when settings changed.
        stop: set from another thread or a signal's handler.
        progress: called with (stage, done, total) while indexing.
    """
    while not stop.is_set():
        if not root.is_dir():
            yield f"{root} is gone; waiting for it"
            while not root.is_dir() and not stop.wait(_LOOK):
                pass
            continue
        yield from _while_it_stands(root, opener, stop, progress)


def _while_it_stands(
    root: Path, opener: Callable[[], Index], stop: threading.Event, progress: Progress
) -> Iterator[RefreshReport | str]:
    """Until the folder is gone or another, the settings changed, or notices may be missed."""
    try:
        index = opener()
    except FiutoError as error:
        yield str(error)
        stop.wait(_LOOK * 10)
        return
    with index, Bell(root, (index.place.folder.parents[1],)) as bell:
        if bell.broken:
            yield f"no notices of changes ({bell.broken}): looking every {_UNTOLD:.0f} s"
        itself = _identity(root)
        while not stop.is_set():
            bell.hush()
            started = time.monotonic()
            try:
                yield index.refresh(progress=progress)
            except (FiutoError, OSError) as error:
                if _identity(root) == itself and not stop.is_set():
                    yield f"not refreshed: {error}"
            took = time.monotonic() - started
            until = started + (_UNTOLD if bell.broken else _ANYWAY)
            while not bell.wait(_LOOK) and not stop.is_set() and time.monotonic() < until:
                if _identity(root) != itself:
                    return
            if bell.broken == "" and time.monotonic() >= until:
                return
            _settle(bell, stop, max(_QUIET, took))
            if bell.worn or bell.changed_settings or _identity(root) != itself:
                return


def _settle(bell: Bell, stop: threading.Event, pause: float) -> None:
    """Wait until nothing changed for ``pause`` seconds, but not for ever."""
    until = time.monotonic() + _PATIENCE * pause
    while not stop.is_set() and time.monotonic() < min(bell.last + pause, until):
        stop.wait(0.05)


def _identity(root: Path) -> tuple[int, int]:
    try:
        status = root.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
