"""Chooses the few lines of a hit that say most about why it is one."""

from __future__ import annotations

from collections import Counter

from fiuto.render.matches import Matcher
from fiuto.values import dataclass

__all__ = ["Excerpt", "best_line", "excerpt"]

_LINES = 6
"""Lines shown of a hit: ten hits fill two screens."""

_CONTEXT = 2
"""Lines wanted above the first match of a window that does not begin the hit."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Neighbouring lines of one file."""

    first: int
    """1-based number of the first line."""
    lines: tuple[str, ...]


def excerpt(text: str, start: int, matcher: Matcher) -> Excerpt:
    """
    The neighbouring lines of ``text`` that together hold the most distinct terms.

    Args:
        text: whole lines, without a final newline.
        start: 1-based number of its first line.
        matcher: the question's terms.
    """
    lines = text.split("\n")
    begin = _window([matcher.terms_in(line) for line in lines])
    while begin < len(lines) - 1 and not lines[begin].strip():
        begin += 1
    end = min(begin + _LINES, len(lines))
    while end > begin + 1 and not lines[end - 1].strip():
        end -= 1
    return Excerpt(start + begin, tuple(lines[begin:end]))


def best_line(text: str, matcher: Matcher) -> int:
    """0-based index of the line with the most distinct terms; of equal ones the rarest's."""
    lines = text.split("\n")
    held = [matcher.terms_in(line) for line in lines]
    rarity = _rarity(held)
    if not rarity:
        return next((i for i, line in enumerate(lines) if line.strip()), 0)
    return max(range(len(lines)), key=lambda i: (len(held[i]), _weight(held[i], rarity), -i))


def _window(held: list[frozenset[str]]) -> int:
    """Where the best run of lines begins."""
    rarity = _rarity(held)
    if not rarity:
        return 0
    starts = range(max(1, len(held) - _LINES + 1))

    def worth(start: int) -> tuple[int, float]:
        window = held[start : start + _LINES]
        return len(frozenset().union(*window)), sum(_weight(found, rarity) for found in window)

    worths = [worth(start) for start in starts]
    best = max(worths)
    ties = [start for start in starts if worths[start] >= (best[0], best[1] - 1e-9)]
    # A definition's first line is the best context; else a little above the first match.
    return min(ties, key=lambda s: (s != 0, abs(_first(held, s) - s - _CONTEXT)))


def _first(held: list[frozenset[str]], start: int) -> int:
    return next(i for i in range(start, len(held)) if held[i])


def _rarity(held: list[frozenset[str]]) -> dict[str, float]:
    """Term -> 1 / the number of lines that hold it."""
    counts = Counter(term for found in held for term in found)
    return {term: 1.0 / count for term, count in counts.items()}


def _weight(found: frozenset[str], rarity: dict[str, float]) -> float:
    return sum(rarity[term] for term in found)
