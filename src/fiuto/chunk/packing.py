"""
From marks to chunks: small neighbours are joined, long stretches cut.

Whatever reads a text - a parser, headings, patterns - says only where something
begins.  A mark per beginning is all that is needed here, so every kind of text
obeys the same sizes, and each non-blank line lands in exactly one chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fiuto.chunk.borders import cut
from fiuto.chunk.sheet import MAX_SLICES, Sheet, slices
from fiuto.model import Chunk

__all__ = ["TARGET", "Limits", "Mark", "fitted", "limits", "pack"]

TARGET = 1500
"""Non-blank characters a chunk is filled up to, and the size of a piece of something longer."""

TINY = 120
"""Non-blank characters below which a stretch may join one that it is unrelated to."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in characters."""

    target: int
    whole: int
    """Non-blank characters up to which one definition stays in one chunk."""
    small: int
    """Two neighbours are joined only when one of them has fewer non-blank characters."""
    cap: int
    """Characters of any kind that no chunk exceeds, save parts of overlong lines."""
    slice: int
    """Longest part of a line that is longer than ``cap``."""


def limits(target: int) -> Limits:
    """Sizes that go well with a target."""
    return Limits(target, target * 3 // 2, target // 3, target * 4, target * 4)


def fitted(usual: Limits, sheet: Sheet, *, dense: bool) -> Limits:
    """
    Sizes for one text.

    What no person wrote is held to a few chunks, however long it is: overlong
    lines always, the whole text when it is ``dense``.
    """
    if dense:
        least = -(-len(sheet.text) // MAX_SLICES)
        cap = max(usual.cap, least)
        return replace(
            usual,
            target=max(usual.target, least),
            whole=max(usual.whole, least),
            cap=cap,
            slice=cap,
        )
    part = -(-sheet.overlong(usual.cap) // MAX_SLICES)
    return replace(usual, slice=part) if part > usual.slice else usual


@dataclass(slots=True)
class Mark:
    """Something begins at this row and lasts until the next mark."""

    row: int
    names: list[str] = field(default_factory=list)
    """Qualified names of what is defined here."""
    kind: str = "block"
    owner: str = ""
    """Whose inside this is, for a stretch that defines nothing itself."""
    group: int = 0
    """Only stretches of one group are neighbours."""
    unit: int = 0
    """Stretches of one unit belong together and are joined as far as they fit."""


@dataclass(slots=True)
class _Bin:
    """The marks from ``first`` to ``last``, which share a chunk."""

    first: int
    last: int
    ink: int


def pack(sheet: Sheet, marks: Sequence[Mark], sizes: Limits) -> list[Chunk]:
    """
    Chunks for marks in order of their rows, each on a row of its own, the first on row 0.

    The symbol of a chunk is the name of the largest definition in it, or of the
    class around that one if it begins here too, then the names of the others,
    separated by single spaces.  Where nothing is defined, it is the name of what
    the lines belong to, and the kind is ``part``.
    """
    ends = [mark.row - 1 for mark in marks[1:]] + [sheet.count - 1]
    inks = [sheet.ink(mark.row, end) for mark, end in zip(marks, ends, strict=True)]
    chunks: list[Chunk] = []
    for group in _bins(marks, inks, sizes):
        members = range(group.first, group.last + 1)
        symbol, kind = _title([marks[i] for i in members], [inks[i] for i in members])
        chunks += _emit(sheet, marks[group.first].row, ends[group.last], sizes, symbol, kind)
    return chunks


def _bins(marks: Sequence[Mark], inks: Sequence[int], sizes: Limits) -> list[_Bin]:
    filled = [_Bin(0, 0, inks[0])]
    for i in range(1, len(marks)):
        current = filled[-1]
        if _join(current.ink, marks[current.last], inks[i], marks[i], sizes):
            current.last = i
            current.ink += inks[i]
        else:
            filled.append(_Bin(i, i, inks[i]))
    bins = filled[:1]
    for bin_ in filled[1:]:
        if _is_tail(marks, bins[-1], bin_, sizes):
            bins[-1].last = bin_.last
            bins[-1].ink += bin_.ink
        else:
            bins.append(bin_)
    return bins


def _join(filled: int, last: Mark, ink: int, mark: Mark, sizes: Limits) -> bool:
    """Whether the next mark goes into the chunk that is being filled."""
    total = filled + ink
    if not ink:
        return True
    if last.unit == mark.unit:
        return filled < sizes.small or total <= sizes.target
    less = min(filled, ink)
    if last.group == mark.group:
        return less < sizes.small and total <= (sizes.whole if less < TINY else sizes.target)
    # Strangers: a few lines too few to be found alone go on, a nameless rest goes back.
    return total <= sizes.target and (filled < TINY or (ink < TINY and not mark.names))


def _is_tail(marks: Sequence[Mark], before: _Bin, bin_: _Bin, sizes: Limits) -> bool:
    """Whether this is the small rest of what the chunk before it began."""
    return (
        bin_.ink < sizes.small
        and before.ink + bin_.ink <= sizes.whole
        and marks[before.last].unit == marks[bin_.first].unit
    )


def _title(marks: Sequence[Mark], inks: Sequence[int]) -> tuple[str, str]:
    """The symbol and the kind of a chunk."""
    defining = [i for i, mark in enumerate(marks) if mark.names]
    if not defining:
        owner = next((mark.owner for mark in marks if mark.owner), "")
        return owner, "part" if owner else marks[0].kind
    largest = max(defining, key=inks.__getitem__)
    # A class that begins here names the chunk, although its first method may be larger.
    main = next((i for i in defining if _encloses(marks[i], marks[largest])), largest)
    kind = marks[main].kind
    if kind == "section":
        return marks[main].names[0], kind
    names = [*marks[main].names, *(name for i in defining if i != main for name in marks[i].names)]
    return " ".join(dict.fromkeys(names)), kind


def _encloses(outer: Mark, inner: Mark) -> bool:
    return inner.names[0].startswith(outer.names[0] + ".")


def _emit(
    sheet: Sheet, first: int, last: int, sizes: Limits, symbol: str, kind: str
) -> Iterator[Chunk]:
    """One chunk, or as many as the sizes demand."""
    rows = sheet.trim(first, last)
    if rows is None:
        return
    first, last = rows
    if sheet.ink(first, last) <= sizes.whole and sheet.length(first, last) <= sizes.cap:
        yield Chunk(first + 1, last + 1, sheet.lines(first, last), symbol, kind)
        return
    for start, end in cut(sheet, first, last, sizes.target, sizes.cap):
        if sheet.length(start, end) > sizes.cap:
            yield from slices(sheet.lines(start, end), start, sizes.slice, symbol, kind)
        else:
            yield Chunk(start + 1, end + 1, sheet.lines(start, end), symbol, kind)
        if symbol and kind != "section":
            kind = "part"
