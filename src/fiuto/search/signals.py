"""
Signals: what counts beside the two lists, each a named function with one constant.

A signal looks at the question and one chunk of the pool and returns what it adds
to the score, on the scale of reciprocal ranks (first place in one list is 1/61).
Every one shows as a part of the score, and ``without`` leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from fiuto.model import StoredChunk
from fiuto.search.fuse import K
from fiuto.terms import terms

__all__ = ["SIGNALS", "bare_identifier", "definition"]

DEFINITION = 2 / (K + 1)
"""As much as first place in both lists: who types a name wants the place that defines it,
and no number of mentions should stand before it.  Without it ``raise_for_status`` is second
on psf/requests, behind a page of its documentation."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*(?:\(\))?")
_SEPARATOR = re.compile(r"\.|::|#|->")


def bare_identifier(question: str) -> str:
    """
    The last part of a question that is nothing but a name, perhaps qualified; else empty.

    >>> bare_identifier("Response.raise_for_status()"), bare_identifier("who raises")
    ('raise_for_status', '')
    """
    text = question.strip()
    if _IDENTIFIER.fullmatch(text) is None:
        return ""
    return _SEPARATOR.split(text.removesuffix("()"))[-1]


def _same_name(word: str) -> str:
    """What is equal for ``raw_body``, ``rawBody`` and ``RawBody``."""
    found = terms(word)
    return found[-1] if found else ""


def definition(question: str, stored: StoredChunk) -> float:
    """Whether the chunk defines the one name that was asked for."""
    name = bare_identifier(question)
    if not name or not stored.chunk.symbol:
        return 0.0
    wanted = _same_name(name)
    defined = (symbol.rpartition(".")[2] for symbol in stored.chunk.symbol.split(" "))
    return DEFINITION if any(_same_name(symbol) == wanted for symbol in defined) else 0.0


SIGNALS: Mapping[str, Callable[[str, StoredChunk], float]] = MappingProxyType(
    {"definition": definition}
)
"""By the name they have in a hit's parts."""
