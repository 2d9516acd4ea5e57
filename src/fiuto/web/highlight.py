"""
Code as coloured pieces of plain text: the page makes elements of them, never HTML.

A line is a list of ``[class, text]``, or ``[class, text, 1]`` where a term of the
question stands.  What could turn the reading direction or hide is written as an escape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token
from pygments.util import ClassNotFound

from fiuto.render.matches import Matcher
from fiuto.render.style import printable

__all__ = ["PLAIN", "Line", "coloured", "lexer_for"]

Line: TypeAlias = list[list[Any]]
_Pieces: TypeAlias = Sequence[Sequence[tuple[str, str]]]

_MOST = 300_000
"""Characters that are coloured; Pygments reads about a million a second."""
_LONGEST = 5_000
"""Characters of a line that is coloured; longer ones are minified or data."""

_CHUNK = 10_000
"""Characters up to which pieces are kept: hits come again at the next key."""

_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "asm": "gas", "batch": "bat", "hcl": "terraform", "notebook": "python",
        "objectivec": "objective-c", "restructuredtext": "rst", "tsx": "typescript",
    }
)  # fmt: skip
"""Languages that Pygments calls otherwise."""
PLAIN: frozenset[str] = frozenset({"", "text"})
"""Languages without anything to colour."""

_CLASSES: tuple[tuple[Any, str], ...] = (
    (Token.Comment, "c"),
    (Token.Keyword.Constant, "n"),
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Literal.String.Doc, "c"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
    (Token.Name.Function, "f"),
    (Token.Name.Class, "f"),
    (Token.Name.Decorator, "d"),
    (Token.Name.Tag, "k"),
    (Token.Name.Attribute, "d"),
    (Token.Name.Builtin, "b"),
    (Token.Name.Exception, "b"),
    (Token.Generic.Heading, "k"),
    (Token.Generic.Subheading, "k"),
)
"""Kind of token -> class; the first that holds decides.  Eight colours are enough to read by."""


@lru_cache(maxsize=64)
def lexer_for(language: str) -> Lexer | None:
    """The lexer for one of :data:`fiuto.languages.LANGUAGES`, None where there is none."""
    if language in PLAIN:
        return None
    try:
        return get_lexer_by_name(_ALIASES.get(language, language))
    except ClassNotFound:
        return None


def coloured(text: str, language: str, matcher: Matcher | None = None) -> list[Line]:
    """
    The lines of ``text`` as pieces.

    Args:
        text: whole lines; only a newline ends one.
        language: as in a hit.
        matcher: the question's terms, to be marked.
    """
    lines = text.split("\n")
    pieces = _kept(text, language) if len(text) <= _CHUNK else _pieces(text, language)
    if matcher is None:
        return [[[kind, printable(part)] for kind, part in line] for line in pieces]
    return [
        list(_marked(line, matcher.spans(raw)))
        for line, raw in zip(pieces, lines, strict=True)
    ]  # fmt: skip


def _pieces(text: str, language: str) -> _Pieces:
    lines = text.split("\n")
    lexer = lexer_for(language)
    if lexer is None or len(text) > _MOST or max(map(len, lines)) > _LONGEST:
        return [[("", line)] if line else [] for line in lines]
    out: list[list[tuple[str, str]]] = [[]]
    # Unprocessed: a carriage return must not become a line of its own.
    for _, token, value in lexer.get_tokens_unprocessed(text):
        kind = _class_of(token)
        for i, part in enumerate(value.split("\n")):
            if i:
                out.append([])
            if part and out[-1] and out[-1][-1][0] == kind:
                out[-1][-1] = (kind, out[-1][-1][1] + part)
            elif part:
                out[-1].append((kind, part))
    return out


_kept = lru_cache(maxsize=512)(_pieces)  # some 20 MB


@lru_cache(maxsize=512)
def _class_of(token: Any) -> str:
    return next((name for kind, name in _CLASSES if token in kind), "")


def _marked(line: Sequence[tuple[str, str]], spans: Sequence[tuple[int, int]]) -> Iterator[Any]:
    """The pieces of a line, cut where a span begins or ends."""
    borders = sorted({border for span in spans for border in span})
    at = 0
    for kind, part in line:
        cuts = [at, *(b for b in borders if at < b < at + len(part)), at + len(part)]
        for start, end in pairwise(cuts):
            shown = printable(part[start - at : end - at])
            inside = any(s <= start and end <= e for s, e in spans)
            yield [kind, shown, 1] if inside else [kind, shown]
        at += len(part)
