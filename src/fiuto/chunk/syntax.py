"""
Chunks along functions, classes and their comments: the default.

Each non-blank line lies in exactly one chunk.  The symbol of a chunk is the
qualified name of what it defines; where several small definitions share a chunk
it holds all their names, the largest first, separated by single spaces.  Pieces
of something that is too long for one chunk carry its name, those without its
first line the kind ``part``.
"""

from __future__ import annotations

from collections.abc import Sequence

from fiuto.chunk.blocks import blocks
from fiuto.chunk.grammars import GRAMMARS, dialect, rules
from fiuto.chunk.outline import outline
from fiuto.chunk.packing import TARGET, limits_for, pack
from fiuto.chunk.parsing import is_dense, parse
from fiuto.chunk.sheet import Sheet
from fiuto.languages import PROSE
from fiuto.model import Chunk

__all__ = ["SyntaxChunker"]


class SyntaxChunker:
    """Cuts code along its syntax, prose along its headings, notebooks along their cells."""

    def __init__(self) -> None:
        self.fallbacks = 0
        """How many texts of a known language were cut without their syntax."""

    @property
    def identity(self) -> str:
        return f"syntax/1 ({TARGET} characters)"

    def chunk(self, path: str, text: str, language: str) -> Sequence[Chunk]:
        """Cut ``text``; never raises on odd input."""
        if not text or text.isspace():
            return []
        sheet = Sheet(text)
        dense = language not in PROSE and is_dense(text)
        limits = limits_for(sheet, dense=dense)
        if language in GRAMMARS and not dense:
            language = dialect(path, text, language)
            source = text.encode("utf-8", "surrogatepass")
            tree = parse(source, language)
            if tree:
                return pack(sheet, outline(tree.root_node, source, sheet, limits, rules(language)), limits)
        if language in GRAMMARS:
            self.fallbacks += 1
        return blocks(sheet, language, limits)
