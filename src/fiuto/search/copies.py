"""
Equal chunks are one answer: the best place is shown, the others are counted.

A worktree inside the checkout, a vendored copy, a file that was pasted: whoever
asks wants the code once.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fiuto.model import StoredChunk

__all__ = ["Folded", "fold"]


@dataclass(frozen=True, slots=True)
class Folded:
    """One text: where it is shown, which copy ranked best, where else it stands."""

    main: StoredChunk
    best: StoredChunk
    copies: tuple[str, ...] = ()


def fold(ranked: Sequence[StoredChunk]) -> list[Folded]:
    """
    Each distinct text once, at the rank of its best copy.

    The place shown is the main one: not vendored, then nearest to the root, then
    first by path.  Chunks of one file are never copies of each other.
    """
    groups: dict[tuple[str, int], list[StoredChunk]] = {}
    seen: dict[tuple[str, str], int] = {}
    for stored in ranked:
        text = stored.chunk.text
        nth = seen[text, stored.path] = seen.get((text, stored.path), -1) + 1
        groups.setdefault((text, nth), []).append(stored)
    out = []
    for group in groups.values():
        main = min(group, key=_distance)
        others = sorted((s for s in group if s is not main), key=lambda s: s.path)
        places = tuple(f"{s.path}:{s.chunk.start}-{s.chunk.end}" for s in others)
        out.append(Folded(main, group[0], places))
    return out


def _distance(stored: StoredChunk) -> tuple[bool, int, str]:
    return (stored.label == "vendored", stored.path.count("/"), stored.path)
