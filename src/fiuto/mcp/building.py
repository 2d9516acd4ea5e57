"""The first index of a root, made in the background so that a call need not wait for it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from fiuto.errors import FiutoError

if TYPE_CHECKING:
    from fiuto.engine import Index
    from fiuto.protocols import Progress

__all__ = ["Build"]

_TELL = 0.2
"""Seconds between two looks at how far it is."""


class _Stopped(Exception):
    """The server ends; what was committed is kept."""


class Build:
    """
    One run; begins when made.

    Args:
        index: of its own, because it is held all the time; closed at the end.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._stop = False
        self._stage = ("scan", 0, 0)
        self._files = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has ended, well or not: then whoever asks next will find out."""
        return self._over.is_set()

    def wait(self, seconds: float, progress: Progress) -> bool:
        """Whether it ends within ``seconds``; ``progress`` is told from this thread."""
        until = time.monotonic() + seconds
        while not self._over.wait(_TELL):
            progress(*self._stage)
            if time.monotonic() > until:
                return False
        return True

    def so_far(self, files: int) -> str:
        """How complete an index is that holds ``files``, in a sentence for an agent."""
        stage, done, total = self._stage
        meaning = stage == "embed" and files > 0  # words come first, so all of those are there
        held = "all files" if meaning else f"{files:,} of {self._files:,} files"
        vectors = f", {done:,} of {total:,} chunks by meaning" if meaning else ""
        return (
            f"the index is still being built: so far it finds words in {held}{vectors}; "
            "ask again later for a complete answer, or use grep meanwhile"
        )

    def stop(self) -> None:
        """Have it end soon, and wait for that a moment."""
        self._stop = True
        self._thread.join(2)

    def _run(self) -> None:
        try:
            self._index.refresh(progress=self._note, words_first=True)
        except (_Stopped, FiutoError, OSError):
            return  # a failure shows again, to the call that refreshes next
        finally:
            self._index.close()
            self._over.set()

    def _note(self, stage: str, done: int, total: int) -> None:
        if self._stop:
            raise _Stopped
        self._stage = (stage, done, total)
        if stage == "read":
            self._files = total
