"""
Definitions together with the comment that documents them.

An evaluation turns such comments into questions and takes them out of the text,
so what is told here is exact: which lines the comment takes, and which line
defines what it speaks of.  The grammar table of the chunker says what a
definition is and what may stand between it and its comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fiuto.chunk.grammars import GRAMMARS, Rule, dialect, rules
from fiuto.chunk.parsing import parse

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["DocComment", "doc_comments"]

_NO_OWN_TEXT = frozenset({"constant", "variable", "module", "impl"})
"""Kinds whose comment, where there is one, says little that a reader would ask for."""


@dataclass(frozen=True, slots=True)
class DocComment:
    """A definition and its comment; lines are 1-based and inclusive."""

    name: str
    """Without what encloses it."""
    kind: str
    line: int
    """Where the definition's name stands."""
    end: int
    """The definition's last line."""
    first: int
    """The comment's first line; nothing but the comment is on its lines."""
    last: int
    text: str
    """The comment as written, markers included."""


def doc_comments(path: str, text: str, language: str) -> list[DocComment]:
    """Every documented definition of a file, in order; none where no grammar reads it."""
    language = dialect(path, text, language)
    if language not in GRAMMARS:
        return []
    tree = parse(text.encode("utf-8", "replace"), language)
    return [] if tree is None else list(_File(text, language).documented(tree.root_node))


class _File:
    """One file on its way through the tree."""

    def __init__(self, text: str, language: str) -> None:
        self._lines = text.split("\n")
        self._source = text.encode("utf-8", "replace")
        self._language = language
        self._rules = rules(language)

    def documented(self, root: Node) -> Iterator[DocComment]:
        stack = [root]
        while stack:
            node = stack.pop()
            rule = self._rules.get(node.type)
            if rule is not None and rule.role == "define":
                found = self._definition(node, rule)
                if found is not None:
                    yield found
            # What is neither a container nor a definition holds no documented definition.
            if rule is None or rule.role != "lead":
                stack.extend(
                    child
                    for child in reversed(node.named_children)
                    if child.type in self._rules or node.child_by_field_name("body") == child
                )

    def _definition(self, node: Node, rule: Rule) -> DocComment | None:
        named = rule.name(node, self._source)
        if named is None or not named.names:
            return None
        kind = named.kind or rule.kind
        if kind in _NO_OWN_TEXT:
            return None
        name = re.split(r"[.:#]", named.names[0])[-1]
        rows = self._inside(node) if self._language == "python" else self._above(node)
        line = self._line_of(name, node)
        if rows is None or not name or not line:
            return None
        first, last = rows
        return DocComment(
            name=name,
            kind=kind,
            line=line,
            end=node.end_point[0] + 1,
            first=first + 1,
            last=last + 1,
            text="\n".join(self._lines[first : last + 1]),
        )

    def _line_of(self, name: str, node: Node) -> int:
        """The first line of a definition, past annotations, that holds its name; 0 for none."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        start, end = node.start_point[0], node.end_point[0]
        rows = (row for row in range(start, end + 1) if word.search(self._lines[row]))
        return next((row + 1 for row in rows if not self._lines[row].lstrip().startswith("@")), 0)

    def _above(self, node: Node) -> tuple[int, int] | None:
        """The rows of the comment that ends right above a node or above its attributes."""
        while node.parent is not None and self._wraps(node.parent):
            node = node.parent
        top = node.start_point[0]
        rows: tuple[int, int] | None = None
        before = self._before(node)
        while before is not None and self._leads(before):
            first, last = self._rows(before)
            if top - last > 1:
                break
            if self._documents(before):
                if not self._alone(first, last, before):
                    break
                rows = (first, rows[1] if rows else last)
            elif rows:
                break
            top = first
            before = before.prev_named_sibling
        return rows

    def _before(self, node: Node) -> Node | None:
        """What stands before a node; some grammars put a body's first comment before the body."""
        while node.prev_named_sibling is None and node.parent is not None:
            if self._role(node.parent) != "open":
                return None
            node = node.parent
        return node.prev_named_sibling

    def _wraps(self, node: Node) -> bool:
        return self._role(node) == "wrap"

    def _leads(self, node: Node) -> bool:
        return self._role(node) == "lead"

    def _role(self, node: Node) -> str:
        rule = self._rules.get(node.type)
        return "" if rule is None else rule.role

    def _documents(self, node: Node) -> bool:
        if self._language == "elixir" and node.type == "unary_operator":
            return self._source[node.start_byte : node.start_byte + 5] == b"@doc "
        return "comment" in node.type or node.type == "haddock"

    def _inside(self, node: Node) -> tuple[int, int] | None:
        """The rows of a docstring, where other code follows it."""
        body = node.child_by_field_name("body")
        children = [c for c in body.named_children if c.type != "comment"] if body else []
        if len(children) < 2 or children[0].type != "expression_statement":
            return None
        string = children[0].named_children[0] if children[0].named_child_count else None
        if string is None or string.type != "string":
            return None
        rows = self._rows(string)
        return rows if self._alone(*rows, string) else None

    def _rows(self, node: Node) -> tuple[int, int]:
        """First and last row; some grammars count a comment's line end as its own."""
        last = node.end_point[0] - (node.end_point[1] == 0 and node.end_point > node.start_point)
        return node.start_point[0], max(node.start_point[0], last)

    def _alone(self, first: int, last: int, node: Node) -> bool:
        """Whether a node's rows hold nothing else."""
        held = "\n".join(self._lines[first : last + 1]).strip()
        own = self._source[node.start_byte : node.end_byte].decode("utf-8", "replace").strip()
        return held == own
