"""Names in the JavaScript family, Python, Ruby, Lua and Elixir."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fiuto.chunk.naming.base import Named, Source, bare, child_of, field, text, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node


_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})


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
            return Named([unquoted(text(own, source))])
    return None


def python_assignment(node: Node, source: Source) -> Named | None:
    """A module's own names; those in classes and functions are left to their owners."""
    inner = node.named_children[0] if node.named_child_count else None
    left = inner.child_by_field_name("left") if inner and inner.type == "assignment" else None
    return Named([text(left, source)]) if left and left.type == "identifier" else None


def python_alias(node: Node, source: Source) -> Named | None:
    """``type Name = …``."""
    left = node.child_by_field_name("left")
    return Named([bare(text(left, source))]) if left else None


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
    inner = node if node.type == "assignment_statement" else child_of(node, "assignment_statement")
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
    arguments = child_of(node, "arguments") if kind else None
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
