"""
Commands in fresh processes: how long they take, what they use, how much memory at most.

Times are of the whole process, as a shell sees it.  Memory is measured in runs of its own,
because looking at a process every few milliseconds slows it down.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

__all__ = ["Timed", "peak_memory", "run"]

_PAGES = 1024


@dataclass(frozen=True, slots=True)
class Timed:
    """One finished command."""

    seconds: float
    cpu: float
    """User and system time of it and of the processes it waited for."""
    peak: int
    """Bytes resident at most, of the largest process."""
    output: bytes


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    accept: Sequence[int] = (0,),
    limit: float = 3600,
) -> Timed:
    """
    Run ``command`` to its end.

    Args:
        command: a program and its arguments.
        environment: all of its environment.
        folder: where it runs.
        accept: exit codes that mean it worked.
        limit: seconds after which it is killed.

    Raises:
        RuntimeError: another exit code, or killed at the limit; with what it said.
    """
    started = time.perf_counter()
    child = subprocess.Popen(
        command, env=dict(environment), cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    watchdog = threading.Timer(limit, _kill, (child.pid,))
    watchdog.start()
    complaints: list[bytes] = []
    errors = child.stderr
    reading = threading.Thread(target=lambda: complaints.append(errors.read()))
    reading.start()
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    watchdog.cancel()
    reading.join()
    child.stdout.close()
    errors.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in accept:
        said = b"".join(complaints).decode("utf-8", "replace").strip()[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}: {said}")
    cpu = usage.ru_utime + usage.ru_stime
    return Timed(seconds, cpu, usage.ru_maxrss * _PAGES, output)


def peak_memory(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    accept: Sequence[int] = (0,),
    look_seconds: float = 0.01,
) -> Timed:
    """
    Run ``command`` and look at it: ``peak`` is what all its processes held together, at most.

    What several processes share is counted once (PSS).  Of one process alone it is what the
    kernel kept count of, which no look can miss.

    Raises:
        RuntimeError: as :func:`run`.
    """
    peak = 0
    over = threading.Event()

    def look() -> None:
        nonlocal peak
        while not over.wait(look_seconds):
            family = [pid for child in _children(os.getpid()) for pid in _family(child)]
            if len(family) > 1:
                peak = max(peak, sum(map(_share, family)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        done = run(command, environment, folder, accept=accept)
    finally:
        over.set()
        looking.join()
    return replace(done, peak=max(peak, done.peak))


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:  # it ended meanwhile
            continue
    return found


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in _children(pid):
        yield from _family(child)


def _share(pid: int) -> int:
    """Proportional set size in bytes; 0 of a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
