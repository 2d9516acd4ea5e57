"""
Derives again what was damaged or fell behind, from the database.

Called by a reader that found database, postings and vectors not of one
generation, under the writer's lock.  After a kill the postings are merely behind
and follow in silence; damage is mended and told, once.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

from fiuto.errors import IndexCorrupt
from fiuto.model import Manifest
from fiuto.store.database import (
    connect,
    damage,
    read_manifest,
    transaction,
    translated,
    write_manifest,
)
from fiuto.store.follow import follow, postings_generation
from fiuto.store.layout import UNITS, Layout
from fiuto.store.seal import broken, read_seal, stamp_of
from fiuto.store.segments import open_segment
from fiuto.store.writer import reseal

__all__ = ["mend"]


def mend(layout: Layout) -> list[str]:
    """
    Make all parts agree again; returns one sentence where something was damaged.

    Raises:
        IndexMissing: there is no database.
        IndexCorrupt: the database itself is damaged.
    """
    with translated(layout.database), closing(connect(layout.database)) as db:
        seal = read_seal(layout.seal)
        unsealed = layout.seal.exists() and seal.generation < 0
        if seal.database != stamp_of(layout.database) and (found := damage(db)):
            raise IndexCorrupt(f"the index file {layout.database} is damaged ({found})")
        manifest = read_manifest(db)
        # A seal older than the database names files that a dead writer may have
        # replaced; their absence says nothing.
        current = seal.generation == manifest.generation
        hurt = set(broken(layout.folder, seal.files)) if current else set()
        if unsealed:
            hurt.add(layout.seal.name)
        lost = _lost_segments(layout, db)
        hurt.update(f"vectors/{name}" for name in lost)
        if lost:
            manifest = _forget_vectors(layout, db, manifest, lost)
        _mend_postings(layout, db, manifest, damaged=any("vectors/" not in name for name in hurt))
        reseal(layout, db, manifest.generation)
    if not hurt:
        return []
    names = ", ".join(sorted(hurt)[:3]) + (", …" if len(hurt) > 3 else "")
    return [f"the index of {manifest.root} was damaged ({names}) and has been repaired"]


def _lost_segments(layout: Layout, db: sqlite3.Connection) -> list[str]:
    """The segments whose content is not what was written."""
    lost = []
    for name, count, crc in db.execute("SELECT name, rows, crc FROM segments").fetchall():
        try:
            open_segment(layout.vectors / name, count, crc)
        except IndexCorrupt:
            lost.append(name)
    return lost


def _forget_vectors(
    layout: Layout, db: sqlite3.Connection, manifest: Manifest, lost: list[str]
) -> Manifest:
    """Drop ``lost`` and mark the files that need vectors again."""
    fresh = replace(manifest, generation=manifest.generation + 1)
    with transaction(db):
        db.executemany("DELETE FROM segments WHERE name = ?", [(name,) for name in lost])
        held: set[int] = set()
        for name, count in db.execute("SELECT name, rows FROM segments"):
            held.update(open_segment(layout.vectors / name, count, None).chunks)
        orphans = {
            (file,) for id_, file in db.execute("SELECT id, file FROM chunks") if id_ not in held
        }
        db.executemany("UPDATE files SET embedded = 0 WHERE id = ?", orphans)
        write_manifest(db, fresh)
    return fresh


def _mend_postings(
    layout: Layout, db: sqlite3.Connection, manifest: Manifest, *, damaged: bool
) -> None:
    since = -1 if damaged else postings_generation(layout)
    if since == manifest.generation:
        return
    # Ahead of the database means that its last commits were lost with the WAL.
    if since > manifest.generation or since < 0:
        since = -1
        for unit in UNITS:
            shutil.rmtree(layout.postings(unit), ignore_errors=True)
    follow(layout, db, since, manifest.generation)
