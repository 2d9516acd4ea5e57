"""
One table: how each language marks what it defines.

A new language is a row here, with node types as its grammar calls them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fiuto.values import dataclass

__all__ = ["GRAMMARS", "Grammar"]


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
    define: str = ""
    """Lines of a kind, the function that finds the name where it is no plain field, and types."""
    names: str = "scripting"
    """The module of :mod:`fiuto.chunk.naming` that holds those functions."""


_C = """
    function c_function: function_definition
    function c_orphan: function_declarator
    struct c_tagged: struct_specifier
    union c_tagged: union_specifier
    enum c_tagged: enum_specifier
    type c_typedef: type_definition
    constant c_variable: declaration
    struct c_field: field_declaration
    constant c_macro: preproc_def
    macro: preproc_function_def
"""
_C_OPEN = (
    "preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef"
    " linkage_specification declaration_list field_declaration_list enumerator_list"
)
_JS = """
    function: function_declaration generator_function_declaration
    class: class_declaration
    method: method_definition
    constant js_variable: lexical_declaration variable_declaration
    function js_statement: expression_statement
    method js_member: field_definition pair
"""
_JS_OPEN = "class_body statement_block if_statement else_clause try_statement catch_clause"
_TS = Grammar(
    "tree_sitter_typescript",
    "language_typescript",
    lead="comment decorator",
    open=f"{_JS_OPEN} enum_body interface_body",
    wrap="export_statement ambient_declaration",
    define=f"""{_JS}
    class: abstract_class_declaration
    interface: interface_declaration
    type: type_alias_declaration
    enum: enum_declaration
    function: function_signature
    method: abstract_method_signature method_signature
    method js_member: public_field_definition
    module: internal_module module
    """,
)

GRAMMARS: Mapping[str, Grammar] = {
    "bash": Grammar(
        "tree_sitter_bash",
        open="if_statement else_clause elif_clause",
        define="""
            function: function_definition
        """,
    ),
    "c": Grammar("tree_sitter_c", open=_C_OPEN, define=_C, names="native"),
    "cpp": Grammar(
        "tree_sitter_cpp",
        lead="comment access_specifier",
        open=f"{_C_OPEN} namespace_definition",
        wrap="template_declaration",
        define=f"""{_C}
            class c_tagged: class_specifier
            type: alias_declaration concept_definition
            method c_function: inline_method_definition
        """,
        names="native",
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        open="namespace_declaration declaration_list preproc_if preproc_elif preproc_else"
        " enum_member_declaration_list",
        wrap="global_statement",
        define="""
            class: class_declaration
            struct: struct_declaration
            record: record_declaration
            interface: interface_declaration
            enum: enum_declaration
            type: delegate_declaration
            method: method_declaration destructor_declaration
            constructor: constructor_declaration
            function: local_function_statement
            property: property_declaration event_declaration
            method csharp_operator: operator_declaration conversion_operator_declaration
            property csharp_operator: indexer_declaration
        """,
        names="typed",
    ),
    "elixir": Grammar(
        "tree_sitter_elixir",
        lead="comment unary_operator",
        open="do_block",
        define="""
            function elixir_call: call
        """,
    ),
    "go": Grammar(
        "tree_sitter_go",
        define="""
            function: function_declaration
            method go_method: method_declaration
            type go_specs: type_declaration
            constant go_specs: const_declaration var_declaration
        """,
        names="native",
    ),
    "haskell": Grammar(
        "tree_sitter_haskell",
        lead="comment haddock pragma",
        open="imports declarations class_declarations instance_declarations",
        define="""
            function haskell_value: signature function bind
            type: data_type newtype type_synonym type_family data_family
            trait: class
            impl haskell_instance: instance
        """,
        names="typed",
    ),
    "java": Grammar(
        "tree_sitter_java",
        lead="line_comment block_comment",
        open="class_body interface_body enum_body enum_body_declarations annotation_type_body",
        define="""
            class: class_declaration
            interface: interface_declaration annotation_type_declaration
            enum: enum_declaration
            record: record_declaration
            method: method_declaration annotation_type_element_declaration
            constructor: constructor_declaration compact_constructor_declaration
        """,
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
        define="""
            class kotlin_class: class_declaration
            object: object_declaration
            object nameless: companion_object
            function kotlin_function: function_declaration
            constructor constructor: secondary_constructor
            variable kotlin_property: property_declaration
            type kotlin_alias: type_alias
        """,
        names="typed",
    ),
    "lua": Grammar(
        "tree_sitter_lua",
        open="do_statement if_statement else_statement",
        define="""
            function lua_function: function_declaration
            constant lua_assignment: assignment_statement variable_declaration
            function lua_field: field
        """,
    ),
    "php": Grammar(
        "tree_sitter_php",
        "language_php",
        open="namespace_definition compound_statement declaration_list enum_declaration_list"
        " if_statement else_clause",
        define="""
            class: class_declaration
            interface: interface_declaration
            trait: trait_declaration
            enum: enum_declaration
            function: function_definition
            method: method_declaration
        """,
    ),
    "python": Grammar(
        "tree_sitter_python",
        open="block if_statement elif_clause else_clause try_statement except_clause"
        " finally_clause with_statement",
        wrap="decorated_definition",
        define="""
            function: function_definition
            class: class_definition
            variable python_assignment: expression_statement
            type python_alias: type_alias_statement
        """,
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        open="body_statement singleton_class begin if unless then else",
        wrap="if_modifier unless_modifier",
        define="""
            module ruby_module: module
            class ruby_module: class
            method: method singleton_method
            method ruby_call: call
            constant ruby_assignment: assignment
        """,
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        lead="line_comment block_comment attribute_item",
        open="declaration_list foreign_mod_item enum_variant_list field_declaration_list",
        define="""
            function: function_item function_signature_item
            struct: struct_item
            enum: enum_item
            union: union_item
            trait: trait_item
            impl rust_impl: impl_item
            module: mod_item
            macro: macro_definition
            constant rust_macro: macro_invocation
            type: type_item
            constant: const_item static_item
        """,
        names="native",
    ),
    "scala": Grammar(
        "tree_sitter_scala",
        lead="comment block_comment",
        open="package_clause template_body with_template_body enum_body extension_definition",
        define="""
            class: class_definition
            object: object_definition package_object
            trait: trait_definition
            enum: enum_definition
            object nameless: given_definition
            function: function_definition function_declaration
            type: type_definition
            variable scala_value: val_definition
        """,
        names="typed",
    ),
    "swift": Grammar(
        "tree_sitter_swift",
        lead="comment multiline_comment",
        open="class_body enum_class_body protocol_body",
        define="""
            class swift_type: class_declaration
            protocol: protocol_declaration
            function: function_declaration protocol_function_declaration
            constructor swift_special: init_declaration
            method swift_special: deinit_declaration subscript_declaration
            variable swift_property: property_declaration
            type: typealias_declaration
            macro: macro_declaration
        """,
        names="typed",
    ),
    "typescript": _TS,
    "tsx": replace(_TS, function="language_tsx"),
    "zig": Grammar(
        "tree_sitter_zig",
        open="struct_declaration enum_declaration union_declaration opaque_declaration",
        define="""
            function: function_declaration
            constant zig_variable: variable_declaration
        """,
        names="native",
    ),
}
"""Language name, as in :mod:`fiuto.languages` -> how to read it."""
