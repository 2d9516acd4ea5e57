"""
What one file says: its definitions with their doc comments, remarks inside them, and its tests.

Comments are matched to definitions by lines, not by tree position: grammars disagree about
where a comment hangs, but a doc comment ends on the line above what it describes everywhere.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

from tree_sitter import Node

from training import grammar

__all__ = ["CODE_LIMIT", "Definition", "FileFacts", "Run", "Titled", "cut", "read_file"]

CODE_LIMIT = 2000
"""Characters of code kept for one row, cut at a line's end."""

_ATTRIBUTE_LINE = re.compile(r"\s*(#\[|@\w|\[\w[^\]]*\]\s*$|\)\]\s*$)")
_SCALA_NEXT = re.compile(
    r"\s*(/\*|//|@|def|val|var|lazy|class|object|trait|case class|case object|type|private|"
    r"protected|override|implicit|final|sealed|abstract|given|import|test\()"
)
_IMPORT = re.compile(r"\s*(import|from \S+ import|use|using|#\s*include|require|.*=\s*require)\b")
_DOCSTRING = re.compile(r"\s*(?:#[^\n]*\n\s*)*[rRuU]?(\"\"\"|\'\'\')(.*?)\\1", re.DOTALL)
_LEGAL = re.compile(r"copyright|licen[cs]ed? |SPDX|^#!", re.IGNORECASE)
_CPP_TEST = re.compile(r"(?:TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(\s*(\w+)\s*,\s*(\w+)")
_HASKELL_TEST = re.compile(r'^(\s*)(?:it|specify|testCase|testProperty|prop)\s+"([^"\n]+)"', re.M)
_BATS_TEST = re.compile(r'^()@test\s+["\'](.+?)["\']\s*\{', re.MULTILINE)
_SHELL_SPEC = re.compile(r"^(\s*)It\s+[\"'](.+?)[\"']", re.MULTILINE)


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
class Titled:
    """A test that carries a sentence, and its text without that sentence."""

    title: str
    code: str
    first: int


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
        tests=_titled(language, found, text),
        top=_top(language, lines, runs, spans, attached),
    )


def cut(lines: list[str]) -> str:
    """Lines dedented and cut to :data:`CODE_LIMIT` characters at a line's end."""
    text = textwrap.dedent("\n".join(lines)).strip("\n")
    if len(text) > CODE_LIMIT:
        text = text[:CODE_LIMIT].rpartition("\n")[0] or text[:CODE_LIMIT]
    return text


def _last_row(node: Node) -> int:
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _comment_runs(nodes: list[Node], lines: list[str]) -> list[Run]:
    """Comments that stand alone on their lines, neighbours joined."""
    runs: list[Run] = []
    column = -1
    for node in nodes:
        first, start = node.start_point
        if first >= len(lines) or lines[first].encode()[:start].strip():
            continue
        last, text = _last_row(node), _text(node).rstrip("\n")
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
            if named is not None and _text(named) == span.name:
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
            text = _text(attributes[row])
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
        for node in attributes.values():
            inside = span.first < node.start_point[0] <= span.first + 6
            if inside and _text(node).startswith("@moduledoc"):
                span.doc = _text(node)[10:]
                span.hidden = (node.start_point[0], _last_row(node))


def _attach_docstring(span: _Span) -> None:
    body = span.node.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    if first is not None and first.type == "expression_statement" and first.named_children:
        first = first.named_children[0]
    if first is not None and first.type == "string":
        span.doc = re.sub(r"^[rRuUbB]*", "", _text(first))
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


def _titled(language: str, found: dict[str, list[Node]], text: str) -> list[Titled]:
    tests: list[Titled] = []
    titles = found.get("title", [])
    at = 0
    for node in found.get("test", []):
        while at < len(titles) and titles[at].start_byte < node.start_byte:
            at += 1
        if at == len(titles):
            break
        shown = _text(titles[at])
        quoted = re.findall(r'"+([^"]*)"+', shown) if language == "scala" else [shown]
        title = " ".join(part.strip("\"'`") for part in quoted)
        code = _text(node).replace(shown, "", 1)
        tests.append(Titled(title, cut(code.split("\n")), node.start_point[0]))
    if language == "cpp":
        for node in found.get("function", []):
            match = _CPP_TEST.match(_text(node)[:200])
            if match:
                code = _text(node).replace(match.group(), "TEST(_, _", 1)
                tests.append(Titled(match.group(2), cut(code.split("\n")), node.start_point[0]))
    elif language == "haskell":
        tests += _indented(text, _HASKELL_TEST)
    elif language == "bash":
        tests += _indented(text, _BATS_TEST) + _indented(text, _SHELL_SPEC)
    return tests


def _indented(text: str, pattern: re.Pattern[str]) -> list[Titled]:
    """Tests found by a line, their bodies by what is indented below it."""
    tests = []
    for match in pattern.finditer(text):
        indent = len(match.group(1))
        body = []
        for line in text[match.end() :].split("\n"):
            if body and line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            body.append(line)
        row = text.count("\n", 0, match.start())
        tests.append(Titled(match.group(2), cut(body), row))
    return tests


def _top(
    language: str, lines: list[str], runs: list[Run], spans: list[_Span], attached: set[int]
) -> Run | None:
    """The comment that speaks for the whole file: before imports and definitions, bound to none."""
    if language == "python":
        match = _DOCSTRING.match("\n".join(lines[:200]))
        if match:
            first = match.string.count("\n", 0, match.start(1))
            return Run(first, match.string.count("\n", 0, match.end()), match.group(2))
    limit = min(spans[0].first if spans else len(lines), 60)
    for run in runs:
        if run.first > limit or any(_IMPORT.match(line) for line in lines[: run.first]):
            break
        if run.first not in attached and not _LEGAL.search(run.text[:3000]):
            return run
    return None
