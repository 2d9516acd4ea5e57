"""
Reads the table of grammars: rules by node type, parsers by language.

Only the grammar that is asked for is imported.  A new language is a row in
:mod:`fiuto.chunk.table`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from fiuto.chunk.naming import native, scripting, typed
from fiuto.chunk.naming.base import Named, field
from fiuto.chunk.table import GRAMMARS
from fiuto.values import dataclass

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["GRAMMARS", "SCOPES", "Rule", "dialect", "load", "rules"]

SCOPES = frozenset(
    {
        "actor", "class", "enum", "extension", "impl", "interface", "module",
        "object", "protocol", "record", "struct", "trait", "union",
    }
)  # fmt: skip
"""Kinds whose members carry their name as a prefix."""


_FAMILIES = {"native": native, "scripting": scripting, "typed": typed}


@dataclass(frozen=True, slots=True)
class Rule:
    """What to do with one node type."""

    role: str
    """``lead``, ``open``, ``wrap`` or ``define``."""
    kind: str = ""
    name: Callable[[Node, bytes], Named | None] = field


def load(language: str) -> Language:
    """The parser's tables for a language of :data:`GRAMMARS`; imports its wheel."""
    return _load(GRAMMARS[language].module, GRAMMARS[language].function)


@cache
def _load(module: str, function: str) -> Language:
    from tree_sitter import Language  # noqa: PLC0415 - only who parses pays for it

    return Language(getattr(import_module(module), function)())


@cache
def rules(language: str) -> Mapping[str, Rule]:
    """The row of a language, by node type."""
    grammar = GRAMMARS[language]
    family = _FAMILIES[grammar.names]
    table = {"ERROR": Rule("open")}
    for role in ("lead", "open", "wrap"):
        table |= {type_: Rule(role) for type_ in getattr(grammar, role).split()}
    for line in grammar.define.split("\n"):
        row, _, types = line.strip().partition(": ")
        kind, _, namer = row.partition(" ")
        rule = Rule("define", kind, getattr(family, namer) if namer else field)
        table |= dict.fromkeys(types.split(), rule)
    return table


_CPP_IN_HEADER = re.compile(
    r"^[ \t]*(?:template\s*<|namespace\b|(?:class|struct)\s+\w+\s*(?:final\s*)?:|class\s+\w+\s*\{"
    r"|(?:public|private|protected)\s*:|using\s+\w+|constexpr\b)|\bstd::|\boperator\s*\W",
    re.MULTILINE,
)


def dialect(path: str, text: str, language: str) -> str:
    """
    The language to parse a file in: ``.h`` belongs to two, and the text tells.

    >>> dialect("a.h", "namespace a {}", "c"), dialect("a.h", "int a(void);", "c")
    ('cpp', 'c')
    """
    if language == "c" and path.endswith((".h", ".H")) and _CPP_IN_HEADER.search(text):
        return "cpp"
    return language
