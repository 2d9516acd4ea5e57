"""
The file of a static model: a table of words, each with a weight and an int8 vector.

It is mapped into memory and read in place, because a question needs a dozen of its
fifty thousand words and must not wait for the others: a word is found by binary
search, and only its own row is read and checked.

Sections of the container, little-endian::

    words    the words in UTF-8, sorted by their bytes, each ended by LF
    starts   uint32[words + 1], where each begins in ``words``
    weights  float32[3, words], how much each counts in code, in a path, in a question
    scales   float32[words], what one int8 step of its vector is worth
    checks   uint32[words], CRC-32 of each row of ``vectors``
    vectors  int8[words, dimension]
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from pathlib import Path
from zlib import crc32

from fiuto.embed.container import Container, damaged, open_at
from fiuto.values import dataclass

__all__ = ["ASKED", "CODE", "PATH", "PATH_SHARE", "StaticFile", "open_file"]

CODE, PATH, ASKED = range(3)
"""Places in ``weights``: a word tells more in a path than in code, and in a question."""
PATH_SHARE = 0.2
"""Of a path's own unit vector, added to that of the whole document: docs/model.md."""

_CHECK = struct.Struct("<I")
_START_END = struct.Struct("<II")
_FLOAT = struct.Struct("<f")


@dataclass(frozen=True, slots=True)
class StaticFile(Container):
    """An open model file, one row a word."""

    def find(self, word: str) -> int | None:
        """The row of a word, or None where it is not in the table."""
        key = word.encode("utf-8", "replace")
        row = bisect_left(range(self.size), key, key=self._word)
        return row if row < self.size and self._word(row) == key else None

    def asked(self, row: int) -> tuple[float, memoryview]:
        """
        The factor of a row in a question (weight times scale) and its int8 values.

        Raises:
            ModelUnavailable: the row is damaged.
        """
        values = self.checked(row)
        at = (ASKED * self.size + row) * _FLOAT.size
        (weight,) = _FLOAT.unpack_from(self.sections["weights"], at)
        (scale,) = _FLOAT.unpack_from(self.sections["scales"], row * _FLOAT.size)
        return weight * scale, values.cast("b")

    def checked(self, row: int) -> memoryview:
        """
        The bytes of a row's int8 values.

        Raises:
            ModelUnavailable: the row is damaged.
        """
        values = self.sections["vectors"][row * self.dimension : (row + 1) * self.dimension]
        (check,) = _CHECK.unpack_from(self.sections["checks"], row * _CHECK.size)
        if crc32(values) != check:
            raise damaged(self.path, f"row {row}")
        return values

    def words(self) -> list[bytes]:
        """All words, in the order of their rows and of their bytes."""
        return bytes(self.sections["words"]).split(b"\n")[:-1]

    def _word(self, row: int) -> bytes:
        start, end = _START_END.unpack_from(self.sections["starts"], row * 4)
        return bytes(self.sections["words"][start : end - 1])


def open_file(path: Path) -> StaticFile:
    """
    Map a model file and check its header, its extent and its table of words.

    Raises:
        ModelUnavailable: missing, unreadable, of another version, or damaged.
    """
    container = open_at(path)
    size = container.size
    container.expect(
        {
            "starts": 4 * (size + 1),
            "weights": 3 * 4 * size,
            "scales": 4 * size,
            "checks": 4 * size,
            "vectors": size * container.dimension,
        }
    )
    if "words" not in container.sections:
        raise damaged(path, "sections")
    container.verify("words", "starts")
    return StaticFile(*(getattr(container, field) for field in Container.__slots__))
