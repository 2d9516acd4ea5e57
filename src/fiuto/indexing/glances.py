"""
Remembers the last walk that found an index to be fresh, so that the next one need not be made.

A note beside the index: for which generation it holds, whether every file had its vectors,
and what the scanner needs to tell that nothing has changed.  Losing it costs one walk.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fiuto.model import Stamp
from fiuto.protocols import Glancing, Scanner

__all__ = ["Glances"]

_FEWEST = 300
"""Files from which on a note pays."""
_HEAD = struct.Struct("<q?")


class Glances:
    """Reads and writes the note in ``path``; None, or a scanner of another kind: there is none."""

    def __init__(self, scanner: Scanner, path: Path | None) -> None:
        self._scanner = scanner if isinstance(scanner, Glancing) else None
        self._path = path

    def holds(self, generation: int, *, embeddable: bool) -> bool:
        """Whether the folder is just as the index of ``generation`` has it."""
        if self._scanner is None or self._path is None:
            return False
        try:
            data = self._path.read_bytes()
            noted, embedded = _HEAD.unpack_from(data)
        except (OSError, struct.error):
            return False
        if noted != generation or (embeddable and not embedded):
            return False
        return self._scanner.is_unchanged(data[_HEAD.size :])

    def keep(
        self, generation: int, files: int, settled: Callable[[Stamp], bool], *, embeddable: bool
    ) -> None:
        """Note the walk just made, by which the index of ``generation`` has all as it is."""
        if self._scanner is None or self._path is None or files < _FEWEST:
            return
        data = self._scanner.glance(settled)
        if data is None:
            return
        draft = self._path.with_suffix(".new")
        with suppress(OSError):  # an index that can only be read is looked through each time
            draft.write_bytes(_HEAD.pack(generation, embeddable) + data)
            draft.replace(self._path)
