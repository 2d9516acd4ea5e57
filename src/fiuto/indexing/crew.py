"""
Worker processes that prepare files, for trees where that takes longer than starting them.

Parsing and embedding hold Python's lock, so only processes use a second core.  They are
started as commands of their own: nothing is forked from a process that may have threads,
and the caller's ``__main__`` is not run again.
"""

from __future__ import annotations

import marshal
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Self

from fiuto.indexing.preparing import Prepared, prepared_from, stamp_values
from fiuto.model import Found, Skipped
from fiuto.protocols import Chunker, Embedder, Scanner

__all__ = ["WORTH", "Crew"]

WORTH = 4_000_000
"""Bytes of text from which on workers pay: they take half a second to start, in which one
process prepares two megabytes."""
_MOST = 8
"""Workers at most: the one process that writes keeps up with no more."""
_BATCH_BYTES, _BATCH_FILES = 400_000, 64
_AHEAD = 2
"""Batches that each worker is given at once, so that it never waits; a list of files is
small enough for a pipe to take it without a reader."""


class Crew:
    """
    Prepares files in order, in several processes.

    A context manager.  Where no process can be started, or one dies, :meth:`prepare` ends
    early: the caller counts what came and does the rest itself.
    """

    def __init__(
        self, scanner: Scanner, chunker: Chunker, embedder: Embedder | None, cores: int
    ) -> None:
        self._parts = (scanner, chunker, embedder)
        self._size = min(cores, _MOST)
        self._workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        with suppress(OSError, pickle.PicklingError, TypeError, AttributeError):
            parts = pickle.dumps(self._parts)
            for _ in range(self._size):
                worker = _started()
                self._workers.append(worker)
                stdin = _pipe(worker.stdin)
                stdin.write(parts)
                stdin.flush()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
            for pipe in (worker.stdin, worker.stdout):
                with suppress(OSError):  # what was not flushed has no reader any more
                    _pipe(pipe).close()
            worker.wait()
        self._workers = []

    def prepare(self, files: Sequence[Found]) -> Iterator[Prepared | Skipped]:
        """What comes of ``files``, in their order, as far as the workers live."""
        if len(self._workers) < self._size:
            return
        batches = _batches(files)
        waiting: deque[subprocess.Popen[bytes]] = deque()
        idle = deque(self._workers * _AHEAD)
        try:
            while True:
                while idle and (batch := next(batches, None)):
                    worker = idle.popleft()
                    stdin = _pipe(worker.stdin)
                    marshal.dump([(f.path, stamp_values(f.stamp)) for f in batch], stdin)
                    stdin.flush()
                    waiting.append(worker)
                if not waiting:
                    return
                worker = waiting.popleft()
                done = marshal.load(_pipe(worker.stdout))  # noqa: S302 - from our own worker
                idle.append(worker)
                yield from map(prepared_from, done)
        except (OSError, EOFError, ValueError, TypeError):
            return


def _started() -> subprocess.Popen[bytes]:
    code = f"import sys; sys.path[:] = {sys.path!r}; import fiuto.indexing.worker as w; w.main()"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _batches(files: Sequence[Found]) -> Iterator[list[Found]]:
    batch: list[Found] = []
    size = 0
    for found in files:
        batch.append(found)
        size += found.stamp.size
        if size > _BATCH_BYTES or len(batch) == _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
