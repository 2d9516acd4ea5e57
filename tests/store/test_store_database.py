"""SQLite's errors become ours, each for what it is."""

import errno
import os
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


@pytest.mark.parametrize(
    ("message", "name", "number"),
    [
        ("database or disk is full", "SQLITE_FULL", errno.ENOSPC),
        ("disk I/O error", "SQLITE_IOERR_SHMSIZE", errno.ENOSPC),
        ("unable to open database file", "SQLITE_CANTOPEN", errno.EACCES),
        ("attempt to write a readonly database", "SQLITE_READONLY_DIRECTORY", errno.EACCES),
    ],
)
def test_what_the_system_refuses_is_no_damage(tmp_path, message, name, number):
    """Nothing is thrown away because there is no room, or no right to write."""
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname = name
    refused = pytest.raises(OSError, match=os.strerror(number))
    with refused as caught, translated(tmp_path / "index.db"):
        raise error
    assert caught.value.errno == number
    assert caught.value.filename == str(tmp_path / "index.db")


def test_a_damaged_disk_is_damage(tmp_path):
    """The same words under another name mean that a page could not be read."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHORT_READ"
    with pytest.raises(IndexCorrupt), translated(tmp_path / "index.db"):
        raise error


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


def test_a_database_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    """Stopped before its tables are there, it is not there, and the next start is clean."""
    monkeypatch.setattr("fiuto.store.database.SCHEMA", "CREATE TABLE meta (x); nonsense;")
    with pytest.raises(sqlite3.OperationalError, match="nonsense"):
        connect(tmp_path / "index.db", create=True)
    assert not (tmp_path / "index.db").exists()
    with pytest.raises(IndexMissing):
        connect(tmp_path / "index.db")
    monkeypatch.undo()
    connect(tmp_path / "index.db", create=True).close()
    assert [path.name for path in tmp_path.iterdir()] == ["index.db"]
