"""
What all functions that find a name share.

Each gets a node and the bytes it was parsed from, and answers None when the node
defines nothing after all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Named", "Source", "bare", "child_of", "field", "raw", "text", "unquoted"]

Source: TypeAlias = bytes


class Named(NamedTuple):
    """How a definition is to be known."""

    names: Sequence[str]
    """Without what encloses it; empty where only the members have names of their own."""
    kind: str = ""
    """Overrides the kind in the grammar table."""
    scope: Node | None = None
    """The node whose bodies hold the members, where it is not the definition itself."""


def raw(node: Node, source: Source) -> str:
    """The text of a node."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def text(node: Node, source: Source) -> str:
    """The words of a node, without blanks: symbols are separated by them."""
    return "_".join(raw(node, source).split())


def field(node: Node, source: Source) -> Named | None:
    """The plain case: a field called ``name``."""
    name = node.child_by_field_name("name")
    return Named([unquoted(text(name, source))]) if name else None


def unquoted(name: str) -> str:
    """A name without quotes around it; a prime at its end is part of it in Haskell."""
    return name.strip("'") if name.startswith("'") else name.strip('"`')


def bare(words: str) -> str:
    """A type without arguments, path and modifiers: ``&mut fmt::Wrap<T>`` is ``Wrap``."""
    found = re.findall(r"\w+", re.split(r"(?<=\w)[<\[(?]", words, maxsplit=1)[0])
    return found[-1] if found else words


def child_of(node: Node, *types: str) -> Node | None:
    """The first named child of one of these types."""
    return next((child for child in node.named_children if child.type in types), None)
