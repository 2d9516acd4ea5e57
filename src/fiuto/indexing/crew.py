"""
Prepares files in several processes, for trees where that takes longer than starting them.

Parsing and embedding hold Python's lock, so only processes use a second core.  This one
takes its share too, whenever what comes next is not there yet; while it commits, the others
go on.
"""

from __future__ import annotations

import marshal
import pickle
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Self

from fiuto.indexing.preparing import (
    Prepared,
    prepare,
    prepared_from,
    stamp_values,
    with_vectors,
)
from fiuto.indexing.worker import Parts, receive, send
from fiuto.indexing.workers import Worker, can_copy, start
from fiuto.model import Found, Skipped

__all__ = ["Crew", "embeds_alone", "pays"]

_WORTH_COPY = 300_000
"""Bytes of text from which on copies of this process pay: what they save is some 0.2 s a
megabyte."""
_WORTH_COMMAND = 4_000_000
"""The same for commands, which take half a second to start; one process prepares two
megabytes in it."""
_WORTH_EMBEDDERS = 4_000_000
"""Bytes from which on all processes embed: each first loads numpy and the model, 0.1 s.  One
embeds for three, since that is a quarter of the work."""
_MOST = 8
"""Processes at most: the one that writes keeps up with no more."""
_BATCH_BYTES, _BATCH_FILES = 400_000, 64
_SHARES = 8
"""Batches that each process gets at least: who is done first takes the next."""
_AHEAD = 2
"""Batches that a worker is given at once, so that it never waits; a list of files is small
enough for a pipe to take it without a reader."""
_WAITING = 48
"""Batches that may wait for a commit, some 80 MB with their vectors."""


def pays(files: Sequence[Found], cores: int) -> bool:
    """Whether there is so much to prepare that a crew is faster."""
    size = sum(found.stamp.size for found in files)
    return cores > 1 and size > (_WORTH_COPY if can_copy() else _WORTH_COMMAND)


def embeds_alone(files: Sequence[Found], cores: int) -> bool:
    """Whether it is faster when this process makes the vectors of what the others cut."""
    return cores < 4 and sum(found.stamp.size for found in files) < _WORTH_EMBEDDERS


class Crew:
    """
    Prepares files in order.

    A context manager.  Where no process can be started, or one dies, :meth:`prepare` ends
    early: the caller counts what came and does the rest itself.
    """

    def __init__(self, parts: Parts, cores: int, *, embeds_alone: bool = False) -> None:
        self._parts = parts
        self._alone = embeds_alone
        self._size = min(cores, _MOST)
        self._workers: list[Worker] = []
        self._threads: list[threading.Thread] = []
        self._work = _Work([])
        self.fallbacks = 0
        """How many texts the workers cut without their syntax."""

    def __enter__(self) -> Self:
        scanner, chunker, embedder = self._parts
        parts = (scanner, chunker, None if self._alone else embedder)
        with suppress(OSError, pickle.PicklingError, TypeError, AttributeError):
            for _ in range(self._size - 1):
                self._workers.append(start(parts))
        return self

    def __exit__(self, *_: object) -> None:
        self._work.stop()
        for worker in self._workers:
            worker.end()
        for thread in self._threads:
            thread.join()

    def prepare(self, files: Sequence[Found]) -> Iterator[Prepared | Skipped]:
        """What comes of ``files``, in their order, as far as the workers live."""
        if len(self._workers) < self._size - 1:
            return
        work = self._work = _Work(_batches(files, self._size * _SHARES))
        self._threads = [
            threading.Thread(target=_lead, args=(worker, work), name="fiuto-crew")
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()
        scanner, chunker, embedder = self._parts
        for nth in range(len(work.batches)):
            while (done := work.result(nth)) is None:
                mine = work.claim()
                if mine is not None:
                    files = work.batches[mine]
                    made = [prepare(f, scanner, chunker, time.time_ns, apart=True) for f in files]
                    work.put(mine, with_vectors(made, embedder))
                elif not work.wait(nth):
                    return
            if isinstance(done, bytes):
                fallbacks, values = marshal.loads(done)  # noqa: S302 - from our own worker
                self.fallbacks += fallbacks
                done = list(map(prepared_from, values))
                yield from with_vectors(done, embedder) if self._alone else done
            else:
                yield from done


class _Work:
    """The batches, and what came of them; shared by the threads of one crew."""

    def __init__(self, batches: Sequence[Sequence[Found]]) -> None:
        self.batches = batches
        self._next = 0
        self._taken = 0
        self._results: dict[int, Any] = {}
        self._lost = False
        self._changed = threading.Condition()

    def claim(self, *, patient: bool = False) -> int | None:
        """The next batch that nobody has; None where there is none, or no room for its result."""
        with self._changed:
            while patient and not self._lost and self._next - self._taken >= _WAITING:
                self._changed.wait()
            if self._lost or self._next == len(self.batches):
                return None
            if self._next - self._taken >= _WAITING:
                return None
            self._next += 1
            return self._next - 1

    def put(self, nth: int, result: Any) -> None:
        """Note what came of a batch."""
        with self._changed:
            self._results[nth] = result
            self._changed.notify_all()

    def result(self, nth: int) -> Any:
        """What came of the batch whose turn it is, if it is there."""
        with self._changed:
            if nth not in self._results:
                return None
            self._taken = nth + 1
            self._changed.notify_all()
            return self._results.pop(nth)

    def wait(self, nth: int) -> bool:
        """Wait for that batch; False where nobody is left to make it."""
        with self._changed:
            while nth not in self._results and not self._lost:
                self._changed.wait()
            return nth in self._results

    def stop(self) -> None:
        """Nobody takes another batch, nobody waits."""
        with self._changed:
            self._lost = True
            self._changed.notify_all()


def _lead(worker: Worker, work: _Work) -> None:
    """Give one worker batches, and take what it makes of them, until there are no more."""
    given: deque[int] = deque()
    try:
        while True:
            while len(given) < _AHEAD:
                nth = work.claim(patient=not given)
                if nth is None:
                    break
                files = [(f.path, stamp_values(f.stamp)) for f in work.batches[nth]]
                send(worker.asked, marshal.dumps(files))
                given.append(nth)
            if not given:
                return
            work.put(given.popleft(), receive(worker.given))
    except (OSError, EOFError, ValueError, TypeError):
        work.stop()


def _batches(files: Sequence[Found], shares: int) -> list[list[Found]]:
    most = min(_BATCH_BYTES, sum(found.stamp.size for found in files) // shares)
    batches: list[list[Found]] = [[]]
    size = 0
    for found in files:
        if size > most or len(batches[-1]) == _BATCH_FILES:
            batches.append([])
            size = 0
        batches[-1].append(found)
        size += found.stamp.size
    return batches
