"""
From a syntax tree to marks: where each definition begins, and what it is called.

Only the upper levels are visited: files, namespaces and the bodies of classes.
The inside of a function or statement is looked at only when it is too long for a
chunk, because then its own parts are where it should be cut.  The walk keeps its
own stack, so that nesting costs memory and never recursion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from fiuto.chunk.grammars import SCOPES, Rule
from fiuto.chunk.packing import Limits, Mark
from fiuto.chunk.sheet import Sheet
from fiuto.values import dataclass

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["outline"]


def outline(
    root: Node, source: bytes, sheet: Sheet, limits: Limits, table: Mapping[str, Rule]
) -> list[Mark]:
    """
    Marks in order of their rows, each on a row of its own, the first on row 0.

    ``source`` is what was parsed, ``sheet`` the same text by lines, and ``table``
    the rules of its language.
    """
    return _Walk(source, sheet, limits, table).run(root)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: what encloses the nodes of one level."""

    prefix: str = ""
    """What the names of definitions here begin with, dot included."""
    owner: str = ""
    group: int = 0
    methods: bool = False
    """Whether a function here is a method."""
    local: bool = False
    """Whether this is inside a function or statement."""
    quiet: Mark | None = None
    """The mark of a whole that is not taken apart: it only learns the names inside."""


class _Walk:
    """One walk over one tree."""

    def __init__(
        self, source: bytes, sheet: Sheet, limits: Limits, table: Mapping[str, Rule]
    ) -> None:
        self._source = source
        self._sheet = sheet
        self._limits = limits
        self._table = table
        self._stack: list[tuple[Iterator[Node], _Place]] = []
        self._marks = [Mark(0)]
        self._units = 0
        self._latest: Mark | None = None
        """The definition that was marked last."""
        self._lead: tuple[int, int] | None = None
        """First and last row of comments that wait for what they belong to."""
        self._covered = -1
        """The last row of what was visited; a comment on it is not about what follows."""

    def run(self, root: Node) -> list[Mark]:
        outside = _Place()
        self._enter(root.named_children, outside)
        while self._stack:
            nodes, place = self._stack[-1]
            for node in nodes:
                if self._visit(node, place):
                    break
            else:
                self._stack.pop()
                if not self._stack or self._stack[-1][1] is not place:
                    self._settle_lead(place)
        return self._marks

    def _enter(self, nodes: Iterable[Node], place: _Place) -> bool:
        self._stack.append((iter(nodes), place))
        return True

    def _visit(self, node: Node, place: _Place) -> bool:
        """Note a node; True when the walk goes on inside it."""
        rule = self._table.get(node.type)
        if rule is not None:
            if rule.role == "define":
                return self._define(node, node, rule, place)
            if rule.role == "lead":
                if place.quiet is None:
                    self._extend_lead(node, place)
                return False
            if rule.role == "wrap":
                found = self._unwrap(node)
                if found:
                    return self._define(node, *found, place)
            if not place.local or place.quiet:
                return self._open(node, place)
        return place.quiet is None and self._glue(node, place)

    def _unwrap(self, node: Node) -> tuple[Node, Rule] | None:
        """The definition that a wrapper holds, however often it is wrapped."""
        inner: Node | None = node
        while inner is not None:
            children, inner = inner.named_children, None
            for child in children:
                rule = self._table.get(child.type)
                if rule and rule.role == "define":
                    return child, rule
                if rule and rule.role == "wrap":
                    inner = child
        return None

    def _open(self, node: Node, place: _Place) -> bool:
        """Go on inside, as if the node were not there; its own first row begins something."""
        children = node.named_children
        row = node.start_point[0]
        if place.quiet is None and (not children or children[0].start_point[0] > row):
            self._add(self._inside(row, place))
        return self._enter(children, place)

    def _glue(self, node: Node, place: _Place) -> bool:
        """A statement that defines nothing; taken apart when it is too long."""
        first, last = self._rows(node)
        if last <= self._marks[-1].row:
            return False
        row = self._take_lead(first, place)
        if self._sheet.ink(first, last) <= self._limits.whole or first == last:
            self._add(self._inside(row, place))
            self._covered = last
            return False
        group = place.group if place.local else self._new_unit()
        place = _Place(place.prefix, place.owner, group, local=True)
        self._add(self._inside(row, place))
        self._covered = first
        return self._enter(node.named_children, place)

    def _define(self, whole: Node, node: Node, rule: Rule, place: _Place) -> bool:
        """A definition; ``whole`` is the same with its decorators and modifiers."""
        named = rule.name(node, self._source)
        kind = (named.kind or rule.kind) if named else ""
        if (
            named is None
            or (kind == "variable" and (place.local or place.prefix))
            or (kind == "constant" and place.local)
        ):
            return place.quiet is None and self._glue(whole, place)
        names = [place.prefix + name for name in named.names if name != "_"]
        scope = (named.scope or node) if kind in SCOPES else None
        if kind == "function" and place.methods:
            kind = "method"
        if place.quiet is None:
            return self._mark(whole, node, scope, Mark(0, names, kind, place.owner), place)
        place.quiet.names += names
        prefix = names[0] + "." if names else place.prefix
        return scope is not None and self._enter(
            self._bodies(scope), _Place(prefix, quiet=place.quiet)
        )

    def _mark(self, whole: Node, node: Node, scope: Node | None, mark: Mark, place: _Place) -> bool:
        """Mark a definition and decide whether it is taken apart."""
        first, last = self._rows(whole)
        prefix = mark.names[0] + "." if mark.names else place.prefix
        mark.row = self._take_lead(first, place)
        mark.group, mark.unit = place.group, self._unit_of(mark)
        self._latest = mark
        ink = self._sheet.ink(mark.row, last)
        if ink <= (self._limits.target if scope else self._limits.whole):
            kept = self._add(mark)
            self._covered = last
            return scope is not None and self._enter(
                self._bodies(scope), _Place(prefix, quiet=kept)
            )
        mark.group = mark.unit = group = self._new_unit()
        owner = mark.names[0] if mark.names else mark.owner
        if mark.row < first:
            self._add(Mark(mark.row, [], mark.kind, owner, group, group))
            mark.row = first
        self._add(mark)
        self._covered = first
        if scope is None:
            return self._enter(node.named_children, _Place(prefix, owner, group, local=True))
        methods = mark.kind != "module"
        return self._enter(self._bodies(scope), _Place(prefix, owner, group, methods))

    def _bodies(self, scope: Node) -> list[Node]:
        """Where the members of a class stand, with comments in front of them."""
        row = scope.start_point[0]
        return [
            child
            for child in scope.named_children
            if (rule := self._table.get(child.type))
            and (rule.role == "open" or (rule.role == "lead" and child.start_point[0] > row))
        ]

    def _unit_of(self, mark: Mark) -> int:
        """A unit of its own, unless this is one more clause of the same function."""
        latest = self._latest
        if latest and mark.names and latest.names[:1] == mark.names[:1]:
            return latest.unit
        return self._new_unit()

    def _new_unit(self) -> int:
        self._units += 1
        return self._units

    def _rows(self, node: Node) -> tuple[int, int]:
        """First and last row; a node that ends with a line end does not reach the next row."""
        first = node.start_point[0]
        last, column = node.end_point
        if not column and last > first:
            last -= 1
        return first, min(last, self._sheet.count - 1)

    def _inside(self, row: int, place: _Place) -> Mark:
        return Mark(row, [], "block", place.owner, place.group, place.group)

    def _add(self, mark: Mark) -> Mark:
        """Keep one mark a row: the first that defines something, and all names."""
        before = self._marks[-1]
        if before.row < mark.row < self._sheet.count:
            self._marks.append(mark)
        elif before.names:
            before.names += mark.names
        elif mark.names or not before.group:
            mark.row = before.row
            self._marks[-1] = mark
        return self._marks[-1]

    def _extend_lead(self, node: Node, place: _Place) -> None:
        first, last = self._rows(node)
        if self._lead and first - self._lead[1] <= 1:
            self._lead = (self._lead[0], last)
        elif first > self._covered:
            self._settle_lead(place)
            self._lead = (first, last)

    def _settle_lead(self, place: _Place) -> None:
        """Comments that nothing followed stand for themselves."""
        if self._lead:
            self._add(self._inside(self._lead[0], place))
            self._lead = None

    def _take_lead(self, row: int, place: _Place) -> int:
        """The row where something at ``row`` begins, with the comments directly above it."""
        if self._lead and row - self._lead[1] <= 1:
            row = min(row, self._lead[0])
            self._lead = None
        self._settle_lead(place)
        return row
