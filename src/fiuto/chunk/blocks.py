"""
Chunks for any text: documents by their headings, code by the looks of its
definitions, all else by blank lines and indentation.
"""

from __future__ import annotations

from fiuto.chunk.headings import SECTIONED, sections
from fiuto.chunk.packing import Limits, Mark, pack
from fiuto.chunk.patterns import PATTERNS, definitions
from fiuto.chunk.sheet import Sheet
from fiuto.languages import PROSE
from fiuto.model import Chunk

__all__ = ["blocks"]


def blocks(sheet: Sheet, language: str, sizes: Limits) -> list[Chunk]:
    """Chunks of a text without a syntax tree."""
    if language in SECTIONED:
        marks = sections(sheet.text, language)
    elif language in PATTERNS:
        marks = definitions(sheet.text, language)
    else:
        marks = [Mark(0, kind="text" if language in PROSE else "block")]
    return pack(sheet, marks, sizes)
