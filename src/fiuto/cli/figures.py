"""Counts and sizes as people say them."""

from __future__ import annotations

from collections.abc import Mapping

from fiuto.model import RefreshReport

__all__ = ["changes_figure", "counted", "size", "skipped_figures"]


def counted(number: int, what: str) -> str:
    """
    A number with its noun.

    >>> counted(1, "file"), counted(2500, "copy"), counted(2, "index")
    ('1 file', '2,500 copies', '2 indexes')
    """
    ending = {"y": "ies", "x": "xes"}.get(what[-1])
    plural = what[:-1] + ending if ending else what + "s"
    return f"{number:,} {what if number == 1 else plural}"


def size(number: int) -> str:
    """
    Bytes, in the largest unit that keeps a whole number.

    >>> size(999), size(4_200_000)
    ('999 B', '4.2 MB')
    """
    value = float(number)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{number} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def changes_figure(report: RefreshReport) -> str:
    """``2 added, 1,300 changed``: what a refresh did to files; empty where it found nothing."""
    done = ((report.added, "added"), (report.changed, "changed"), (report.removed, "removed"))
    return ", ".join(f"{number:,} {what}" for number, what in done if number)


def skipped_figures(skipped: Mapping[str, int]) -> str:
    """
    What was left out, most first.

    >>> skipped_figures({"image": 1, "binary": 10})
    '11 skipped: 10 binary, 1 image'
    """
    if not skipped:
        return ""
    rows = sorted(skipped.items(), key=lambda row: (-row[1], row[0]))
    kinds = ", ".join(f"{count:,} {reason}" for reason, count in rows)
    return f"{sum(skipped.values()):,} skipped: {kinds}"
