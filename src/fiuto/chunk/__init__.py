"""
Cuts texts into chunks that are worth finding.

Only the chunker that needs no parser is imported here; the one along syntax is
loaded by name, so that nobody pays for grammars that are not used.
"""

from __future__ import annotations

from fiuto.chunk.lines import LinesChunker

__all__ = ["LinesChunker"]
