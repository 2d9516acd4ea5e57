"""Words of questions against words of names: alike is enough, ``auth`` for ``authentication``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from fiuto.terms import terms

__all__ = [
    "Nearest",
    "alike",
    "as_found",
    "bare_stem",
    "cover",
    "defines",
    "name_parts",
    "names_of",
    "same_name",
    "stem_of",
    "symbols_of",
]

_PLACES = frozenset({"index", "__init__", "mod", "lib", "main"})
"""File names that say nothing: their folder's name is meant."""
_FEWEST = 4
"""Letters that words of one family share at least."""


@lru_cache(maxsize=1 << 16)
def alike(a: str, b: str) -> float:
    """
    How far two terms share their beginning: 1 equal, 0.7 or 0.5 of one family, else 0.

    >>> alike("serializer", "serialize"), alike("auth", "authentication"), alike("get", "set")
    (0.7, 0.7, 0.0)
    """
    if a == b:
        return 1.0
    short, long = sorted((len(a), len(b)))
    same = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        same += 1
    if same >= _FEWEST and (same == short or same >= 0.6 * long):
        return 0.7
    return 0.5 if same >= 5 and same >= 0.5 * long else 0.0


class Nearest(dict[str, float]):
    """How far a word is alike to the most similar of some terms, worked out when asked for."""

    def __init__(self, among: Collection[str]) -> None:
        self._among = among
        self.beginnings = {term[:_FEWEST] for term in among}
        """Of words that may be alike; every other is alike to none."""

    def __missing__(self, word: str) -> float:
        found = 0.0
        if word[:_FEWEST] in self.beginnings:
            found = max([alike(term, word) for term in self._among])
        self[word] = found
        return found


def cover(weights: Mapping[str, float], words: Sequence[str]) -> float:
    """How much of the question's weight meets one of ``words``."""
    if not words:
        return 0.0
    return sum([w * max([alike(term, word) for word in words]) for term, w in weights.items()])


@lru_cache(maxsize=1 << 16)
def name_parts(name: str) -> tuple[str, ...]:
    """The terms of a name, without the whole that ends them."""
    found = terms(name)
    return tuple(found[:-1] if len(found) > 1 else found)


@lru_cache(maxsize=1 << 14)
def stem_of(path: str) -> tuple[str, ...]:
    """
    The words of a file's name, or of its folder's where the name says nothing.

    >>> stem_of("src/http_client.py"), stem_of("core/router/index.ts")
    (('http', 'client'), ('router',))
    """
    folder = path.rpartition("/")[0]
    stem = bare_stem(path)
    if stem in _PLACES and folder:
        stem = folder.rpartition("/")[2]
    return name_parts(stem)


def bare_stem(path: str) -> str:
    """A file's name up to its first dot."""
    return path.rpartition("/")[2].partition(".")[0]


def as_found(term: str) -> str:
    """What must stand in a text for ``term``: endings change, beginnings do not."""
    return term if len(term) < 7 else term[: max(5, len(term) - 2)]


@lru_cache(maxsize=1 << 14)
def symbols_of(symbol: str) -> tuple[str, ...]:
    """The names in a chunk's symbol, each without what it belongs to."""
    return tuple(one.rpartition(".")[2].rpartition(":")[2] for one in symbol.split(" ") if one)


@lru_cache(maxsize=1 << 14)
def names_of(symbol: str) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """The words of each name in a chunk's symbol, and how any of them begins."""
    names = tuple(map(name_parts, symbols_of(symbol)))
    return names, frozenset([word[:_FEWEST] for name in names for word in name])


@lru_cache(maxsize=1 << 14)
def same_name(word: str) -> str:
    """What is equal for ``raw_body``, ``rawBody`` and ``RawBody``."""
    found = terms(word)
    return found[-1] if found else ""


def defines(symbol: str, names: Collection[str]) -> bool:
    """Whether a chunk's symbol has one of ``names``, as :func:`same_name` writes them."""
    return bool(names) and any(same_name(one) in names for one in symbols_of(symbol))
