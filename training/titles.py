"""Tests that carry a sentence: ``it("…")``, ``test "…" {``, ``@test "…"``, ``TEST(Suite, Name)``"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from training.grammar import text_of
from tree_sitter import Node

__all__ = ["CODE_LIMIT", "Titled", "cut", "titled_tests"]

CODE_LIMIT = 2000
"""Characters of code kept for one row, cut at a line's end."""

_CPP_TEST = re.compile(r"(?:TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(\s*(\w+)\s*,\s*(\w+)")
_HASKELL_TEST = re.compile(
    r'^(\s*)(?:it|specify|testCase|testProperty|prop)\s+"([^"\n]+)"', re.MULTILINE
)
_BATS_TEST = re.compile(r'^()@test\s+["\'](?:\([\w-]+\)\s*)?(.+?)["\']\s*\{', re.MULTILINE)
_SHELL_SPEC = re.compile(r"^(\s*)It\s+[\"'](.+?)[\"']", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Titled:
    """A test that carries a sentence, and its text without that sentence."""

    title: str
    code: str
    first: int


def cut(lines: list[str]) -> str:
    """Lines dedented and cut to :data:`CODE_LIMIT` characters at a line's end."""
    text = textwrap.dedent("\n".join(lines)).strip("\n")
    if len(text) > CODE_LIMIT:
        text = text[:CODE_LIMIT].rpartition("\n")[0] or text[:CODE_LIMIT]
    return text


def titled_tests(language: str, found: dict[str, list[Node]], text: str) -> list[Titled]:
    """Tests that a file titles with a sentence: calls in most languages, lines in some."""
    tests: list[Titled] = []
    titles = found.get("title", [])
    at = 0
    for node in found.get("test", []):
        while at < len(titles) and titles[at].start_byte < node.start_byte:
            at += 1
        if at == len(titles):
            break
        shown = text_of(titles[at])
        quoted = re.findall(r'"+([^"]*)"+', shown) if language == "scala" else [shown]
        title = " ".join(part.strip("\"'`") for part in quoted)
        code = text_of(node).replace(shown, "", 1)
        tests.append(Titled(title, cut(code.split("\n")), node.start_point[0]))
    if language == "cpp":
        for node in found.get("function", []):
            match = _CPP_TEST.match(text_of(node)[:200])
            if match:
                code = text_of(node).replace(match.group(), "TEST(_, _", 1)
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
        body: list[str] = []
        for line in text[match.end() :].split("\n"):
            if body and line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            body.append(line)
        row = text.count("\n", 0, match.start())
        tests.append(Titled(match.group(2), cut(body), row))
    return tests
