"""
Rings when something below a folder changed, and forgets what.

A thread of its own takes the system's notices as they come, so that a checkout of a
hundred thousand files during a refresh costs no more memory than one file does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

__all__ = ["Bell"]

_STEP_MS = 100
"""How long the system's notices are collected before they are looked at."""
_TIMEOUT_MS = 5_000
_MANY = 8_000
"""Notices in one collection from which some may have been lost: Linux queues 16,384, and
folders made meanwhile may not be watched."""


class Bell:
    """
    Watches one folder; a context manager.

    Args:
        root: the folder, links resolved.
        deaf: folders whose changes mean nothing.
    """

    def __init__(self, root: Path, deaf: Sequence[Path]) -> None:
        self._root = str(root)
        self._deaf = tuple(f"{folder}/" for folder in deaf)
        self._git = f"{root}/.git/"
        self._stop = threading.Event()
        self._rung = threading.Event()
        self._thread: threading.Thread | None = None
        self.last = 0.0
        """When it last rang, by the monotonic clock."""
        self.changed_settings = False
        """Whether a file that may hold settings was among the changes."""
        self.worn = False
        """Whether it should be replaced: the folder itself went, or notices may be lost."""
        self.broken = ""
        """Why the system sends no notices; empty where it does."""

    def __enter__(self) -> Self:
        # The backend itself, which its documentation offers: watch() would not say when it began.
        from watchfiles._rust_notify import RustNotify  # noqa: PLC0415 - only those who watch

        try:
            notices = RustNotify(
                [self._root], debug=False, force_polling=False, poll_delay_ms=0,
                recursive=True, ignore_permission_denied=True,
            )  # fmt: skip
        except OSError as error:
            # Most often the system's limit of watched folders.
            self.broken = error.strerror or str(error)
        else:
            self._thread = threading.Thread(target=self._listen, args=(notices,), daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Whether it rings within ``seconds``."""
        return self._rung.wait(seconds)

    def hush(self) -> None:
        """Forget that it rang."""
        self._rung.clear()

    def _listen(self, notices: RustNotify) -> None:
        with notices:
            while not self._stop.is_set():
                heard = notices.watch(2 * _STEP_MS, _STEP_MS, _TIMEOUT_MS, self._stop)
                if isinstance(heard, str):
                    continue  # nothing for a while, or the end
                self.worn |= len(heard) >= _MANY
                matters = [self._matters(path) for _, path in heard]
                if any(matters):
                    self.last = time.monotonic()
                    self._rung.set()

    def _matters(self, path: str) -> bool:
        if path == self._root:
            self.worn = True
            return True
        if path.startswith(self._git):
            # What git tracks and leaves out; the rest of it changes with every command.
            return path in (f"{self._git}index", f"{self._git}info/exclude")
        if f"{path}/".startswith(self._deaf):
            return False
        name = path[len(self._root) + 1 :]
        self.changed_settings |= name in ("fiuto.toml", "pyproject.toml")
        return True
