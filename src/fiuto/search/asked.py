"""
What a question is: a name, a phrase or a sentence, and what its words ask for.

The two lists deserve different trust for each kind: a name stands in the text as it
was typed, a sentence in everyday words often shares none with the code that answers.
Pure: words in, a value out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from fiuto.model import Label
from fiuto.search.frames import Frame, frames_of, message_of
from fiuto.search.words import same_name
from fiuto.terms import terms
from fiuto.values import dataclass

__all__ = ["KINDS", "STOP", "Asked", "Kind", "bare_identifier", "parse", "verbatim"]

Kind: TypeAlias = Literal["name", "phrase", "how", "sentence"]

KINDS: tuple[Kind, ...] = ("name", "phrase", "how", "sentence")

STOP = frozenset(
    """
    a about after all also an and any are as at be been before being between by can could did do
    does done down during each for from had has have he how if in into is it its just may might no
    not of off on only or other our out over own per same she should some such than that the their
    them then there these they this those to under up very via was we were what when where which
    while who why will with would you your
    """.split()  # noqa: SIM905 - a paragraph reads better than seventy strings
)
"""English words that no code is about."""

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*(?:\(\))?")
_SEPARATOR = re.compile(r"\.|::|#|->")
_INNER = re.compile(r"[A-Za-z_][\w.:#]*\w")
_LIKE_CODE = re.compile(r"[a-z][A-Z]|\w_\w|^_\w|::|\w\.[A-Za-z_]{2}")
"""What no word of plain language holds: a hump, an underscore, a separator."""
_INVERTED = re.compile(
    r"(where|who|which|what|why|when|whose|do|does|did|is|are|can|could|should|would|will|"
    r"how (many|much|long|often|big|large|small|far|fast|old|deep|high|soon))\b",
    re.IGNORECASE,
)
"""How a whole question begins."""
_HOW = re.compile(r"how (do|does|did|is|are|can|could|should|would)?\b", re.IGNORECASE)
"""How one begins that asks for a mechanism: "how routes are matched"."""
_PLAIN = re.compile(
    r"\b(the|a|an|that|we|it|they|you|i|is|are|be|my|our|this|if|when|so)\b", re.IGNORECASE
)
"""Words of whole sentences, which headings leave out."""
_QUOTED = re.compile(r"[\"“”`]([^\"“”`]{8,})[\"“”`]|^'([^']{8,})'$")

_WANTED: Mapping[Label, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "test": (
            ("test", "spec"),
            r"""
            \b(tests?|specs?)\s+(for|of|that|which|about|covering|on)\b
            | \bhow\s+(is|are)\s+.*\btested\b | \bwhere\s+(is|are|do\s+we)\s+.*\btest(ed)?\b
            | ^tests\b | ^tests?$
            """,
        ),
        "example": (
            ("example", "sample"),
            r"""
            \bexamples?\s+(of|for|how|that|using|with|on)\b | \bsamples?\s+(code|of|for)\b
            | ^examples?\b
            """,
        ),
        "docs": (
            ("doc", "readme", "guide", "tutorial", "manual", "change", "release"),
            r"""
            \b(docs?|documentation|readme|guide|tutorial|manual)\s+(on|of|for|about)\b
            | \bchange\s?log\b | \brelease\s+notes\b | ^(docs|documentation|readme)\b
            """,
        ),
        "config": (
            ("file", "workflow", "script"),
            r"\b(config(uration)?|settings|build|ci)\s+(files?|workflows?|scripts?)\b",
        ),
    }
)
"""What asks for a label: words of which one must occur (a fast search), and the shape."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, understood."""

    text: str
    kind: Kind
    terms: tuple[str, ...]
    """All terms, as the keyword side gets them."""
    content: tuple[str, ...]
    """The distinct terms that say something, in order; all where none does."""
    name: str = ""
    """The one name that was asked for, as :func:`same_name` writes it."""
    named: frozenset[str] = frozenset()
    """Names inside a phrase or sentence, written the same way."""
    written: tuple[str, ...] = ()
    """``name`` and ``named`` as they stand in the question, without qualifiers."""
    wanted: frozenset[Label] = frozenset()
    """Labels that the words ask for."""
    frames: tuple[Frame, ...] = ()
    """Places that the text points at, the innermost first."""
    quoted: str = ""
    """A message given in quotes, or the one that ends a stack trace."""


def parse(question: str) -> Asked:
    """
    Understand ``question``.

    >>> parse("Session.resolve_redirects()").name, parse("how redirects are followed").kind
    ('resolveredirects', 'how')
    """
    frames = frames_of(question)
    message = message_of(question) if frames else ""
    text = _searchable(question, frames, message)
    found = tuple(terms(text))
    distinct = tuple(dict.fromkeys(found))
    bare = bare_identifier(question)
    pointed = bool(frames) and not message  # a path alone names no code
    written = (bare,) if bare else () if pointed else tuple(_names_inside(text))
    return Asked(
        text=text,
        kind=_kind(question, bare),
        terms=found,
        content=tuple(term for term in distinct if term not in STOP) or distinct,
        name=same_name(bare) if bare else "",
        named=frozenset() if bare else frozenset(map(same_name, written)),
        written=written,
        wanted=frozenset() if bare else _wanted(question),
        frames=frames,
        quoted=message or next((a or b for a, b in _QUOTED.findall(question)), ""),
    )


def verbatim(question: str) -> Asked:
    """``question`` for a pipeline that understands nothing: its terms, as they are."""
    found = tuple(terms(question))
    return Asked(question, "phrase", found, tuple(dict.fromkeys(found)))


def bare_identifier(question: str) -> str:
    """
    The last part of a question that is nothing but a name, perhaps qualified; else empty.

    >>> bare_identifier("Response.raise_for_status()"), bare_identifier("who raises")
    ('raise_for_status', '')
    """
    text = question.strip()
    if _IDENTIFIER.fullmatch(text) is None:
        return ""
    return _last(text)


def _wanted(question: str) -> frozenset[Label]:
    said = question.casefold()
    return frozenset(
        label
        for label, (hints, shape) in _WANTED.items()
        if any(hint in said for hint in hints)
        and re.search(shape, question, re.IGNORECASE | re.VERBOSE)
    )


def _last(name: str) -> str:
    return _SEPARATOR.split(name.removesuffix("()"))[-1]


def _kind(question: str, bare: str) -> Kind:
    if bare:
        return "name"
    text = question.strip()
    if text.endswith(("?", "？")) or _INVERTED.match(text):
        return "sentence"
    how = _HOW.match(text)
    words = len(text.split())
    plain = len(_PLAIN.findall(text, how.end() if how else 0)) * 7 >= words
    if how:  # "how do we block users" is a sentence, "how does injection work" a heading
        return "sentence" if how[1] and plain else "how"
    return "sentence" if plain and words >= 6 else "phrase"


def _names_inside(text: str) -> list[str]:
    return list(dict.fromkeys(_last(w) for w in _INNER.findall(text) if _LIKE_CODE.search(w)))


def _searchable(question: str, frames: tuple[Frame, ...], message: str) -> str:
    """A stack trace is asked about by its message and the names of its frames."""
    if not message:
        return question
    return " ".join((message, *(frame.function for frame in frames[:3] if frame.function)))
