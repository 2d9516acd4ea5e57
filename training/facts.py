"""
What one file says: its definitions with their doc comments, remarks inside them, and its tests.

Comments are matched to definitions by lines, not by tree position: grammars disagree about
where a comment hangs, but a doc comment ends on the line above what it describes everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from training.titles import Titled, cut, titled_tests
from tree_sitter import Node

from training import grammar

__all__ = ["Definition", "FileFacts", "Run", "read_file"]

_ATTRIBUTE_LINE = re.compile(r"\s*(#\[|@\w|\[\w[^\]]*\]\s*$|\)\]\s*$)")
_SCALA_NEXT = re.compile(
    r"\s*(/\*|//|@|def|val|var|lazy|class|object|trait|case class|case object|type|private|"
    r"protected|override|implicit|final|sealed|abstract|given|import|test\()"
)
_IMPORT = re.compile(r"\s*(import|from \S+ import|use|using|#\s*include|require|.*=\s*require)\b")
_DOCSTRING = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*[rRuU]?(?P<quote>\"{3}|'{3})(?P<text>.*?)(?P=quote)", re.DOTALL
)
_LEGAL = re.compile(r"copyright|licen[cs]ed? |SPDX|^#!", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """Comment lines that follow each other; rows are 0-based and inclusive."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or type: rows with decorators, without its doc comment."""

    name: str
    owner: str
    is_type: bool
    first: int
    last: int
    doc: str
    code: str
    remarks: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything mined from one file. ``top`` is the file's own comment or docstring."""

    path: str
    language: str
    lines: list[str] = field(repr=False)
    definitions: list[Definition]
    tests: list[Titled]
    top: Run | None


@dataclass(slots=True)
class _Span:
    node: Node
    is_type: bool
    name: str
    first: int
    last: int
    doc: str = ""
    hidden: tuple[int, int] | None = None


def read_file(path: str, language: str, text: str) -> FileFacts:
    """Parse a file and collect what it says."""
    lines = text.split("\n")
    found = grammar.captures(language, text.encode())
    runs = _comment_runs(found.get("comment", []), lines)
    by_end = {run.last: run for run in runs}
    spans = _spans(language, found)
    if language == "scala":
        for span in spans:
            _shorten(span, lines)
    attached: set[int] = set()
    attributes = {_last_row(n): n for n in found.get("attribute", [])}
    for span in spans:
        _attach_doc(span, language, lines, by_end, attributes, attached)
    free = [run for run in runs if run.first not in attached]
    return FileFacts(
        path=path,
        language=language,
        lines=lines,
        definitions=_definitions(spans, free, lines),
        tests=titled_tests(language, found, text),
        top=_top(language, lines, runs, spans, attached),
    )


def _last_row(node: Node) -> int:
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _comment_runs(nodes: list[Node], lines: list[str]) -> list[Run]:
    """Comments that stand alone on their lines, neighbours joined."""
    runs: list[Run] = []
    column = -1
    for node in nodes:
        first, start = node.start_point
        if first >= len(lines) or lines[first].encode()[:start].strip():
            continue
        last, text = _last_row(node), grammar.text_of(node).rstrip("\n")
        block = text.startswith(("/*", "{-", "--[["))
        if runs and runs[-1].last + 1 == first and column == start and not block:
            runs[-1] = Run(runs[-1].first, last, runs[-1].text + "\n" + text)
        else:
            runs.append(Run(first, last, text))
        column = -1 if block else start
    return runs


def _spans(language: str, found: dict[str, list[Node]]) -> list[_Span]:
    spans: list[_Span] = []
    for label in ("function", "type"):
        for node in found.get(label, []):
            name = grammar.name_of(language, node)
            if name:
                outer = grammar.outermost(language, node)
                spans.append(
                    _Span(node, label == "type", name, outer.start_point[0], _last_row(outer))
                )
    spans.sort(key=lambda span: (span.first, -span.last))
    return _clauses(spans) if language in {"haskell", "elixir"} else spans


def _shorten(span: _Span, lines: list[str]) -> None:
    """End a Scala definition before the next one: its grammar lets bodies run into neighbours."""
    indent = len(lines[span.first]) - len(lines[span.first].lstrip())
    for row in range(span.node.start_point[0] + 1, span.last + 1):
        line = lines[row]
        if line.strip() and len(line) - len(line.lstrip()) <= indent and _SCALA_NEXT.match(line):
            span.last = row - 1
            return


def _clauses(spans: list[_Span]) -> list[_Span]:
    """Equations or clauses of one function joined; a Haskell signature joins what follows it."""
    joined: list[_Span] = []
    for span in spans:
        before = span.node.prev_named_sibling
        if before is not None and before.type == "signature":
            named = before.child_by_field_name("name")
            if named is not None and grammar.text_of(named) == span.name:
                span.first = before.start_point[0]
        last = joined[-1] if joined else None
        if (
            last is not None
            and not span.is_type
            and last.name == span.name
            and span.first - last.last in {1, 2}
            and last.last - last.first < 40
        ):
            last.last = max(last.last, span.last)
        else:
            joined.append(span)
    return joined


def _attach_doc(
    span: _Span,
    language: str,
    lines: list[str],
    by_end: dict[int, Run],
    attributes: dict[int, Node],
    attached: set[int],
) -> None:
    """Find the doc comment above a definition, or the docstring inside it."""
    row = span.first - 1
    for _ in range(12):
        if row in attributes:
            text = grammar.text_of(attributes[row])
            if text.startswith("@doc"):
                span.doc = text[4:]
            row = attributes[row].start_point[0] - 1
        elif row in by_end:
            break
        elif row >= 0 and _ATTRIBUTE_LINE.match(lines[row]):
            row -= 1
        else:
            break
    run = by_end.get(row)
    if run is not None:
        attached.add(run.first)
        span.doc = span.doc or run.text
    if language == "python":
        _attach_docstring(span)
    elif language == "elixir" and span.is_type:
        _attach_moduledoc(span, list(attributes.values()))


def _attach_moduledoc(span: _Span, attributes: list[Node]) -> None:
    for node in attributes:
        inside = span.first < node.start_point[0] <= span.first + 6
        if inside and grammar.text_of(node).startswith("@moduledoc"):
            span.doc = grammar.text_of(node)[10:]
            span.hidden = (node.start_point[0], _last_row(node))


def _attach_docstring(span: _Span) -> None:
    body = span.node.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    if first is not None and first.type == "expression_statement" and first.named_children:
        first = first.named_children[0]
    if first is not None and first.type == "string":
        span.doc = re.sub(r"^[rRuUbB]*", "", grammar.text_of(first))
        if first.start_point[0] > span.first:
            span.hidden = (first.start_point[0], _last_row(first))


def _definitions(spans: list[_Span], free: list[Run], lines: list[str]) -> list[Definition]:
    remarks: dict[int, list[Run]] = {}
    for run in free:
        inner = -1
        for index, span in enumerate(spans):
            if span.first > run.first:
                break
            if span.last > run.last:
                inner = index
        if inner >= 0 and not spans[inner].is_type and run.first > spans[inner].first:
            remarks.setdefault(inner, []).append(run)
    found = []
    stack: list[_Span] = []
    for index, span in enumerate(spans):
        while stack and stack[-1].last < span.first:
            stack.pop()
        owner = next((s.name for s in reversed(stack) if s.is_type), "")
        kept = lines[span.first : span.last + 1]
        if span.hidden:
            start, end = span.hidden
            kept = lines[span.first : start] + lines[end + 1 : span.last + 1]
        found.append(
            Definition(
                name=span.name,
                owner=owner,
                is_type=span.is_type,
                first=span.first,
                last=span.last,
                doc=span.doc,
                code=cut(kept),
                remarks=tuple(remarks.get(index, ())),
            )
        )
        stack.append(span)
    return found


def _top(
    language: str, lines: list[str], runs: list[Run], spans: list[_Span], attached: set[int]
) -> Run | None:
    """The comment that speaks for the whole file: before imports and definitions, bound to none."""
    if language == "python":
        match = _DOCSTRING.match("\n".join(lines[:200]))
        if match:
            first = match.string.count("\n", 0, match.start("quote"))
            return Run(first, match.string.count("\n", 0, match.end()), match.group("text"))
    limit = min(spans[0].first if spans else len(lines), 60)
    for run in runs:
        if run.first > limit or any(_IMPORT.match(line) for line in lines[: run.first]):
            break
        if run.first not in attached and not _LEGAL.search(run.text[:3000]):
            return run
    return None
