"""
One table: how each language's definitions, comments and titled tests are found in its syntax.

A query captures ``@function`` and ``@type`` (definitions), ``@comment``, and ``@test`` with
``@title`` (tests that are calls with a sentence). Names come from the grammar's fields.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language, Node, Parser, Query, QueryCursor

__all__ = ["LANGUAGES", "SUFFIXES", "captures", "name_of", "outermost", "text_of"]


@dataclass(frozen=True, slots=True)
class _Spec:
    """Where a grammar is, which files it reads, and its query."""

    module: str
    suffixes: str
    query: str
    wrappers: str = ""
    loader: str = "language"


_SCRIPT = """
[(function_declaration) (generator_function_declaration) (method_definition)] @function
(variable_declarator value: [(arrow_function) (function_expression)]) @function
(assignment_expression left: (member_expression)
  right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) value: [(arrow_function) (function_expression)]) @function
[(class_declaration)] @type
(comment) @comment
((call_expression function: (_) @call
  arguments: (arguments . [(string) (template_string)] @title)) @test
  (#match? @call "^(it|test|specify)([.](only|skip|each|concurrent))?$"))
"""
_SCRIPT_WRAPPERS = "lexical_declaration variable_declaration export_statement expression_statement"
_TYPED = """
[(interface_declaration) (type_alias_declaration) (enum_declaration)
 (abstract_class_declaration)] @type
"""
_C = """
(function_definition) @function
[(struct_specifier body: (_)) (enum_specifier body: (_)) (union_specifier body: (_))] @type
(comment) @comment
"""

LANGUAGES: dict[str, _Spec] = {
    "bash": _Spec(
        "tree_sitter_bash",
        ".sh .bash .zsh .bats .ksh",
        "(function_definition) @function (comment) @comment",
    ),
    "c": _Spec("tree_sitter_c", ".c .h", _C, "type_definition"),
    "cpp": _Spec(
        "tree_sitter_cpp",
        ".cc .cpp .cxx .hh .hpp .hxx .ipp .inl .cu .cuh",
        _C + "(class_specifier body: (_)) @type (alias_declaration) @type",
        "template_declaration type_definition",
    ),
    "csharp": _Spec(
        "tree_sitter_c_sharp",
        ".cs",
        """[(method_declaration) (constructor_declaration) (local_function_statement)
        (operator_declaration) (indexer_declaration) (property_declaration)] @function
        [(class_declaration) (struct_declaration) (interface_declaration) (enum_declaration)
        (record_declaration)] @type (comment) @comment""",
    ),
    "elixir": _Spec(
        "tree_sitter_elixir",
        ".ex .exs",
        r"""((call target: (identifier) @call) @function
          (#match? @call "^(def|defp|defmacro|defmacrop|defguard)$"))
        ((call target: (identifier) @call) @type
          (#match? @call "^(defmodule|defprotocol|defimpl)$"))
        ((call target: (identifier) @call (arguments . (string) @title) (do_block)) @test
          (#match? @call "^(test|property)$"))
        (comment) @comment
        (unary_operator operand: (call target: (identifier) @call)) @attribute""",
    ),
    "go": _Spec(
        "tree_sitter_go",
        ".go",
        """[(function_declaration) (method_declaration)] @function
        (type_declaration (type_spec)) @type (comment) @comment
        ((call_expression function: (selector_expression field: (field_identifier) @call)
          arguments: (argument_list . (interpreted_string_literal) @title (func_literal))) @test
          (#eq? @call "Run"))""",
    ),
    "haskell": _Spec(
        "tree_sitter_haskell",
        ".hs",
        """(declarations [(function) (bind)] @function)
        (instance_declarations [(function) (bind)] @function)
        [(data_type) (newtype) (class)] @type
        [(comment) (haddock)] @comment""",
    ),
    "java": _Spec(
        "tree_sitter_java",
        ".java",
        """[(method_declaration) (constructor_declaration)] @function
        [(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
        (annotation_type_declaration)] @type [(line_comment) (block_comment)] @comment""",
    ),
    "javascript": _Spec("tree_sitter_javascript", ".js .jsx .mjs .cjs", _SCRIPT, _SCRIPT_WRAPPERS),
    "kotlin": _Spec(
        "tree_sitter_kotlin",
        ".kt .kts",
        """[(function_declaration) (secondary_constructor)] @function
        (property_declaration (getter)) @function
        [(class_declaration) (object_declaration)] @type
        [(line_comment) (block_comment)] @comment
        ((call_expression (call_expression (identifier) @call
          (value_arguments . (value_argument (string_literal) @title)))) @test
          (#match? @call "^(test|it|should|then|context)$"))""",
    ),
    "lua": _Spec(
        "tree_sitter_lua",
        ".lua",
        """(function_declaration) @function
        (assignment_statement (expression_list . (function_definition))) @function
        (field name: (identifier) value: (function_definition)) @function
        (comment) @comment
        ((function_call name: (identifier) @call arguments: (arguments . (string) @title)) @test
          (#match? @call "^(it|test)$"))""",
        "variable_declaration",
    ),
    "php": _Spec(
        "tree_sitter_php",
        ".php .phtml",
        """[(function_definition) (method_declaration)] @function
        [(class_declaration) (interface_declaration) (trait_declaration)
        (enum_declaration)] @type (comment) @comment
        ((function_call_expression function: (name) @call
          arguments: (arguments . (argument [(string) (encapsed_string)] @title))) @test
          (#match? @call "^(it|test)$"))""",
        loader="language_php",
    ),
    "python": _Spec(
        "tree_sitter_python",
        ".py .pyx",
        "(function_definition) @function (class_definition) @type (comment) @comment",
        "decorated_definition",
    ),
    "ruby": _Spec(
        "tree_sitter_ruby",
        ".rb .rake",
        """[(method) (singleton_method)] @function [(class) (module)] @type (comment) @comment
        ((call method: (identifier) @call arguments: (argument_list . (string) @title)
          block: (_)) @test (#match? @call "^(it|specify|test|scenario)$"))""",
    ),
    "rust": _Spec(
        "tree_sitter_rust",
        ".rs",
        """[(function_item) (macro_definition)] @function
        [(struct_item) (enum_item) (trait_item) (impl_item) (union_item)] @type
        [(line_comment) (block_comment)] @comment""",
    ),
    "scala": _Spec(
        "tree_sitter_scala",
        ".scala .sc .sbt",
        """(function_definition) @function
        [(class_definition) (object_definition) (trait_definition) (enum_definition)] @type
        [(comment) (block_comment)] @comment
        ((call_expression function: (call_expression function: (identifier) @call
          arguments: (arguments . (string) @title))) @test
          (#match? @call "^(test|it|property)$"))
        ((infix_expression left: (_) @title operator: (identifier) @call
          right: (_)) @test (#eq? @call "in"))""",
    ),
    "swift": _Spec(
        "tree_sitter_swift",
        ".swift",
        """[(function_declaration) (init_declaration) (subscript_declaration)] @function
        (property_declaration (computed_property)) @function
        [(class_declaration) (protocol_declaration)] @type
        [(comment) (multiline_comment)] @comment""",
    ),
    "typescript": _Spec(
        "tree_sitter_typescript",
        ".ts .mts .cts",
        _SCRIPT + _TYPED,
        _SCRIPT_WRAPPERS,
        "language_typescript",
    ),
    "tsx": _Spec(
        "tree_sitter_typescript", ".tsx", _SCRIPT + _TYPED, _SCRIPT_WRAPPERS, "language_tsx"
    ),
    "zig": _Spec(
        "tree_sitter_zig",
        ".zig",
        """(function_declaration) @function
        (variable_declaration [(struct_declaration) (enum_declaration) (union_declaration)]) @type
        (comment) @comment (test_declaration (string) @title) @test""",
    ),
}
"""Language name -> its row. ``tsx`` has a grammar of its own but counts as a language too."""

SUFFIXES: dict[str, str] = {
    suffix: name for name, spec in LANGUAGES.items() for suffix in spec.suffixes.split()
}
"""File suffix -> language."""

_NAMELESS = {
    "init_declaration": "init",
    "secondary_constructor": "constructor",
    "subscript_declaration": "subscript",
}
_WORD = re.compile(r"[\w$]+[?!]?")
_ELIXIR_NAME = re.compile(r"def\w*\s*\(?\s*([\w.]+[?!]?)")
_ASSIGNED = re.compile(r"\s*(?:local\s+|pub\s+|const\s+|var\s+)*([\w.:$]+)")


@cache
def _tools(language: str) -> tuple[Parser, QueryCursor]:
    spec = LANGUAGES[language]
    module = importlib.import_module(spec.module)
    grammar = Language(getattr(module, spec.loader)())
    return Parser(grammar), QueryCursor(Query(grammar, spec.query))


def captures(language: str, source: bytes) -> dict[str, list[Node]]:
    """The nodes of a file by capture name, each list in the order of the file."""
    parser, cursor = _tools(language)
    tree = parser.parse(source)
    found = cursor.captures(tree.root_node)
    for nodes in found.values():
        nodes.sort(key=lambda node: (node.start_byte, -node.end_byte))
    return found


def outermost(language: str, node: Node) -> Node:
    """The node with its decorators, ``export`` or ``template`` head, where they wrap it."""
    wrappers = LANGUAGES[language].wrappers.split()
    while node.parent is not None and node.parent.type in wrappers:
        node = node.parent
    return node


def name_of(language: str, node: Node) -> str:
    """A definition's own name, or an empty string where it has none."""
    text = text_of(node)[:200]
    if language == "elixir":
        match = _ELIXIR_NAME.match(text)
        return match.group(1) if match else ""
    if node.type in {"assignment_statement", "variable_declaration", "assignment_expression"}:
        match = _ASSIGNED.match(text)
        return re.split(r"[.:]", match.group(1))[-1] if match else ""
    if node.type == "type_declaration":  # Go's has the name one step down
        node = next((c for c in node.children if c.type == "type_spec"), node)
    return _NAMELESS.get(node.type) or _named(language, node)


def _named(language: str, node: Node) -> str:
    named = _declared(node) or _field(node, "name", "key", "type")
    text = text_of(named)[:200] if named is not None else ""
    if text.startswith("`"):  # a Kotlin or Scala test named by a sentence
        return text.strip("`")
    if language == "bash":
        return text
    words = _WORD.findall(re.split(r"[<\[(]", text, maxsplit=1)[0])
    return words[-1] if words else ""


def _declared(node: Node) -> Node | None:
    """The identifier at the end of a chain of C declarators."""
    found = None
    step = node.child_by_field_name("declarator")
    while step is not None:
        found = step
        step = step.child_by_field_name("declarator") or (
            step.named_children[0] if step.type == "reference_declarator" else None
        )
    return found


def _field(node: Node, *names: str) -> Node | None:
    for name in names:
        found = node.child_by_field_name(name)
        if found is not None:
            return found
    return None


def text_of(node: Node) -> str:
    """A node's source."""
    return (node.text or b"").decode("utf-8", "replace")
