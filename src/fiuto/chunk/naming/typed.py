"""Names in Haskell, Kotlin, Scala, Swift and C#."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fiuto.chunk.naming.base import Named, Source, bare, child_of, field, raw, text

if TYPE_CHECKING:
    from tree_sitter import Node


def haskell_value(node: Node, source: Source) -> Named | None:
    """A function, a binding or a signature, operators included."""
    named = field(node, source)
    if named:
        return named
    infix = child_of(node, "infix")
    operator = infix.child_by_field_name("operator") if infix else None
    return Named([text(operator, source).strip("`")]) if operator else None


def haskell_instance(node: Node, source: Source) -> Named | None:
    """``instance Show (Tree a)`` is ``Show.Tree``."""
    named = field(node, source)
    patterns = node.child_by_field_name("patterns")
    if named is None or patterns is None:
        return named
    head = re.search(r"\w+", raw(patterns, source))
    return Named([f"{named.names[0]}.{head[0]}"]) if head else named


def kotlin_function(node: Node, source: Source) -> Named | None:
    """``fun String.lines()`` is ``String.lines``."""
    named = field(node, source)
    return Named([_receiver(node, source) + named.names[0]]) if named else None


def _receiver(node: Node, source: Source) -> str:
    """The type that stands before the dot of an extension, with the dot."""
    before: Node | None = None
    for child in node.children:
        if child.type == "." and before:
            return bare(text(before, source)) + "."
        before = child if child.is_named else before
    return ""


def kotlin_property(node: Node, source: Source) -> Named | None:
    """A property; one that is computed counts like a function."""
    variable = child_of(node, "variable_declaration")
    own = variable.named_children[0] if variable and variable.named_child_count else None
    if own is None:
        return None
    computed = child_of(node, "getter") is not None
    return Named([_receiver(node, source) + text(own, source)], "property" if computed else "")


def kotlin_class(node: Node, source: Source) -> Named | None:
    """Classes, interfaces and enums share a node type."""
    named = field(node, source)
    words = {child.type for child in node.children if not child.is_named}
    kind = "interface" if "interface" in words else ""
    if child_of(node, "enum_class_body"):
        kind = "enum"
    return Named(named.names, kind) if named else None


def kotlin_alias(node: Node, source: Source) -> Named | None:
    """``typealias Name = …``."""
    own = node.child_by_field_name("type") or child_of(node, "identifier")
    return Named([text(own, source)]) if own else None


def constructor(node: Node, source: Source) -> Named | None:
    """A constructor without a name of its own."""
    del node, source
    return Named(["constructor"])


def nameless(node: Node, source: Source) -> Named | None:
    """A part of what encloses it, whose members belong to that."""
    return field(node, source) or Named([])


def swift_type(node: Node, source: Source) -> Named | None:
    """Classes, structs, enums, actors and extensions share a node type."""
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("declaration_kind")
    if name is None:
        return None
    words = re.split(r"(?<=\w)<", text(name, source), maxsplit=1)[0]
    return Named([words], text(kind, source) if kind else "")


def swift_property(node: Node, source: Source) -> Named | None:
    """A property; one that is computed counts like a function."""
    name = node.child_by_field_name("name")
    computed = node.child_by_field_name("computed_value") is not None
    return Named([text(name, source)], "property" if computed else "") if name else None


def swift_special(node: Node, source: Source) -> Named | None:
    """``init``, ``deinit`` and ``subscript`` are their own names."""
    del source
    return Named([node.type.removesuffix("_declaration")])


def scala_value(node: Node, source: Source) -> Named | None:
    """A value; an implicit one is found by its type, so it counts wherever it stands."""
    name = node.child_by_field_name("pattern")
    if name is None or name.type != "identifier":
        return None
    modifiers = child_of(node, "modifiers")
    implicit = modifiers is not None and "implicit" in text(modifiers, source)
    return Named([text(name, source)], "constant" if implicit else "")


def csharp_operator(node: Node, source: Source) -> Named | None:
    """``operator +``, ``operator int``, ``this[]``."""
    if node.type == "indexer_declaration":
        return Named(["this[]"])
    sign = node.child_by_field_name("operator") or node.child_by_field_name("type")
    return Named(["operator_" + text(sign, source)]) if sign else None
