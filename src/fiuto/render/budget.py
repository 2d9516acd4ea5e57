"""Keeps an answer within what its reader can take in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from fiuto.model import Hit
from fiuto.values import dataclass

__all__ = ["CHARS_PER_TOKEN", "Fitted", "fit"]

T = TypeVar("T")

CHARS_PER_TOKEN = 4
"""The rule of thumb that chunk sizes are given by too."""


@dataclass(frozen=True, slots=True)
class Fitted(Generic[T]):
    """What fits, drawn, in order."""

    drawn: tuple[T, ...]
    note: str = ""
    """What the reader must be told, empty where everything fitted."""


def fit(
    hits: Sequence[Hit],
    draw: Callable[[Hit, int | None], T],
    size: Callable[[T], int],
    tokens: int | None,
) -> Fitted[T]:
    """
    Draw hits while they fit; the first that does not is shortened, and is the last.

    Args:
        hits: best first.
        draw: draws a hit, in at most the given number of characters where it can.
        size: characters of a drawn hit.
        tokens: what the reader has room for, None for no limit.
    """
    if tokens is None:
        return Fitted(tuple(draw(hit, None) for hit in hits))
    room = tokens * CHARS_PER_TOKEN
    drawn: list[T] = []
    for hit in hits:
        whole = draw(hit, None)
        if size(whole) <= room:
            drawn.append(whole)
            room -= size(whole)
            continue
        short = draw(hit, room)
        # The first hit is shown even where its place alone is too long.
        fits = size(short) <= room or not drawn
        if fits:
            drawn.append(short)
        return Fitted(tuple(drawn), _note(tokens, len(hits) - len(drawn), shortened=fits))
    return Fitted(tuple(drawn))


def _note(tokens: int, left_out: int, *, shortened: bool) -> str:
    said = ["the last hit is shortened"] if shortened else []
    if left_out:
        said.append(f"{left_out} more {'is' if left_out == 1 else 'are'} left out")
    return f"to fit {tokens} tokens, {' and '.join(said)}"
