"""
The container that model files share: named sections, mapped into memory and checked.

Layout, little-endian::

    header   magic, version, dimension, rows, sections, digest of all that follows
             the table                                                    (HEADER)
    table    one entry a section: name, CRC-32, offset, size              (SECTION)
    check    CRC-32 of header and table
    sections

A reader takes the sections it knows by name and passes over the others, so that a
later model can bring more and old readers still work.  Versions: 1, the above.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

from fiuto.errors import ModelUnavailable
from fiuto.values import dataclass

__all__ = ["HEADER", "MAGIC", "SECTION", "VERSION", "Container", "assemble", "damaged", "open_at"]

MAGIC = b"\x89fiuto\r\n"
"""As in PNG: a high byte and a line ending show a file that went through as text."""
VERSION = 1
HEADER = struct.Struct("<8sHHIH16s")
SECTION = struct.Struct("<8sIQQ")
_CHECK = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Container:
    """An open model file; ``sections`` are views into the map, nothing is copied."""

    path: Path
    dimension: int
    size: int
    """How many rows the file's main table has."""
    digest: str
    """BLAKE2b-128 of everything behind the table, hexadecimal: the model's revision."""
    sections: Mapping[str, memoryview]
    checks: Mapping[str, int]

    def verify(self, *names: str) -> None:
        """
        Read the named sections, or all of them, and compare their checksums.

        Raises:
            ModelUnavailable: one of them is damaged.
        """
        for name in names or self.sections:
            if crc32(self.sections[name]) != self.checks[name]:
                raise damaged(self.path, f"section {name!r}")

    def expect(self, sizes: Mapping[str, int]) -> None:
        """
        Compare the sizes of sections, in bytes, with what the reader is about to read.

        Raises:
            ModelUnavailable: one is missing or has another size.
        """
        if any(len(self.sections.get(name, b"")) != size for name, size in sizes.items()):
            raise damaged(self.path, "sections")


def open_at(path: Path) -> Container:
    """
    Map a model file and check its header and its extent; the sections are not read.

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
    return _parse(path, mapped)


def _parse(path: Path, mapped: memoryview) -> Container:
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
    return Container(path, dimension, size, digest.hex(), sections, checks)


def assemble(sections: Mapping[str, bytes], size: int, dimension: int) -> bytes:
    """The bytes of a model file with these sections, whose names have up to 8 letters."""
    body = b"".join(sections.values())
    digest = blake2b(body, digest_size=16).digest()
    offset = HEADER.size + len(sections) * SECTION.size + _CHECK.size
    head = HEADER.pack(MAGIC, VERSION, dimension, size, len(sections), digest)
    for name, data in sections.items():
        head += SECTION.pack(name.encode(), crc32(data), offset, len(data))
        offset += len(data)
    return head + _CHECK.pack(crc32(head)) + body


def damaged(path: Path, what: str) -> ModelUnavailable:
    """The error for a file whose bytes are not those that were written."""
    return ModelUnavailable(f"the model file {path} is damaged ({what}); install fiuto again")
