"""
Where the sections of a document begin.

A section is known by the path of headings that leads to it, ``Install > Docker``:
the words above a paragraph often say what it is about when it does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from fiuto.chunk.packing import Mark

__all__ = ["SECTIONED", "sections"]

_SEPARATOR = " > "

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\r?$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*\r?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_PARAGRAPH = re.compile(r"\s*$|\s*(?:[-*+>#|]|\d+[.)])\s| {4}|\t")
"""Lines that a row of dashes below does not turn into a heading."""
_MARKUP = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|<[^>]+>|\{#[^}]*\}|[`*]")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")

_LONGEST = 300
"""Characters of a line that may be a heading."""

_Heading = tuple[int, int, str]
"""Row, level, title."""


def sections(text: str, language: str) -> list[Mark]:
    """A mark for each heading, and one on row 0 for what precedes the first."""
    marks = [Mark(0, kind="text")]
    path: list[tuple[int, str]] = []
    for unit, (row, level, title) in enumerate(SECTIONED[language](text.split("\n")), 1):
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, " ".join(title.split())))
        name = _SEPARATOR.join(title for _, title in path if title)
        mark = Mark(row, [name] if name else [], "section", unit=unit)
        if row:
            marks.append(mark)
        else:
            marks = [mark]
    return marks


def _markdown(lines: Sequence[str]) -> Iterator[_Heading]:
    fence = ""
    start = _front_matter(lines)
    for row in range(start, len(lines)):
        line = lines[row]
        if row < start or len(line) > _LONGEST:
            continue
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip("`~ \t\r"):
                fence = ""
        elif mark:
            fence = mark[1]
        elif heading := _ATX.match(line):
            yield row, len(heading[1]), _MARKUP.sub(r"\1", heading[2] or "")
        elif row + 1 < len(lines) and not _NO_PARAGRAPH.match(line):
            below = _SETEXT.match(lines[row + 1])
            if below:
                yield row, 1 if below[1][0] == "=" else 2, _MARKUP.sub(r"\1", line)
                start = row + 2  # past the underline


def _front_matter(lines: Sequence[str]) -> int:
    """The row after the settings that some documents begin with."""
    if lines[0].rstrip() != "---":
        return 0
    for row in range(1, len(lines)):
        if lines[row].rstrip() in {"---", "..."}:
            return row + 1
    return 0


def _restructuredtext(lines: Sequence[str]) -> Iterator[_Heading]:
    """Levels are numbered by the order in which their adornments first occur."""
    levels: dict[tuple[str, bool], int] = {}
    for row in range(1, len(lines)):
        under, title = _ADORNMENT.match(lines[row]), lines[row - 1].rstrip()
        if under is None or not title or title[0].isspace() or _ADORNMENT.match(title):
            continue
        over = row > 1 and lines[row - 2].rstrip() == lines[row].rstrip()
        if len(lines[row].rstrip()) < min(len(title), 4) or not (
            over or row == 1 or not lines[row - 2].strip()
        ):
            continue
        level = levels.setdefault((under[1], over), len(levels) + 1)
        yield row - 1 - over, level, title.replace("`", "")


SECTIONED: Mapping[str, Callable[[Sequence[str]], Iterator[_Heading]]] = {
    "markdown": _markdown,
    "restructuredtext": _restructuredtext,
}
"""Languages with headings -> what finds them."""
