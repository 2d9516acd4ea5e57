"""
Standard input and output, as lines that two readers can share one after the other.

While they are claimed, whatever else reads or prints in this process meets the null device
and standard error: the lines belong to the protocol.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

__all__ = ["END", "Wire", "claimed"]

END = ""
"""Read where there will be no more lines."""


class Wire:
    """
    Lines in and lines out, from any thread.

    Args:
        reading: the descriptor that lines come from.
        writing: the descriptor that lines go to.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reading = reading
        self._writing = writing
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, daemon=True).start()

    def line(self) -> str:
        """The next line, waited for; `END` after the last."""
        return self._lines.get()

    def put(self, line: str) -> None:
        """Have ``line`` read as if it had come in."""
        self._lines.put(line)

    def write(self, text: str) -> None:
        """
        Write whole lines.

        Raises:
            BrokenPipeError: nobody reads them.
        """
        data = text.encode()
        with self._lock:
            while data:
                data = data[os.write(self._writing, data) :]

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        self.write(json.dumps(message, separators=(",", ":")) + "\n")

    def _read(self) -> None:
        with os.fdopen(self._reading, "rb", closefd=False) as stream:
            for line in stream:
                self._lines.put(line.decode("utf-8", "replace"))
        self._lines.put(END)


@contextmanager
def claimed() -> Iterator[Wire]:
    """Standard input and output, and nobody else's until the end."""
    reading, writing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    if sys.stdout is not None:
        sys.stdout.flush()
    os.dup2(2, 1)
    wire = Wire(reading, writing)
    wire.start()
    try:
        yield wire
    finally:
        os.dup2(writing, 1)
        os.dup2(reading, 0)
