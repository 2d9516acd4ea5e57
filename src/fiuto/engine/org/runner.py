"""Runs a list through worker processes, tells how it stands, and opens it for questions."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from fiuto import config
from fiuto.engine.many import Cluster, Folders, Many
from fiuto.engine.opening import opened
from fiuto.engine.org.fetching import clone_of
from fiuto.engine.org.listing import Entry, read_list
from fiuto.engine.org.worker import Job
from fiuto.engine.parts import DEFAULT_EMBEDDER, make_embedder
from fiuto.engine.stores import make_collection
from fiuto.errors import IndexMissing
from fiuto.store.table import Row, StatusTable

__all__ = ["Org", "open_org"]


@dataclass(frozen=True, slots=True)
class Org:
    """The repositories of one list, in local stores or in one collection."""

    entries: Sequence[Entry]
    settings: config.Settings
    scope: str

    @property
    def table(self) -> StatusTable:
        """Where each repository's state is written."""
        return StatusTable(self.settings.home / "org.db", self.scope)

    def status(self) -> list[Row]:
        """How each repository of the list stands, in the list's order."""
        known = self.table.rows()
        return [known.get(e.name, Row(e.name, e.source)) for e in self.entries]

    def index(
        self,
        entries: Sequence[Entry],
        *,
        processes: int,
        rebuild: bool = False,
        told: Callable[[Row], None] = lambda _: None,
    ) -> list[Row]:
        """
        Index ``entries``, some or all of the list's.

        What was done before costs a comparison; a run that was killed is gone on with.

        Args:
            entries: this run's share.
            processes: workers at a time.
            rebuild: start over; in a collection beside the present build, which readers find
                until every repository of the list is in the new one.
            told: called with the row of each repository that is done, from several threads.

        Raises:
            StoreUnavailable: the server does not answer.
        """
        cluster = self.settings.store
        build = 0
        if cluster.url:
            name = config.given(self.settings.embedder, DEFAULT_EMBEDDER)
            identity = make_embedder(name, self.settings).identity
            collection = make_collection(cluster)
            build = collection.prepare(identity, rebuild=rebuild)
        job = Job(
            str(self.settings.home), self.scope, asdict(cluster) if cluster.url else {}, build,
            config.given(self.settings.embedder, ""), config.given(self.settings.chunker, ""),
            rebuild and not cluster.url,
        )  # fmt: skip
        rows = _run(entries, job, processes, told)
        if cluster.url:
            held = collection.held(build)
            if all(held.get(entry.name) for entry in self.entries):
                collection.switch(build)
            collection.close()
        return rows

    def many(self) -> Many:
        """
        The list as one thing to ask.

        Raises:
            IndexMissing: none of it was indexed here, and there is no server to ask.
        """
        if self.settings.store.url:
            folders = {entry.name: clone_of(entry, self.settings.home) for entry in self.entries}
            here = {name: folder for name, folder in folders.items() if folder.is_dir()}
            return Cluster(self.settings, make_collection(self.settings.store), here)
        rows = self.table.rows()
        done = [rows[e.name] for e in self.entries if e.name in rows and rows[e.name].folder]
        if not done:
            raise IndexMissing("nothing of this list is indexed yet: run 'fiuto org LIST'")
        indexes = {}
        for row in done:
            folder = Path(row.folder)
            if folder.is_dir():
                explicit: Mapping[str, object] = {"home": self.settings.home, "store": {}}
                indexes[row.repository] = opened(folder, config.load(folder, explicit))
        return Folders(self.settings, indexes)


def open_org(path: Path, settings: config.Settings) -> Org:
    """
    The repositories that the list at ``path`` names.

    Raises:
        UsageError: the list cannot be read.
    """
    entries = read_list(path)
    where = settings.store.url or str(path.resolve())
    return Org(entries, settings, hashlib.blake2b(where.encode(), digest_size=8).hexdigest())


def _run(
    entries: Sequence[Entry], job: Job, processes: int, told: Callable[[Row], None]
) -> list[Row]:
    """Hand the entries to workers, one at a time each."""
    waiting: SimpleQueue[Entry] = SimpleQueue()
    for entry in entries:
        waiting.put(entry)
    rows: dict[str, Row] = {}
    threads = [
        threading.Thread(target=_serve, args=(waiting, job, rows, told), daemon=True)
        for _ in range(min(processes, len(entries)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [rows[entry.name] for entry in entries if entry.name in rows]


def _serve(
    waiting: SimpleQueue[Entry], job: Job, rows: dict[str, Row], told: Callable[[Row], None]
) -> None:
    """One worker process, started again where it dies; the entry it died on has failed."""
    process: subprocess.Popen[str] | None = None
    while True:
        try:
            entry = waiting.get_nowait()
        except Empty:
            break
        if process is None:
            process = subprocess.Popen(
                [sys.executable, "-m", "fiuto.engine.org", json.dumps(asdict(job))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        line = ""
        try:
            process.stdin.write(json.dumps(asdict(entry)) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            pass
        if line:
            row = Row(**json.loads(line))
        else:
            row = replace(
                job.table.rows().get(entry.name, Row(entry.name, entry.source)), state="failed",
                message=f"its process ended with {_ended(process)}; run it again",
            )  # fmt: skip
            job.table.put(row)
            process = None
        rows[entry.name] = row
        told(row)
    if process is not None:
        _ended(process)


def _ended(process: subprocess.Popen[str]) -> int:
    """Close its input, on which it ends, and wait."""
    process.communicate()
    return process.returncode
