"""
Starts worker processes: as copies of this one where that is safe, else as commands.

A copy costs milliseconds, a command half a second, most of it imports.  Only a process
with a single thread is copied: another could hold a lock that the copy waits for in vain.
What was started as a command knows nothing of the caller: its ``__main__`` does not run again.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from fiuto.indexing.worker import Parts, serve
from fiuto.values import dataclass

__all__ = ["Worker", "can_copy", "start"]


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that speaks as :func:`fiuto.indexing.worker.serve` does."""

    pid: int
    asked: IO[bytes]
    """What it reads."""
    given: IO[bytes]
    """What it writes."""
    wait: Callable[[], object]

    def end(self) -> None:
        """Stop it at once; nothing is left behind."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        for pipe in (self.asked, self.given):
            with suppress(OSError):  # what was not flushed has no reader any more
                pipe.close()
        with suppress(ChildProcessError):
            self.wait()


def can_copy() -> bool:
    """Whether this process may be copied: it has one thread, counting those that Python has not."""
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - names are not needed
    except OSError:  # not Linux: elsewhere, system libraries may have threads that nobody sees
        return False


def start(parts: Parts) -> Worker:
    """
    One worker.

    Raises:
        OSError: the system grants no process.
        pickle.PicklingError, TypeError, AttributeError: the parts cannot be sent to a command.
    """
    return _copied(parts) if can_copy() else _commanded(parts)


def _commanded(parts: Parts) -> Worker:
    sent = pickle.dumps(parts)
    code = f"import sys; sys.path[:] = {sys.path!r}; import fiuto.indexing.worker as w; w.main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    asked, given = process.stdin, process.stdout
    assert asked is not None
    assert given is not None
    asked.write(sent)
    asked.flush()
    return Worker(process.pid, asked, given, process.wait)


def _copied(parts: Parts) -> Worker:
    asked, given = os.pipe(), os.pipe()
    # A Ctrl-C that meets the copy before it can look away would run the parent's code in it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pid = os.fork()
        if pid == 0:
            _be_worker(parts, asked[0], given[1])
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    os.close(asked[0])
    os.close(given[1])
    return Worker(pid, os.fdopen(asked[1], "wb"), os.fdopen(given[0], "rb"), _waiter(pid))


def _waiter(pid: int) -> Callable[[], object]:
    return lambda: os.waitpid(pid, 0)


def _be_worker(parts: Parts, asked: int, given: int) -> None:
    """Serve, and end without a step back into what the parent was doing."""
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        # Ends of other pipes held open here would hide that the parent is gone; so would its lock.
        for descriptor in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208
            if descriptor > 2 and descriptor not in (asked, given):
                with suppress(OSError):
                    os.close(descriptor)
        serve(parts, os.fdopen(asked, "rb"), os.fdopen(given, "wb"))
    finally:
        os._exit(0)
