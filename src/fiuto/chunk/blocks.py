"""
Chunks for any text: prose by its headings, the rest by blank lines and indentation.
"""

from __future__ import annotations

from fiuto.chunk.packing import Limits, Mark, pack
from fiuto.chunk.sheet import Sheet
from fiuto.languages import PROSE
from fiuto.model import Chunk

__all__ = ["blocks"]


def blocks(sheet: Sheet, language: str, limits: Limits) -> list[Chunk]:
    """Chunks of a text that no grammar is at hand for."""
    return pack(sheet, [Mark(0, kind="text" if language in PROSE else "block")], limits)
