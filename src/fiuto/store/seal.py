"""
Tells a damaged index file from a good one without reading it each time.

A seal is what the writer saw last: size, modification time and CRC-32 of every
derived file, and size and time of the database.  A file whose size and time still
agree is trusted at the price of a ``stat``; any other is read and its checksum
compared.  So a cut or a flipped byte is found by the next reader, and a copied or
restored folder costs one full check.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from fiuto.values import dataclass

__all__ = [
    "Seal",
    "Sealed",
    "broken",
    "checksum",
    "read_seal",
    "seal_files",
    "stamp_of",
    "write_seal",
]

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Sealed:
    """One file as it was when it was sealed."""

    size: int
    mtime_ns: int
    crc: int


@dataclass(frozen=True, slots=True)
class Seal:
    """The state of a store's files at one generation."""

    generation: int = -1
    database: tuple[int, int] = (-1, -1)
    """(size, mtime_ns) of the database file."""
    files: Mapping[str, Sealed] = field(default_factory=dict)
    """Name relative to the store's folder -> state."""


def checksum(path: Path) -> int:
    """CRC-32 of a file; raises OSError."""
    crc = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            crc = zlib.crc32(block, crc)
    return crc


def stamp_of(path: Path) -> tuple[int, int]:
    """(size, mtime_ns), or (-1, -1) where there is no such file."""
    try:
        stat = path.stat()
    except OSError:
        return (-1, -1)
    return (stat.st_size, stat.st_mtime_ns)


def seal_files(
    folder: Path, names: Iterable[str], known: Mapping[str, Sealed]
) -> dict[str, Sealed]:
    """Seal ``names``; files that are still as in ``known`` are not read again."""
    out: dict[str, Sealed] = {}
    for name in names:
        path = folder / name
        size, mtime_ns = stamp_of(path)
        before = known.get(name)
        if before and (before.size, before.mtime_ns) == (size, mtime_ns):
            out[name] = before
        else:
            out[name] = Sealed(size, mtime_ns, checksum(path))
    return out


def broken(folder: Path, files: Mapping[str, Sealed]) -> list[str]:
    """The names whose content is no longer what was sealed."""
    out = []
    for name, sealed in files.items():
        path = folder / name
        size, mtime_ns = stamp_of(path)
        if size != sealed.size or (mtime_ns != sealed.mtime_ns and checksum(path) != sealed.crc):
            out.append(name)
    return out


def read_seal(path: Path) -> Seal:
    """The seal in ``path``; one that cannot be read seals nothing."""
    try:
        data = json.loads(path.read_bytes())
        return Seal(
            int(data["generation"]),
            (int(data["database"][0]), int(data["database"][1])),
            {str(name): Sealed(*map(int, three)) for name, three in data["files"].items()},
        )
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError):
        return Seal()


def write_seal(path: Path, seal: Seal) -> None:
    """Replace the seal in one step, so that a kill leaves the old or the new one."""
    data = {
        "generation": seal.generation,
        "database": seal.database,
        "files": {name: (s.size, s.mtime_ns, s.crc) for name, s in seal.files.items()},
    }
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(data))
    draft.replace(path)
