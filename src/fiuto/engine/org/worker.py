"""What a worker process does: fetch one repository, index it, write down how it went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fiuto.config import UNSET, load
from fiuto.engine.opening import opened
from fiuto.engine.org.fetching import fetched
from fiuto.engine.org.listing import Entry
from fiuto.errors import FiutoError
from fiuto.scan.git import revision
from fiuto.store.table import Row, StatusTable

__all__ = ["Job", "index_one"]


@dataclass(frozen=True, slots=True)
class Job:
    """What all entries of a run have in common."""

    home: str
    scope: str
    """As in :class:`fiuto.store.table.StatusTable`."""
    store: dict[str, Any]
    """The ``[store]`` table, empty for local stores."""
    build: int = 0
    embedder: str = ""
    chunker: str = ""
    rebuild: bool = False

    @property
    def table(self) -> StatusTable:
        """The status table of the run."""
        return StatusTable(Path(self.home) / "org.db", self.scope)


def index_one(entry: Entry, job: Job) -> Row:
    """Fetch and index one repository; what goes wrong is told in the row."""
    row = replace(job.table.rows().get(entry.name) or Row(entry.name, entry.source),
                  state="working", message="")  # fmt: skip
    job.table.put(row)
    try:
        folder = fetched(entry, Path(job.home))
        at = revision(str(folder))
        store = {**job.store, "repository": entry.name} if job.store else {}
        settings = load(
            folder,
            {
                "home": Path(job.home),
                "store": store,
                "embedder": job.embedder or UNSET,
                "chunker": job.chunker or UNSET,
            },
        )
        with opened(folder, settings, revision=at, build=job.build) as index:
            report = index.refresh(rebuild=job.rebuild)
    except (FiutoError, OSError) as error:
        row = replace(row, state="failed", message=str(error))
    else:
        counts = report.status.counts
        row = replace(
            row, folder=str(folder), state="done", revision=at, files=counts.files,
            chunks=counts.chunks, embedded=report.embedded, reused=report.reused,
            seconds=round(report.seconds, 2), message="; ".join(report.warnings),
        )  # fmt: skip
    job.table.put(row)
    return row
