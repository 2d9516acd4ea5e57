"""What all readers of several repositories have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from fiuto.model import Counts

__all__ = ["repository_of", "summed"]


def repository_of(path: str, names: Container[str]) -> str:
    """
    The one of ``names`` that ``path`` begins with, the longest; empty where none is.

    >>> repository_of("team/shop/src/a.py", {"team", "team/shop"})
    'team/shop'
    """
    parts = path.split("/")
    heads = ("/".join(parts[:i]) for i in range(len(parts) - 1, 0, -1))
    return next((head for head in heads if head in names), "")


def summed(every: Sequence[Counts]) -> Counts:
    """The figures of several repositories as those of one."""
    reasons: Counter[str] = Counter()
    for counts in every:
        reasons.update(counts.skipped)
    return Counts(
        files=sum(c.files for c in every),
        chunks=sum(c.chunks for c in every),
        bytes=sum(c.bytes for c in every),
        skipped=dict(sorted(reasons.items())),
        truncated=sum(c.truncated for c in every),
        unembedded=sum(c.unembedded for c in every),
    )
