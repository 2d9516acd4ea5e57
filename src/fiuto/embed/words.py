"""
How the static model reads a text: identifiers cut into lower-case word parts.

Questions and documents must be cut alike, and so must the texts that the model
is trained on, so there is one place for it.  Another cut means other vectors:
:data:`WORDS` names this one and is part of the embedder's identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fiuto.runs import runs_of

__all__ = ["WORDS", "parts_of", "pieces_of", "runs_of"]

WORDS = "words-1"
"""The name of this way to cut; raise the number when any result changes."""

_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OTHER_PART = re.compile(r"[^\W\d_]+|\d+")

_SHORTEST_PIECE = 3
"""Two letters fit nearly anywhere, and say nothing."""
_LONGEST_UNKNOWN = 40
"""A longer run of letters is data (base64, a digest), not words written together."""


def parts_of(run: str) -> list[str]:
    """
    The word parts of an identifier: cut at ``_``, at camelCase and around digits.

    >>> parts_of("HTTPSConnection_v2"), parts_of("größe_MAX")
    (['https', 'connection', 'v', '2'], ['größe', 'max'])
    """
    parts = (_ASCII_PART if run.isascii() else _OTHER_PART).findall(run)
    return [part.lower() for part in parts]


def pieces_of(part: str, known: Callable[[str], bool]) -> list[str]:
    """
    Known words that an unknown part is made of, longest first from the left.

    Empty where they do not cover the whole part: a word with a hole is as likely
    a chance match as a meaning.

    >>> pieces_of("rewindbody", {"rewind", "body", "bod"}.__contains__)
    ['rewind', 'body']
    """
    size = len(part)
    if size > _LONGEST_UNKNOWN:
        return []
    pieces: list[str] = []
    start = 0
    while start < size:
        for end in range(size, start + _SHORTEST_PIECE - 1, -1):
            if known(part[start:end]):
                pieces.append(part[start:end])
                start = end
                break
        else:
            return []
    return pieces
