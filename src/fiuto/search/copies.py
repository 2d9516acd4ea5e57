"""
Equal and nearly equal chunks are one answer: the best place is shown, the others are counted.

A worktree inside the checkout, a vendored copy, a file that was pasted: whoever
asks wants the code once.  Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from fiuto.model import StoredChunk
from fiuto.values import dataclass

__all__ = ["NEAR", "Folded", "fold"]

NEAR = 0.9
"""Share of lines that near copies have in common: a renamed import or a changed constant apart."""
_FEWEST = 4
"""Lines below which nearly equal means nothing: getters are all alike."""


@dataclass(frozen=True, slots=True)
class Folded:
    """One text: where it is shown, which copy ranked best, where else it stands."""

    main: StoredChunk
    best: StoredChunk
    copies: tuple[str, ...] = ()


def fold(ranked: Sequence[StoredChunk]) -> Iterator[Folded]:
    """
    Each distinct text once, at the rank of its best copy.

    A copy has the same text, or defines the same names in nearly the same lines.  The place
    shown is the main one: not vendored, then nearest to the root, then first by path.  Chunks
    of one file are never copies of each other.
    """
    return map(_folded, _groups(ranked))


def _groups(ranked: Sequence[StoredChunk]) -> list[list[StoredChunk]]:
    """The copies of each text, best first."""
    groups: list[list[StoredChunk]] = []
    paths: list[set[str]] = []  # of each group
    by_name: dict[str, list[int]] = {}
    by_text: dict[str, list[int]] = {}
    for stored in ranked:
        chunk, path = stored.chunk, stored.path
        text, name = chunk.text, chunk.symbol or path.rpartition("/")[2]
        for nth in chain(by_text.get(text, ()), by_name.get(name, ())):
            if path not in paths[nth] and _alike(groups[nth][0].chunk.text, text):
                groups[nth].append(stored)
                paths[nth].add(path)
                break
        else:
            by_name.setdefault(name, []).append(len(groups))
            by_text.setdefault(text, []).append(len(groups))
            groups.append([stored])
            paths.append({path})
    return groups


def _folded(group: Sequence[StoredChunk]) -> Folded:
    """What is shown of a text's copies, best first."""
    if len(group) == 1:
        return Folded(group[0], group[0])
    main = min(group, key=_distance)
    others = sorted((s for s in group if s is not main), key=lambda s: s.path)
    places = tuple(f"{s.path}:{s.chunk.start}-{s.chunk.end}" for s in others)
    return Folded(main, group[0], places)


def _alike(a: str, b: str) -> bool:
    """Whether two texts are equal, or share nearly all of their lines."""
    if a == b:
        return True
    if not 0.8 <= (len(a) + 1) / (len(b) + 1) <= 1.25:
        return False
    one, other = _lines(a), _lines(b)
    shared = len(one & other)
    every = len(one) + len(other) - shared
    return every >= _FEWEST and shared >= NEAR * every


@lru_cache(maxsize=1024)
def _lines(text: str) -> frozenset[str]:
    return frozenset(map(str.strip, text.split("\n"))) - {""}


def _distance(stored: StoredChunk) -> tuple[bool, int, str]:
    return (stored.label == "vendored", stored.path.count("/"), stored.path)
