"""Doc comments with what they document, for surfaces, which do not reach into the chunker."""

from __future__ import annotations

from fiuto.chunk.comments import DocComment, doc_comments

__all__ = ["DocComment", "doc_comments"]
