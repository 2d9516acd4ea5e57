"""
The file of a static model: a table of words, each with a weight and an int8 vector.

It is mapped into memory and read in place, because a question needs a dozen of its
fifty thousand words and must not wait for the others: a word is found by binary
search, and only its own row is read and checked.

Layout, little-endian::

    header   magic, version, dimension, words, sections, digest of all that follows
             the table                                                    (HEADER)
    table    one entry a section: name, CRC-32, offset, size              (SECTION)
    check    CRC-32 of header and table
    sections words    the words in UTF-8, sorted by their bytes, each ended by LF
             starts   uint32[words + 1], where each begins in ``words``
             weights  float32[words], how much each counts in a text
             scales   float32[words], what one int8 step of its vector is worth
             checks   uint32[words], CRC-32 of each row of ``vectors``
             vectors  int8[words, dimension]

A reader takes the sections it knows by name and passes over the others, so that a
later model can bring more (an encoder for questions) and old readers still work.
Versions: 1, the above.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from fiuto.errors import ModelUnavailable

__all__ = ["HEADER", "MAGIC", "SECTION", "VERSION", "StaticFile", "open_file"]

MAGIC = b"\x89fiuto\r\n"
"""As in PNG: a high byte and a line ending show a file that went through as text."""
VERSION = 1
HEADER = struct.Struct("<8sHHIH16s")
SECTION = struct.Struct("<8sIQQ")
_CHECK = struct.Struct("<I")
_START_END = struct.Struct("<II")
_FLOAT = struct.Struct("<f")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """An open model file; ``sections`` are views into the map, nothing is copied."""

    path: Path
    dimension: int
    size: int
    """How many words there are."""
    digest: str
    """BLAKE2b-128 of everything behind the table, hexadecimal: the model's revision."""
    sections: Mapping[str, memoryview]
    checks: Mapping[str, int]

    def find(self, word: str) -> int | None:
        """The row of a word, or None where it is not in the table."""
        key = word.encode("utf-8", "replace")
        row = bisect_left(range(self.size), key, key=self._word)
        return row if row < self.size and self._word(row) == key else None

    def weighted(self, row: int) -> tuple[float, memoryview]:
        """
        The factor (weight times scale) of a row and its int8 values.

        Raises:
            ModelUnavailable: the row is damaged.
        """
        values = self.sections["vectors"][row * self.dimension : (row + 1) * self.dimension]
        (check,) = _CHECK.unpack_from(self.sections["checks"], row * _CHECK.size)
        if crc32(values) != check:
            raise damaged(self.path, f"row {row}")
        (weight,) = _FLOAT.unpack_from(self.sections["weights"], row * _FLOAT.size)
        (scale,) = _FLOAT.unpack_from(self.sections["scales"], row * _FLOAT.size)
        return weight * scale, values.cast("b")

    def verify(self, *names: str) -> None:
        """
        Read the named sections, or all of them, and compare their checksums.

        Raises:
            ModelUnavailable: one of them is damaged.
        """
        for name in names or self.sections:
            if crc32(self.sections[name]) != self.checks[name]:
                raise damaged(self.path, f"section {name!r}")

    def _word(self, row: int) -> bytes:
        start, end = _START_END.unpack_from(self.sections["starts"], row * 4)
        return bytes(self.sections["words"][start : end - 1])


def open_file(path: Path) -> StaticFile:
    """
    Map a model file and check its header, its extent and its table of words.

    Raises:
        ModelUnavailable: missing, unreadable, of another version, or damaged.
    """
    try:
        with path.open("rb") as stream:
            mapped = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # an empty file cannot be mapped: ValueError
        raise ModelUnavailable(
            f"the model file {path} cannot be read ({error}); install fiuto again"
        ) from error
    file = _parse(path, mapped)
    file.verify("words", "starts")
    return file


def _parse(path: Path, mapped: memoryview) -> StaticFile:
    if mapped[: len(MAGIC)] != MAGIC or len(mapped) < HEADER.size:
        raise damaged(path, "header")
    _, version, dimension, size, count, digest = HEADER.unpack_from(mapped)
    if version != VERSION:
        raise ModelUnavailable(
            f"the model file {path} has format {version}, this fiuto reads {VERSION}; "
            f"install the fiuto that it came with"
        )
    end = HEADER.size + count * SECTION.size
    if len(mapped) < end + _CHECK.size or (crc32(mapped[:end]),) != _CHECK.unpack_from(mapped, end):
        raise damaged(path, "header")
    sections: dict[str, memoryview] = {}
    checks: dict[str, int] = {}
    for name, check, offset, length in SECTION.iter_unpack(mapped[HEADER.size : end]):
        if offset + length > len(mapped):
            raise damaged(path, "cut short")
        sections[name.rstrip(b"\0").decode("ascii")] = mapped[offset : offset + length]
        checks[name.rstrip(b"\0").decode("ascii")] = check
    wanted = {"starts": 4 * (size + 1), "weights": 4 * size, "scales": 4 * size}
    wanted |= {"checks": 4 * size, "vectors": size * dimension}
    if "words" not in sections or any(
        len(sections.get(name, b"")) != length for name, length in wanted.items()
    ):
        raise damaged(path, "sections")
    return StaticFile(path, dimension, size, digest.hex(), sections, checks)


def damaged(path: Path, what: str) -> ModelUnavailable:
    """The error for a file whose bytes are not those that were written."""
    return ModelUnavailable(f"the model file {path} is damaged ({what}); install fiuto again")
