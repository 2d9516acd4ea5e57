"""Looks for damage in the files of an index, reading all of them and changing nothing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from fiuto.errors import IndexCorrupt
from fiuto.store.database import connect, damage, read_manifest, translated
from fiuto.store.layout import UNITS, Layout
from fiuto.store.postings import read_postings
from fiuto.store.seal import checksum, read_seal
from fiuto.store.segments import open_segment

__all__ = ["examine"]


def examine(layout: Layout) -> list[str]:
    """
    One sentence for each fault; what a writer is about to do or left undone is none.

    Raises:
        IndexMissing: there is no index.
        IndexMismatch: it has a newer format.
    """
    found: list[str] = []
    try:
        with translated(layout.database), closing(connect(layout.database)) as db:
            if said := damage(db):
                return [f"{layout.database} is damaged ({said})"]
            manifest = read_manifest(db)
            segments = db.execute("SELECT name, rows, crc FROM segments").fetchall()
            whole = read_seal(layout.seal).generation == manifest.generation
    except IndexCorrupt as error:
        return [str(error)]
    for name, rows, crc in segments:
        try:
            open_segment(layout.vectors / name, rows, crc)
        except IndexCorrupt as error:
            found.append(str(error))
    # Otherwise the postings are behind, and follow at the next search, or there are none yet.
    if whole and manifest.generation:
        found += _postings(layout, manifest.generation)
    return found


def _postings(layout: Layout, generation: int) -> list[str]:
    found = []
    sealed = read_seal(layout.seal).files
    for name, state in sealed.items():
        path = layout.folder / name
        if not name.startswith("vectors/") and not _agrees(path, state.crc):
            found.append(f"{path} is damaged")
    for unit in UNITS:
        try:
            stands = read_postings(layout.postings(unit)).generation()
        except IndexCorrupt as error:
            found.append(str(error))
            continue
        if stands != generation:
            found.append(f"{layout.postings(unit)} stands at {stands}, not at {generation}")
    return found


def _agrees(path: Path, crc: int) -> bool:
    try:
        return checksum(path) == crc
    except OSError:
        return False
