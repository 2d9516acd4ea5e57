"""
Known files against files on disk: what must be read, what is gone.

Pure: values in, a plan out.  The rule that matters is when a stamp may be
trusted.  Size, times and inode that all agree mean "not touched", with two
exceptions: a change in the same tick of the file system's clock as our last look
leaves no trace, and an mtime can be set back but a ctime cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fiuto.model import FileRecord, Found, Skipped, Stamp
from fiuto.values import dataclass

__all__ = ["Plan", "plan", "settled"]

_TICK_NS = 50_000_000
"""Kernels stamp files by a clock that moves every 1 to 10 ms; five times the worst."""

_COARSE_NS = 2_000_000_000
"""FAT keeps times in steps of two seconds; stamps in whole seconds are taken for such."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one refresh has to do."""

    read: tuple[Found, ...]
    """New, changed, or not to be trusted without reading."""
    drop: tuple[str, ...]
    """Indexed, and no longer found."""
    skipped: tuple[Skipped, ...]
    """Ruled out by name or size, or by content read earlier."""
    total: int
    """Files found."""


def settled(stamp: Stamp, checked_ns: int) -> bool:
    """Whether a change after ``checked_ns`` must show in ``stamp``."""
    last = max(stamp.mtime_ns, stamp.ctime_ns)
    coarse = stamp.mtime_ns % 1_000_000_000 == 0 and stamp.ctime_ns % 1_000_000_000 == 0
    return last + (_COARSE_NS if coarse else _TICK_NS) < checked_ns


def plan(
    walked: Iterable[Found | Skipped],
    known: Mapping[str, FileRecord],
    skipped: Mapping[str, Skipped],
    *,
    embeddable: bool,
) -> Plan:
    """
    Compare.

    Args:
        walked: what the scanner finds now.
        known: the files of the index.
        skipped: earlier decisions that needed the content, by path.
        embeddable: whether a model is at hand, so that files without vectors get them now.
    """
    read: list[Found] = []
    out: list[Skipped] = []
    seen: set[str] = set()
    for entry in walked:
        if isinstance(entry, Skipped):
            out.append(entry)
            continue
        seen.add(entry.path)
        record = known.get(entry.path)
        if record is not None:
            fresh = record.stamp == entry.stamp and settled(entry.stamp, record.checked_ns)
            if not fresh or (embeddable and not record.embedded):
                read.append(entry)
        elif (before := skipped.get(entry.path)) is not None and before.stamp == entry.stamp:
            out.append(before)
        else:
            read.append(entry)
    return Plan(
        read=tuple(read),
        drop=tuple(path for path in known if path not in seen),
        skipped=tuple(out),
        total=len(seen),
    )
