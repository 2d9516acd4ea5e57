"""
What a definition is called, language by language.

A row of the grammar table names one of these functions for node types whose name
is not simply their ``name`` field.  Each gets a node and the bytes it was parsed
from, and answers None when the node defines nothing after all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Named", "field"]

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
    return Named([text(name, source).strip("'\"`")]) if name else None


def _bare(words: str) -> str:
    """A type without arguments, path and modifiers: ``&mut fmt::Wrap<T>`` is ``Wrap``."""
    found = re.findall(r"\w+", re.split(r"(?<=\w)[<\[(?]", words, maxsplit=1)[0])
    return found[-1] if found else words


def _child(node: Node, *types: str) -> Node | None:
    return next((child for child in node.named_children if child.type in types), None)


# C and C++ ------------------------------------------------------------------


def declarator(node: Node, source: Source) -> Named | None:
    """A C function, typedef or variable: the name is wrapped in what it is declared as."""
    inner = node.child_by_field_name("declarator")
    while inner and inner.type.endswith("declarator"):
        inner = inner.child_by_field_name("declarator") or next(
            (child for child in inner.named_children if not child.type.endswith("comment")), None
        )
    if inner is None:
        return None
    if inner.type == "operator_cast":
        return Named(["operator_" + text(inner.named_children[0], source)])
    return Named([_qualified(inner, source)])


def _qualified(node: Node, source: Source) -> str:
    """``ns::X<T>::f`` is ``X.f``: only the innermost scope is kept, it may be a class."""
    scope = None
    while node.type == "qualified_identifier":
        name = node.child_by_field_name("name")
        if name is None:
            break
        scope, node = node.child_by_field_name("scope"), name
    own = re.split(r"(?<=\w)<", text(node, source), maxsplit=1)[0]
    return f"{_bare(text(scope, source))}.{own}" if scope else own


def c_function(node: Node, source: Source) -> Named | None:
    """A function, or a test macro that looks like one: ``TEST(Suite, case)``."""
    named = declarator(node, source)
    if named and node.child_by_field_name("type") is None and re.fullmatch("[A-Z_]+", named[0][0]):
        inner = node.child_by_field_name("declarator")
        parameters = inner.child_by_field_name("parameters") if inner else None
        words = re.findall(r"\w+", text(parameters, source)) if parameters else []
        return Named([".".join(words)]) if words else named
    return named


def c_variable(node: Node, source: Source) -> Named | None:
    """A variable with a value; a mere declaration defines nothing."""
    inner = node.child_by_field_name("declarator")
    return declarator(node, source) if inner and inner.type == "init_declarator" else None


def c_tagged(node: Node, source: Source) -> Named | None:
    """A struct, union, enum or class with a body; without one it only mentions the name."""
    if node.child_by_field_name("body") is None:
        return None
    name = node.child_by_field_name("name")
    return Named([_qualified(name, source) if name else ""]) if name else Named([])


def c_typedef(node: Node, source: Source) -> Named | None:
    """A typedef, with the tag of the struct it wraps."""
    named = declarator(node, source)
    inner = node.child_by_field_name("type")
    if named and inner and inner.child_by_field_name("body"):
        tag = inner.child_by_field_name("name")
        kind = inner.type.removesuffix("_specifier")
        return Named([*named.names, *([text(tag, source)] if tag else [])], kind, inner)
    return named


def c_macro(node: Node, source: Source) -> Named | None:
    """A macro with a value; include guards have none."""
    return field(node, source) if node.child_by_field_name("value") else None


# Go, Rust, Zig --------------------------------------------------------------


def go_method(node: Node, source: Source) -> Named | None:
    """``func (c *Context) Next()`` is ``Context.Next``."""
    named = field(node, source)
    receiver = node.child_by_field_name("receiver")
    if named is None or receiver is None:
        return named
    owner = re.search(r"(\w+)(?:\[[^]]*])?_?\)$", text(receiver, source).replace(",_)", ")"))
    return Named([f"{owner[1]}.{named.names[0]}"]) if owner else named


def go_specs(node: Node, source: Source) -> Named | None:
    """Everything that one ``type``, ``const`` or ``var`` declares."""
    names: list[str] = []
    kind = ""
    for spec in node.named_children:
        parts = [spec] if spec.type.endswith(("_spec", "_alias")) else spec.named_children
        for part in parts:
            own = part.child_by_field_name("name")
            if own and (name := text(own, source)) != "_":
                names.append(name)
                shape = part.child_by_field_name("type")
                if not kind and shape and shape.type in {"struct_type", "interface_type"}:
                    kind = shape.type.removesuffix("_type")
    return Named(names, kind) if names else None


def rust_impl(node: Node, source: Source) -> Named | None:
    """Both ``impl T`` and ``impl Trait for T`` add to ``T``."""
    own = node.child_by_field_name("type")
    return Named([_bare(text(own, source))]) if own else None


def zig_variable(node: Node, source: Source) -> Named | None:
    """A constant, which may be a type; imports are only used here, not defined."""
    name = _child(node, "identifier")
    value = node.named_children[-1]
    if name is None or text(value, source).startswith("@import"):
        return None
    kind = value.type.removesuffix("_declaration")
    return Named([text(name, source)], kind if kind in {"struct", "enum", "union"} else "")


# The JavaScript family --------------------------------------------------------

_FUNCTIONS = frozenset(
    {"arrow_function", "function_expression", "function", "generator_function"}
)


def _js_value(names: Sequence[str], value: Node | None) -> Named:
    if value and value.type in _FUNCTIONS:
        return Named(names, "function")
    if value and value.type == "class":
        return Named(names, "class", value)
    return Named(names)


def js_variable(node: Node, source: Source) -> Named | None:
    """``const a = …``: a function or class when it is given one, else a constant."""
    parts = [child for child in node.named_children if child.type == "variable_declarator"]
    known = [(part.child_by_field_name("name"), part) for part in parts]
    names = [text(name, source) for name, _ in known if name and name.type == "identifier"]
    if not names:
        return None
    return _js_value(names, parts[0].child_by_field_name("value"))


def js_statement(node: Node, source: Source) -> Named | None:
    """``exports.a = function``, ``A.prototype.b = …``, and TypeScript's ``namespace``."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner and inner.type == "internal_module":
        named = field(inner, source)
        return Named(named.names, "module", inner) if named else None
    if inner is None or inner.type != "assignment_expression":
        return None
    left, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or value is None or value.type not in {*_FUNCTIONS, "class"}:
        return None
    name = text(left, source).replace(".prototype.", ".")
    name = re.sub(r"^(?:module\.)?exports\.|^(?:this|self|window|globalThis)\.", "", name)
    if not re.fullmatch(r"[\w$.]+", name):
        return None
    if name == "module.exports":
        return field(value, source)
    return _js_value([name], value)


def js_member(node: Node, source: Source) -> Named | None:
    """A field or property that holds a function."""
    value = node.child_by_field_name("value")
    if value is None or value.type not in _FUNCTIONS:
        return None
    for name in ("name", "property", "key"):
        own = node.child_by_field_name(name)
        if own:
            return Named([text(own, source).strip("'\"`")])
    return None


# Python, Ruby, Lua, Elixir ------------------------------------------------------


def python_assignment(node: Node, source: Source) -> Named | None:
    """A module's own names; those in classes and functions are left to their owners."""
    inner = node.named_children[0] if node.named_child_count else None
    left = inner.child_by_field_name("left") if inner and inner.type == "assignment" else None
    return Named([text(left, source)]) if left and left.type == "identifier" else None


def python_alias(node: Node, source: Source) -> Named | None:
    """``type Name = …``."""
    left = node.child_by_field_name("left")
    return Named([_bare(text(left, source))]) if left else None


def ruby_module(node: Node, source: Source) -> Named | None:
    """``class A::B`` is ``A.B``."""
    named = field(node, source)
    return Named([named.names[0].replace("::", ".")]) if named else None


def ruby_call(node: Node, source: Source) -> Named | None:
    """``private def a``, ``define_method(:a)``."""
    method, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments and arguments.named_child_count else None
    if method is None or first is None:
        return None
    if first.type in {"method", "singleton_method"}:
        return field(first, source)
    if text(method, source) in {"define_method", "define_singleton_method"}:
        return Named([text(first, source).strip(":'\"")])
    return None


def ruby_assignment(node: Node, source: Source) -> Named | None:
    """A constant, which may be a class made by ``Struct.new`` with a block."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "constant":
        return None
    block = right.child_by_field_name("block") if right and right.type == "call" else None
    return Named([text(left, source)], "class" if block else "", block)


def lua_function(node: Node, source: Source) -> Named | None:
    """``function M:a()`` is ``M.a``."""
    named = field(node, source)
    return Named([named.names[0].replace(":", ".")]) if named else None


def lua_assignment(node: Node, source: Source) -> Named | None:
    """``M.a = function``, ``local t = {…}``."""
    inner = node if node.type == "assignment_statement" else _child(node, "assignment_statement")
    if inner is None or len(inner.named_children) < 2:
        return None
    left, right = inner.named_children[0], inner.named_children[-1]
    value = right.named_children[0] if right.named_child_count else None
    if value is None or value.type not in {"function_definition", "table_constructor"}:
        return None
    return Named([text(left, source)], "function" if value.type == "function_definition" else "")


def lua_field(node: Node, source: Source) -> Named | None:
    """An entry of a table that is a function."""
    value = node.child_by_field_name("value")
    return field(node, source) if value and value.type == "function_definition" else None


_ELIXIR = {
    "defmodule": "module", "defprotocol": "protocol", "defimpl": "impl",
    "def": "function", "defp": "function", "defdelegate": "function",
    "defguard": "function", "defguardp": "function", "defn": "function", "defnp": "function",
    "defmacro": "macro", "defmacrop": "macro",
}  # fmt: skip


def elixir_call(node: Node, source: Source) -> Named | None:
    """Definitions are calls in Elixir: the word that is called tells."""
    target = node.child_by_field_name("target")
    kind = _ELIXIR.get(text(target, source)) if target else None
    arguments = _child(node, "arguments") if kind else None
    if kind is None or arguments is None or not arguments.named_child_count:
        return None
    head = arguments.named_children[0]
    while head.type == "binary_operator":
        operator, left = head.child_by_field_name("operator"), head.child_by_field_name("left")
        if operator is None or left is None:
            return None
        if text(operator, source) != "when":
            return Named([text(operator, source)], kind)
        head = left
    if kind == "impl":
        whom = re.search(r"for:_?([\w.]+)", text(arguments, source))
        return Named([text(head, source) + (f".{whom[1]}" if whom else "")], kind)
    return Named([text(head.child_by_field_name("target") or head, source)], kind)


# Haskell, Kotlin, Scala, Swift, C# ----------------------------------------------


def haskell_value(node: Node, source: Source) -> Named | None:
    """A function, a binding or a signature, operators included."""
    named = field(node, source)
    if named:
        return named
    infix = _child(node, "infix")
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
            return _bare(text(before, source)) + "."
        before = child if child.is_named else before
    return ""


def kotlin_property(node: Node, source: Source) -> Named | None:
    """A property; one that is computed counts like a function."""
    variable = _child(node, "variable_declaration")
    own = variable.named_children[0] if variable and variable.named_child_count else None
    if own is None:
        return None
    computed = _child(node, "getter") is not None
    return Named([_receiver(node, source) + text(own, source)], "property" if computed else "")


def kotlin_class(node: Node, source: Source) -> Named | None:
    """Classes, interfaces and enums share a node type."""
    named = field(node, source)
    words = {child.type for child in node.children if not child.is_named}
    kind = "interface" if "interface" in words else ""
    if _child(node, "enum_class_body"):
        kind = "enum"
    return Named(named.names, kind) if named else None


def kotlin_alias(node: Node, source: Source) -> Named | None:
    """``typealias Name = …``."""
    own = node.child_by_field_name("type") or _child(node, "identifier")
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
    modifiers = _child(node, "modifiers")
    implicit = modifiers is not None and "implicit" in text(modifiers, source)
    return Named([text(name, source)], "constant" if implicit else "")


def csharp_operator(node: Node, source: Source) -> Named | None:
    """``operator +``, ``operator int``, ``this[]``."""
    if node.type == "indexer_declaration":
        return Named(["this[]"])
    sign = node.child_by_field_name("operator") or node.child_by_field_name("type")
    return Named(["operator_" + text(sign, source)]) if sign else None
