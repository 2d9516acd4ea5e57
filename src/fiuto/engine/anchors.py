"""The chunk that a place in a file leads to, and its vector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fiuto.engine.reasons import sentence
from fiuto.errors import ModelUnavailable, UsageError
from fiuto.indexing.embedding import document_text, embed_chunks
from fiuto.model import Skipped, StoredChunk
from fiuto.protocols import Reader, VectorCache
from fiuto.scan import FileScanner
from fiuto.search.related import chunk_at
from fiuto.search.retrieve import Means

__all__ = ["locate", "vector_of"]


def locate(scanner: FileScanner, reader: Reader, path: str | Path, line: int) -> StoredChunk:
    """
    The chunk of ``path`` that holds ``line``, or the nearest to it.

    Raises:
        UsageError: the file is not in the index, and why; or it has no such line.
    """
    found = scanner.why(path)
    name = found.path
    if isinstance(found, Skipped):
        if found.reason == "missing":
            near = _near(name, list(reader.files()))
            raise UsageError(f"there is no file {name}{near}")
        raise UsageError(f"{name} is not searched: {sentence(found.reason)}")
    anchor = chunk_at(reader.chunks_of(name), line)
    if anchor is None:
        raise UsageError(f"nothing of {name} is in the index; name a file that holds text")
    content = scanner.content(name)
    lines = content.text.removesuffix("\n").count("\n") + 1 if content else anchor.chunk.end
    if not 1 <= line <= max(lines, anchor.chunk.end):
        raise UsageError(f"{name} has {lines} lines; there is no line {line}")
    return anchor


def vector_of(
    anchor: StoredChunk, means: Means, cache: VectorCache
) -> tuple[bytes | None, Sequence[str]]:
    """The chunk's vector as its index holds it, or None and a warning that says why not."""
    try:
        if means.embedder is None:
            raise ModelUnavailable(means.missing or "the index has no vectors of this model")
        text = document_text(anchor.path, anchor.chunk)
        return embed_chunks([text], means.embedder, cache, lambda *_: None).vectors[0], ()
    except ModelUnavailable as error:
        return None, (f"keyword results only: {error}",)


def _near(name: str, known: Sequence[str]) -> str:
    """A suggestion for a path that is not there."""
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it

    same = [path for path in known if path.rpartition("/")[2] == name.rpartition("/")[2]]
    near = same[:1] or get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
