"""
Equal and nearly equal chunks are one answer: the best place is shown, the others are counted.

A worktree inside the checkout, a vendored copy, a file that was pasted: whoever
asks wants the code once.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def fold(ranked: Sequence[StoredChunk]) -> list[Folded]:
    """
    Each distinct text once, at the rank of its best copy.

    A copy has the same text, or defines the same names in nearly the same lines.  The place
    shown is the main one: not vendored, then nearest to the root, then first by path.  Chunks
    of one file are never copies of each other.
    """
    groups: list[list[StoredChunk]] = []
    by_name: dict[str, list[int]] = {}
    by_text: dict[str, list[int]] = {}
    lines: dict[str, frozenset[str]] = {}
    for stored in ranked:
        text, name = stored.chunk.text, stored.chunk.symbol or stored.path.rpartition("/")[2]
        for nth in dict.fromkeys((*by_text.get(text, ()), *by_name.get(name, ()))):
            group = groups[nth]
            apart = stored.path not in [one.path for one in group]
            if apart and _alike(group[0].chunk.text, text, lines):
                group.append(stored)
                break
        else:
            by_name.setdefault(name, []).append(len(groups))
            by_text.setdefault(text, []).append(len(groups))
            groups.append([stored])
    out = []
    for group in groups:
        main = min(group, key=_distance)
        others = sorted((s for s in group if s is not main), key=lambda s: s.path)
        places = tuple(f"{s.path}:{s.chunk.start}-{s.chunk.end}" for s in others)
        out.append(Folded(main, group[0], places))
    return out


def _alike(a: str, b: str, lines: dict[str, frozenset[str]]) -> bool:
    """Whether two texts are equal, or share nearly all of their lines, which are kept."""
    if a == b:
        return True
    if not 0.8 <= (len(a) + 1) / (len(b) + 1) <= 1.25:
        return False
    for text in (a, b):
        if text not in lines:
            lines[text] = _lines(text)
    one, other = lines[a], lines[b]
    return len(one | other) >= _FEWEST and len(one & other) >= NEAR * len(one | other)


def _lines(text: str) -> frozenset[str]:
    return frozenset(map(str.strip, text.split("\n"))) - {""}


def _distance(stored: StoredChunk) -> tuple[bool, int, str]:
    return (stored.label == "vendored", stored.path.count("/"), stored.path)
