"""
Where a named thing is defined, told from the text alone.

A question may point at a symbol instead of a line, so that it survives edits
above it.  The rules are lexical and few: a question file that they cannot
resolve says so and asks for the line, which is safer than a guess.
"""

from __future__ import annotations

import re

__all__ = ["definition_lines", "holds", "last_name"]

_KEYWORDS = (
    "def defp defmacro defmacrop defmodule defprotocol defimpl class fn func function fun struct "
    "enum union interface trait type protocol object module namespace macro val var let const data "
    "newtype record sub proc macro_rules! actor typedef typealias"
).replace(" ", "|")
_MODIFIERS = (
    "public private protected internal static override final abstract async virtual sealed export "
    "pub inline extern open suspend native synchronized unsafe readonly constexpr"
).replace(" ", "|")


def last_name(symbol: str) -> str:
    """
    The last part of a qualified name.

    >>> [last_name(s) for s in ("Session.send", "fs::File::open", "Foo#bar?", "plain")]
    ['send', 'open', 'bar?', 'plain']
    """
    return re.split(r"\.|::|#|->", symbol)[-1]


def holds(line: str, symbol: str) -> bool:
    """Whether the last part of ``symbol`` stands on a line as a word of its own."""
    return bool(re.search(_word(last_name(symbol)), line))


def definition_lines(text: str, symbol: str) -> list[int]:
    """
    The 1-based lines that may define ``symbol``, all of the most convincing kind.

    1. lines where a defining keyword (``def``, ``class``, ``fn``, ...) stands before the name;
    2. lines where the name follows a modifier or starts in the first columns, and is called
       like a function but not ended like a statement: C, Java, C#;
    3. all lines with the name.
    """
    name = _word(last_name(symbol))
    keyword = re.compile(
        rf"(?<!\w)(?:{_KEYWORDS})(?:\s+(?:class|mut|static|function))?(?:<[^>]*>)?\s+"
        rf"(?:\([^)]*\)\s*|<[^>]*>\s*)?(?:[\w<>]+[.:]+)*{name}"
    )
    shaped = re.compile(
        rf"^(?:(?!\s|/[*/]|[*#]|--)|.*\b(?:{_MODIFIERS})\b)(?!.*\b(?:return|throw|new)\b.*{name})"
        rf"[^=(]*{name}\s*[<(](?!.*;\s*$)"
    )
    lines = text.split("\n")
    mentions = [i for i, line in enumerate(lines, start=1) if re.search(name, line)]
    for pattern in (keyword, shaped):
        found = [i for i in mentions if pattern.search(lines[i - 1])]
        if found:
            return found
    return mentions


def _word(name: str) -> str:
    """The name with no word character on either side, where it begins or ends with one."""
    before = r"(?<!\w)" if name[:1].isalnum() or name[:1] == "_" else ""
    after = r"(?!\w)" if name[-1:].isalnum() or name[-1:] == "_" else ""
    return before + re.escape(name) + after
