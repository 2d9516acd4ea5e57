"""
Remembers the walk by which an index came to be fresh, so that the next one need not be made.

A note beside the index: for which generation it holds, whether every file had its vectors,
and what the scanner needs to tell what has changed.  Losing it costs one walk.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fiuto.model import Glimpse, Stamp
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
        self.embedded = False
        """Whether all files of the generation asked about are known to have their vectors."""

    def look(
        self, generation: int, settled: Callable[[Stamp], bool], *, embeddable: bool
    ) -> Glimpse | None:
        """How the folder differs from the index of ``generation``; None where a walk must tell."""
        if self._scanner is None or self._path is None:
            return None
        try:
            data = self._path.read_bytes()
            noted, embedded = _HEAD.unpack_from(data)
        except (OSError, struct.error):
            return None
        if noted != generation or (embeddable and not embedded):
            return None
        self.embedded = embedded
        return self._scanner.glimpse(data[_HEAD.size :], settled)

    def of_walk(self, files: int, settled: Callable[[Stamp], bool]) -> bytes | None:
        """What the last walk, which found so many files, tells of later changes."""
        if self._scanner is None or self._path is None or files < _FEWEST:
            return None
        return self._scanner.glance(settled)

    def keep(self, generation: int, glance: bytes, *, embedded: bool) -> None:
        """Note that the index of ``generation`` has all that ``glance`` tells of."""
        if self._path is None:
            return
        draft = self._path.with_suffix(".new")
        with suppress(OSError):  # an index that can only be read is looked through each time
            draft.write_bytes(_HEAD.pack(generation, embedded) + glance)
            draft.replace(self._path)
