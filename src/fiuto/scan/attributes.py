"""
What ``.gitattributes`` says about labels, in linguist's words.

Read are the files of the root and of the folders between it and the top of its
work tree; one in a deeper folder says nothing, so that what decides on labels can
be told without a walk.  (``linguist-generated`` nearly always stands at the top.)
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from fiuto.model import Label
from fiuto.scan.git import work_tree
from fiuto.scan.ignore import compile_pattern

__all__ = ["Attributes", "read_attributes"]

_LABELS: dict[str, Label] = {
    "linguist-generated": "generated",
    "linguist-vendored": "vendored",
    "linguist-documentation": "docs",
}
_ATTRIBUTE = re.compile(r"(?P<no>-|!)?(?P<name>linguist-\w+)(?:=(?P<value>\S+))?")


class Attributes(NamedTuple):
    """The lines about labels, in the order in which later ones win."""

    lines: tuple[tuple[str, str], ...]
    """What stands between the file's folder and the root, and the line."""

    def of(self, path: str) -> dict[str, bool]:
        """Label -> whether the file is one; what no line speaks about is left out."""
        said: dict[str, bool] = {}
        for above, line in self.lines:
            pattern, attributes = _split(line)
            compiled = compile_pattern(pattern)
            if compiled is None or not compiled[0].search(above + path):
                continue
            for match in _ATTRIBUTE.finditer(attributes):
                label = _LABELS.get(match["name"])
                if label and match["no"] == "!":
                    said.pop(label, None)
                elif label:
                    said[label] = not match["no"] and match["value"] not in ("false", "0")
        return said


def read_attributes(root: str) -> Attributes:
    """The lines that speak about labels below ``root``; none where none can be read."""
    real = os.path.realpath(root)
    top = work_tree(root) or real
    way = [part for part in os.path.relpath(real, top).split("/") if part != "."]
    lines = []
    for depth in range(len(way) + 1):
        above = "".join(f"{part}/" for part in way[depth:])
        lines += [(above, line) for line in _lines(Path(top, *way[:depth], ".gitattributes"))]
    return Attributes(tuple(lines))


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    lines = (line.strip() for line in text.split("\n"))
    return [line for line in lines if "linguist-" in line and not line.startswith(("#", "["))]


def _split(line: str) -> tuple[str, str]:
    """A pattern may stand in double quotes."""
    if line.startswith('"') and '"' in line[1:]:
        pattern, _, rest = line[1:].partition('"')
        return pattern, rest
    pattern, _, rest = line.partition(" ")
    return pattern, rest
