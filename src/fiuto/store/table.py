"""
The status table of runs over many repositories: one row each, in one SQLite file.

Any number of processes write to it, each the rows of what it works on; a process that is
killed leaves its row as it was, and the next run goes over it again.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

__all__ = ["Row", "StatusTable"]

_BUSY = 30.0
"""Seconds to wait for another process, which writes one row at a time."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one repository."""

    repository: str
    source: str
    """The path or address it comes from."""
    folder: str = ""
    """Its work tree on this machine."""
    state: str = "waiting"
    """waiting, working, done or failed."""
    revision: str = ""
    files: int = 0
    chunks: int = 0
    embedded: int = 0
    """Chunks that went through the model in the last run."""
    reused: int = 0
    seconds: float = 0.0
    message: str = ""
    """Why it failed, or what a warning said."""


_COLUMNS = tuple(field.name for field in fields(Row))


class StatusTable:
    """Rows by list and repository; ``scope`` tells one list, and one store, from another."""

    def __init__(self, path: Path, scope: str) -> None:
        self._path = path
        self._scope = scope

    def put(self, row: Row) -> None:
        """Write one row, in place of what it said before."""
        values = asdict(row)
        marks = ", ".join("?" * (len(values) + 2))
        with self._open() as db:
            db.execute(
                f"INSERT OR REPLACE INTO repositories VALUES ({marks})",
                (self._scope, *values.values(), time.time()),
            )

    def rows(self) -> dict[str, Row]:
        """Every row by repository."""
        if not self._path.is_file():
            return {}
        with self._open() as db:
            found = db.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM repositories WHERE scope = ?"
                " ORDER BY repository",
                (self._scope,),
            ).fetchall()
        return {row[0]: Row(*row) for row in found}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, timeout=_BUSY)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(
                "CREATE TABLE IF NOT EXISTS repositories (scope TEXT,"
                f" {', '.join(_COLUMNS)}, written REAL, PRIMARY KEY (scope, repository))"
            )
            with db:
                yield db
        finally:
            db.close()
