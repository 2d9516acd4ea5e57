"""
Work that takes a while, with progress that others can watch and a way to stop it.

A few jobs run at a time, the rest wait.  A job is stopped the way Ctrl-C stops a
command: at its next sign of progress, and what was committed or embedded is kept.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

from fiuto.errors import FiutoError, IndexBusy
from fiuto.protocols import Progress
from fiuto.web.problems import Missing, problem_of

__all__ = ["ACTIVE", "Job", "Jobs", "Kind", "State", "Stopped"]

Kind: TypeAlias = Literal["index", "eval"]
State: TypeAlias = Literal["waiting", "running", "done", "failed", "stopped"]
ACTIVE: tuple[State, ...] = ("waiting", "running")

_AT_ONCE = 2
"""Indexing keeps a core or two busy; a third job would only slow the first down."""
_KEPT = 30
"""Jobs remembered, with their results."""
_PERIOD = 0.05
"""Seconds between two signs of progress that are told; a run reports each of 100,000 files."""


class Stopped(Exception):
    """Raised inside a job by its own progress, once somebody asked it to stop."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands at one moment."""

    id: str
    kind: Kind
    index: str
    """Id of the index it works on."""
    title: str
    state: State = "waiting"
    stage: str = ""
    done: int = 0
    total: int = 0
    """0 where it is not known."""
    seconds: float = 0.0
    """How long it has run."""
    error: Any = None
    """As :func:`fiuto.web.problems.problem_of` gives it, where it failed."""


class Jobs:
    """Every job of this server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._results: dict[str, Any] = {}
        self._stopping: set[str] = set()
        self._listeners: set[Callable[[], object]] = set()
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fiuto-job")
        self.closed = False

    def start(self, kind: Kind, index: str, title: str, work: Callable[[Progress], Any]) -> Job:
        """
        Begin, or queue, a job.

        Args:
            kind: what it does.
            index: what it does it to.
            title: what people call that.
            work: does it; called with where to report progress.

        Raises:
            IndexBusy: a job of that kind is at work on that index.
        """
        with self._lock:
            if any(j.state in ACTIVE and (j.kind, j.index) == (kind, index) for j in self.all()):
                raise IndexBusy(f"{title} is being worked on already; stop that first, or wait")
            job = Job(secrets.token_hex(8), kind, index, title)
            self._jobs[job.id] = job
            self._forget_old()
        future = self._pool.submit(self._run, job.id, work)
        future.add_done_callback(partial(self._ended, job.id))
        return self.get(job.id)

    def all(self) -> list[Job]:
        """Oldest first."""
        return list(self._jobs.values())

    def get(self, id_: str) -> Job:
        """
        One job.

        Raises:
            Missing: there is none, or it was forgotten.
        """
        job = self._jobs.get(id_)
        if job is None:
            raise Missing(f"there is no job {id_[:80]!r}; the oldest are forgotten")
        return job

    def result(self, id_: str) -> Any:
        """What a job gave, None where it has given nothing."""
        return self._results.get(id_)

    def active(self, index: str) -> Job | None:
        """The job that is writing an index."""
        found = (j for j in self.all() if j.kind == "index" and j.index == index)
        return next((job for job in found if job.state in ACTIVE), None)

    def stop(self, id_: str) -> Job:
        """
        Ask a job to end at its next sign of progress.

        Raises:
            Missing: there is no such job.
        """
        job = self.get(id_)
        if job.state in ACTIVE:
            self._stopping.add(id_)
        return job

    @contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call ``listener``, from any thread, whenever a job has moved."""
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)

    def hush(self) -> None:
        """Let every listener go; the server is about to stop."""
        self.closed = True
        self._tell()

    def close(self) -> None:
        """Stop every job and wait until each has let its index go."""
        self.hush()
        self._stopping.update(job.id for job in self.all() if job.state in ACTIVE)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, id_: str, work: Callable[[Progress], Any]) -> Any:
        started = time.monotonic()
        told = 0.0

        def progress(stage: str, done: int, total: int) -> None:
            nonlocal told
            if id_ in self._stopping:
                raise Stopped
            now = time.monotonic()
            if now - told >= _PERIOD or stage != self._jobs[id_].stage:
                told = now
                self._move(id_, stage=stage, done=done, total=total, seconds=now - started)

        self._move(id_, state="running")
        progress("scan", 0, 0)
        try:
            return work(progress)
        finally:
            self._move(id_, seconds=time.monotonic() - started)

    def _ended(self, id_: str, future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, Stopped):
            self._move(id_, state="stopped")
        elif error is None:
            self._results[id_] = future.result()
            self._move(id_, state="done")
        else:
            self._move(id_, state="failed", error=_told(error))
        self._stopping.discard(id_)

    def _move(self, id_: str, **changes: Any) -> None:
        self._jobs[id_] = replace(self._jobs[id_], **changes)
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _forget_old(self) -> None:
        ended = [job.id for job in self.all() if job.state not in ACTIVE]
        for id_ in ended[: max(0, len(self._jobs) - _KEPT)]:
            del self._jobs[id_]
            self._results.pop(id_, None)


def _told(error: BaseException) -> Any:
    if isinstance(error, FiutoError):
        return problem_of(error)[1]["error"]
    return {"kind": "fault", "message": f"{type(error).__name__}: {error}"}
