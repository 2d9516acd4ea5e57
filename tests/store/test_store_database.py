"""SQLite's errors become ours, each for what it is."""

import errno
import sqlite3

import pytest

from fiuto.errors import IndexCorrupt, IndexMissing
from fiuto.store.database import connect, read_manifest, translated, write_manifest
from fiuto.testing.values import manifest


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.DatabaseError("file is not a database"),
        sqlite3.OperationalError("database disk image is malformed"),
        sqlite3.OperationalError("no such table: chunks"),
    ],
)
def test_damage_is_named_with_its_file(tmp_path, error):
    """A bad file is ours to mend or make again."""
    with pytest.raises(IndexCorrupt, match=r"index\.db"), translated(tmp_path / "index.db"):
        raise error


def test_full_disk_is_no_damage(tmp_path):
    """Nothing is thrown away because there is no room."""
    with pytest.raises(OSError, match="No space") as caught, translated(tmp_path / "index.db"):
        raise sqlite3.OperationalError("database or disk is full")
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(tmp_path / "index.db")


def test_lock_is_no_damage(tmp_path):
    """A busy database passes through."""
    with pytest.raises(sqlite3.OperationalError), translated(tmp_path / "index.db"):
        raise sqlite3.OperationalError("database is locked")


def test_manifest_round_trip(tmp_path):
    """With and without an embedder; nonsense in its place is damage."""
    db = connect(tmp_path / "index.db", create=True)
    with pytest.raises(IndexMissing):
        read_manifest(db)
    for value in (manifest(), manifest(embedder=None, generation=7, complete=True)):
        write_manifest(db, value)
        assert read_manifest(db) == value
    db.execute("UPDATE meta SET value = '{}'")
    with pytest.raises(IndexCorrupt, match="manifest"):
        read_manifest(db)
    db.close()
