"""
One table: how each language marks what it defines.

A new language is a row here.  The first words of a value in ``define`` give the
kind, a second one the function in :mod:`fiuto.chunk.names` that finds the name
where it is not simply the node's ``name`` field.  Only the grammar that is asked
for is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from fiuto.chunk import names

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["GRAMMARS", "SCOPES", "Grammar", "Rule", "dialect", "load", "rules"]

SCOPES = frozenset(
    {
        "actor", "class", "enum", "extension", "impl", "interface", "module",
        "object", "protocol", "record", "struct", "trait", "union",
    }
)  # fmt: skip
"""Kinds whose members carry their name as a prefix."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """How to read one language; node types are separated by blanks."""

    module: str
    """The package of the grammar's own wheel."""
    function: str = "language"
    lead: str = "comment"
    """Belongs to what follows it: comments, decorators, attributes."""
    open: str = ""
    """Looked into as if its braces were not there: bodies, namespaces, conditions."""
    wrap: str = ""
    """Holds one definition with something around it."""
    define: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """What to do with one node type."""

    role: str
    """``lead``, ``open``, ``wrap`` or ``define``."""
    kind: str = ""
    name: Callable[[Node, bytes], names.Named | None] = names.field


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
    table = {"ERROR": Rule("open")}
    for role in ("lead", "open", "wrap"):
        table |= {type_: Rule(role) for type_ in getattr(grammar, role).split()}
    for type_, row in grammar.define.items():
        kind, _, namer = row.partition(" ")
        table[type_] = Rule("define", kind, getattr(names, namer or "field"))
    return table


_CPP_IN_HEADER = re.compile(
    r"^\s*(?:template\s*<|namespace\b|(?:class|struct)\s+\w+\s*(?:final\s*)?:|class\s+\w+\s*\{"
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


_C = {
    "function_definition": "function c_function",
    "function_declarator": "function declarator",  # what is left of one in an ERROR
    "struct_specifier": "struct c_tagged",
    "union_specifier": "union c_tagged",
    "enum_specifier": "enum c_tagged",
    "type_definition": "type c_typedef",
    "declaration": "constant c_variable",
    "preproc_def": "constant c_macro",
    "preproc_function_def": "macro",
}
_C_OPEN = (
    "preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef"
    " linkage_specification declaration_list field_declaration_list enumerator_list"
)

_JS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "class_declaration": "class",
    "method_definition": "method",
    "lexical_declaration": "constant js_variable",
    "variable_declaration": "constant js_variable",
    "expression_statement": "function js_statement",
    "field_definition": "method js_member",
    "pair": "method js_member",
}
_JS_OPEN = "class_body statement_block if_statement else_clause try_statement catch_clause"
_TS = Grammar(
    "tree_sitter_typescript",
    "language_typescript",
    lead="comment decorator",
    open=f"{_JS_OPEN} enum_body interface_body",
    wrap="export_statement ambient_declaration",
    define=_JS
    | {
        "abstract_class_declaration": "class",
        "interface_declaration": "interface",
        "type_alias_declaration": "type",
        "enum_declaration": "enum",
        "function_signature": "function",
        "abstract_method_signature": "method",
        "method_signature": "method",
        "public_field_definition": "method js_member",
        "internal_module": "module",
        "module": "module",
    },
)

GRAMMARS: Mapping[str, Grammar] = {
    "bash": Grammar(
        "tree_sitter_bash",
        open="if_statement else_clause elif_clause",
        define={"function_definition": "function"},
    ),
    "c": Grammar("tree_sitter_c", open=_C_OPEN, define=_C),
    "cpp": Grammar(
        "tree_sitter_cpp",
        lead="comment access_specifier",
        open=f"{_C_OPEN} namespace_definition",
        wrap="template_declaration",
        define=_C
        | {
            "class_specifier": "class c_tagged",
            "alias_declaration": "type",
            "concept_definition": "type",
            "inline_method_definition": "method c_function",
        },
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        open="namespace_declaration declaration_list preproc_if preproc_elif preproc_else"
        " enum_member_declaration_list",
        wrap="global_statement",
        define={
            "class_declaration": "class",
            "struct_declaration": "struct",
            "record_declaration": "record",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "delegate_declaration": "type",
            "method_declaration": "method",
            "constructor_declaration": "constructor",
            "destructor_declaration": "method",
            "local_function_statement": "function",
            "property_declaration": "property",
            "event_declaration": "property",
            "operator_declaration": "method csharp_operator",
            "conversion_operator_declaration": "method csharp_operator",
            "indexer_declaration": "property csharp_operator",
        },
    ),
    "elixir": Grammar(
        "tree_sitter_elixir",
        lead="comment unary_operator",
        open="do_block",
        define={"call": "function elixir_call"},
    ),
    "go": Grammar(
        "tree_sitter_go",
        define={
            "function_declaration": "function",
            "method_declaration": "method go_method",
            "type_declaration": "type go_specs",
            "const_declaration": "constant go_specs",
            "var_declaration": "constant go_specs",
        },
    ),
    "haskell": Grammar(
        "tree_sitter_haskell",
        lead="comment haddock pragma",
        open="imports declarations class_declarations instance_declarations",
        define={
            "signature": "function haskell_value",
            "function": "function haskell_value",
            "bind": "function haskell_value",
            "data_type": "type",
            "newtype": "type",
            "type_synonym": "type",
            "type_family": "type",
            "data_family": "type",
            "class": "trait",
            "instance": "impl haskell_instance",
        },
    ),
    "java": Grammar(
        "tree_sitter_java",
        lead="line_comment block_comment",
        open="class_body interface_body enum_body enum_body_declarations annotation_type_body",
        define={
            "class_declaration": "class",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "record_declaration": "record",
            "annotation_type_declaration": "interface",
            "method_declaration": "method",
            "constructor_declaration": "constructor",
            "compact_constructor_declaration": "constructor",
            "annotation_type_element_declaration": "method",
        },
    ),
    "javascript": Grammar(
        "tree_sitter_javascript",
        lead="comment decorator",
        open=_JS_OPEN,
        wrap="export_statement",
        define=_JS,
    ),
    "kotlin": Grammar(
        "tree_sitter_kotlin",
        lead="line_comment block_comment",
        open="class_body enum_class_body",
        define={
            "class_declaration": "class kotlin_class",
            "object_declaration": "object",
            "companion_object": "object nameless",
            "function_declaration": "function kotlin_function",
            "secondary_constructor": "constructor constructor",
            "property_declaration": "variable kotlin_property",
            "type_alias": "type kotlin_alias",
        },
    ),
    "lua": Grammar(
        "tree_sitter_lua",
        open="do_statement if_statement else_statement",
        define={
            "function_declaration": "function lua_function",
            "assignment_statement": "constant lua_assignment",
            "variable_declaration": "constant lua_assignment",
            "field": "function lua_field",
        },
    ),
    "php": Grammar(
        "tree_sitter_php",
        "language_php",
        open="namespace_definition compound_statement declaration_list enum_declaration_list"
        " if_statement else_clause",
        define={
            "class_declaration": "class",
            "interface_declaration": "interface",
            "trait_declaration": "trait",
            "enum_declaration": "enum",
            "function_definition": "function",
            "method_declaration": "method",
        },
    ),
    "python": Grammar(
        "tree_sitter_python",
        open="block if_statement elif_clause else_clause try_statement except_clause"
        " finally_clause with_statement",
        wrap="decorated_definition",
        define={
            "function_definition": "function",
            "class_definition": "class",
            "expression_statement": "variable python_assignment",
            "type_alias_statement": "type python_alias",
        },
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        open="body_statement singleton_class begin if unless then else",
        wrap="if_modifier unless_modifier",
        define={
            "module": "module ruby_module",
            "class": "class ruby_module",
            "method": "method",
            "singleton_method": "method",
            "call": "method ruby_call",
            "assignment": "constant ruby_assignment",
        },
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        lead="line_comment block_comment attribute_item",
        open="declaration_list foreign_mod_item enum_variant_list field_declaration_list",
        define={
            "function_item": "function",
            "function_signature_item": "function",
            "struct_item": "struct",
            "enum_item": "enum",
            "union_item": "union",
            "trait_item": "trait",
            "impl_item": "impl rust_impl",
            "mod_item": "module",
            "macro_definition": "macro",
            "macro_invocation": "constant rust_macro",
            "type_item": "type",
            "const_item": "constant",
            "static_item": "constant",
        },
    ),
    "scala": Grammar(
        "tree_sitter_scala",
        lead="comment block_comment",
        open="package_clause template_body with_template_body enum_body extension_definition",
        define={
            "class_definition": "class",
            "object_definition": "object",
            "package_object": "object",
            "trait_definition": "trait",
            "enum_definition": "enum",
            "given_definition": "object nameless",
            "function_definition": "function",
            "function_declaration": "function",
            "type_definition": "type",
            "val_definition": "variable scala_value",
        },
    ),
    "swift": Grammar(
        "tree_sitter_swift",
        lead="comment multiline_comment",
        open="class_body enum_class_body protocol_body",
        define={
            "class_declaration": "class swift_type",
            "protocol_declaration": "protocol",
            "function_declaration": "function",
            "protocol_function_declaration": "function",
            "init_declaration": "constructor swift_special",
            "deinit_declaration": "method swift_special",
            "subscript_declaration": "method swift_special",
            "property_declaration": "variable swift_property",
            "typealias_declaration": "type",
            "macro_declaration": "macro",
        },
    ),
    "typescript": _TS,
    "tsx": Grammar(
        _TS.module, "language_tsx", lead=_TS.lead, open=_TS.open, wrap=_TS.wrap, define=_TS.define
    ),
    "zig": Grammar(
        "tree_sitter_zig",
        open="struct_declaration enum_declaration union_declaration opaque_declaration",
        define={
            "function_declaration": "function",
            "variable_declaration": "constant zig_variable",
        },
    ),
}
"""Language name, as in :mod:`fiuto.languages` -> how to read it."""
