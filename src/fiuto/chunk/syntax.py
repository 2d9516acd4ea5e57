"""
Chunks along functions, classes and their comments: the default.

Each non-blank line lies in exactly one chunk, and no chunk overlaps another.  The
symbol of a chunk is the qualified name of what it defines; where several small
definitions share a chunk, it holds all their names, the main one first, separated
by single spaces.  Pieces of something too long for one chunk carry its name, those
without its first line the kind ``part``.  Only the symbol of a ``section`` is one
text, the path of headings, blanks included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fiuto.chunk.blocks import blocks
from fiuto.chunk.grammars import GRAMMARS, dialect, rules
from fiuto.chunk.notebook import cells
from fiuto.chunk.outline import outline
from fiuto.chunk.packing import TARGET, limits_for, pack
from fiuto.chunk.parsing import is_dense, parse
from fiuto.chunk.patterns import PATTERNS
from fiuto.chunk.sheet import Sheet
from fiuto.languages import PROSE
from fiuto.model import Chunk

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["SyntaxChunker"]

_GARBLED = 3
"""One line in this many inside errors, and the looks of definitions tell more than the tree."""


class SyntaxChunker:
    """Cuts code along its syntax, documents along headings, notebooks along cells."""

    def __init__(self) -> None:
        self.fallbacks = 0
        """How many texts of a known language were cut without their syntax tree."""

    @property
    def identity(self) -> str:
        return f"syntax/1 ({TARGET} characters)"

    def chunk(self, path: str, text: str, language: str) -> Sequence[Chunk]:
        """Cut ``text``; never raises on odd input."""
        if not text or text.isspace():
            return []
        if language == "notebook":
            found = cells(text, lambda source, kernel: self.chunk("", source, kernel))
            if found is not None:
                return found
        sheet = Sheet(text)
        dense = language not in PROSE and is_dense(text)
        limits = limits_for(sheet, dense=dense)
        if language not in GRAMMARS:
            return blocks(sheet, "" if dense else language, limits)
        if not dense:
            spoken = dialect(path, text, language)
            source = text.encode("utf-8", "surrogatepass")
            tree = parse(source, spoken)
            if tree and not _is_garbled(tree.root_node, language):
                marks = outline(tree.root_node, source, sheet, limits, rules(spoken))
                return pack(sheet, marks, limits)
        self.fallbacks += 1
        return blocks(sheet, "" if dense else language, limits)


def _is_garbled(root: Node, language: str) -> bool:
    """Whether so much of the tree is errors that patterns do better."""
    if language not in PATTERNS or not root.has_error:
        return False
    if root.type == "ERROR":
        return True
    rows = sum(
        child.end_point[0] - child.start_point[0]
        for child in root.children
        if child.type == "ERROR"
    )
    return rows * _GARBLED > root.end_point[0]
