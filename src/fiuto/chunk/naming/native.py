"""Names in C, C++, Go, Rust and Zig."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fiuto.chunk.naming.base import Named, Source, bare, child_of, field, raw, text

if TYPE_CHECKING:
    from tree_sitter import Node


_DECLARED = frozenset(
    {
        "destructor_name", "field_identifier", "identifier", "operator_cast", "operator_name",
        "qualified_identifier", "template_function", "type_identifier",
    }
)  # fmt: skip


_C_NAME = re.compile(r"(?:[\w$]+\.)?(?:~?[A-Za-z_$][\w$]*|operator.{1,60})")
"""What a name may look like; macros can lead the parser to take half a page for one."""


def declarator(node: Node, source: Source) -> Named | None:
    """A C function, typedef or variable: the name is wrapped in what it is declared as."""
    inner = node.child_by_field_name("declarator")
    while inner and inner.type.endswith("declarator"):
        inner = inner.child_by_field_name("declarator") or next(
            (child for child in inner.named_children if child.type not in {"comment", "ERROR"}),
            None,
        )
    if inner is None or inner.type not in _DECLARED:
        return None
    if inner.type == "operator_cast":
        return Named(["operator_" + text(inner.named_children[0], source)])
    name = _qualified(inner, source)
    return Named([name]) if _C_NAME.fullmatch(name) else None


def c_orphan(node: Node, source: Source) -> Named | None:
    """What is left of a function whose body the parser could not read."""
    return declarator(node, source) if node.parent and node.parent.type == "ERROR" else None


def _qualified(node: Node, source: Source) -> str:
    """``ns::X<T>::f`` is ``X.f``: only the innermost scope is kept, it may be a class."""
    scope = None
    while node.type == "qualified_identifier":
        name = node.child_by_field_name("name")
        if name is None:
            break
        scope, node = node.child_by_field_name("scope"), name
    own = re.split(r"(?<=\w)<", text(node, source), maxsplit=1)[0]
    return f"{bare(text(scope, source))}.{own}" if scope else own


def c_function(node: Node, source: Source) -> Named | None:
    """A function, or a test macro that looks like one: ``TEST(Suite, case)``."""
    named = declarator(node, source)
    if named and node.child_by_field_name("type") is None and _MACRO.fullmatch(named.names[0]):
        inner = node.child_by_field_name("declarator")
        parameters = inner.child_by_field_name("parameters") if inner else None
        words = _WORDS.fullmatch(raw(parameters, source)) if parameters else None
        if words:
            return Named([".".join(re.findall(r"\w+", words[0]))])
    return named


_MACRO = re.compile("[A-Z][A-Z0-9_]{3,}")
_WORDS = re.compile(r"\(\s*\w+\s*(?:,\s*\w+\s*)*\)")


def c_field(node: Node, source: Source) -> Named | None:
    """A type that is defined where it is used; a plain field is left to its owner."""
    inner = node.child_by_field_name("type")
    tag = inner.child_by_field_name("name") if inner else None
    if inner is None or tag is None or inner.child_by_field_name("body") is None:
        return None
    return Named([text(tag, source)], inner.type.removesuffix("_specifier"), inner)


def c_variable(node: Node, source: Source) -> Named | None:
    """A variable with a value or a type of its own; a mere declaration defines nothing."""
    inner = node.child_by_field_name("declarator")
    valued = inner is not None and inner.type == "init_declarator"
    return c_field(node, source) or (declarator(node, source) if valued else None)


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


def go_method(node: Node, source: Source) -> Named | None:
    """``func (c *Context) Next()`` is ``Context.Next``."""
    named = field(node, source)
    receiver = node.child_by_field_name("receiver")
    if named is None or receiver is None:
        return named
    owner = re.search(r"(\w+)\s*(?:\[[^]]*\])?\s*,?\s*\)$", raw(receiver, source))
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
    return Named([bare(text(own, source))]) if own else None


def rust_macro(node: Node, source: Source) -> Named | None:
    """A macro that is handed a definition: ``bitflags! { pub struct Flags … }``."""
    found = re.search(r"\b(?:struct|enum|union|trait|fn|static)\s+(\w+)", raw(node, source))
    return Named([found[1]]) if found else None


def zig_variable(node: Node, source: Source) -> Named | None:
    """A constant, which may be a type; imports are only used here, not defined."""
    name = child_of(node, "identifier")
    value = node.named_children[-1]
    if name is None or text(value, source).startswith("@import"):
        return None
    kind = value.type.removesuffix("_declaration")
    return Named([text(name, source)], kind if kind in {"struct", "enum", "union"} else "")
