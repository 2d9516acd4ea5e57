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
from fiuto.chunk.packing import TARGET, fitted, limits, pack
from fiuto.chunk.parsing import parse
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

    def __init__(self, target: int = TARGET) -> None:
        """Take ``target`` as the size of a chunk, in non-blank characters."""
        self._sizes = limits(target)
        self.fallbacks = 0
        """How many texts of a known language were cut without their syntax tree."""

    @property
    def identity(self) -> str:
        return f"syntax/1 ({self._sizes.target} characters)"

    def chunk(self, path: str, text: str, language: str) -> Sequence[Chunk]:
        """Cut ``text``; never raises on odd input."""
        if not text or text.isspace():
            return []
        if language == "notebook":
            found = cells(text, lambda source, kernel: self.chunk("", source, kernel), self._sizes)
            if found is not None:
                return found
        sheet = Sheet(text)
        dense = language not in PROSE and sheet.is_dense()
        sizes = fitted(self._sizes, sheet, dense=dense)
        if language not in GRAMMARS:
            return blocks(sheet, "" if dense else language, sizes)
        if not dense:
            spoken = dialect(path, text, language)
            source = text.encode("utf-8", "surrogatepass")
            tree = parse(source, spoken)
            if tree and not _is_garbled(tree.root_node, language):
                marks = outline(tree.root_node, source, sheet, sizes, rules(spoken))
                return pack(sheet, marks, sizes)
        self.fallbacks += 1
        return blocks(sheet, "" if dense else language, sizes)


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
