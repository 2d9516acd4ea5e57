"""
Vectors for chunks: from the shared cache where they are, from the model where not.

The text that a model sees is the path, a newline, and the chunk: the path carries
meaning.  The hash of that text is the key, so a vector is reused exactly when the
model would be asked the same thing again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence

from fiuto.errors import PluginFailed
from fiuto.model import Chunk, EmbedderIdentity
from fiuto.protocols import Embedder, Progress, VectorCache
from fiuto.values import dataclass

__all__ = ["NO_MEANING", "Embedded", "document_text", "embed_chunks"]

NO_MEANING = "no search by meaning: "
"""How a warning begins that says why chunks get no vectors."""

_SMALLEST, _LARGEST = 8, 1024
"""Texts a call: grows while calls stay short, so that a slow model still shows progress
and loses little when it is stopped, and a fast one is not held up by calls."""
_CALL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors for a run of texts, in order."""

    vectors: tuple[bytes, ...]
    truncated: tuple[bool, ...]
    made: int
    """How many went through the model."""


def document_text(path: str, chunk: Chunk) -> str:
    """What an embedder is given for ``chunk``."""
    return f"{path}\n{chunk.text}"


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def embed_chunks(
    texts: Sequence[str], embedder: Embedder, cache: VectorCache, progress: Progress
) -> Embedded:
    """
    A vector for each of ``texts``.

    Raises:
        ModelUnavailable: from the embedder; what was embedded before it is kept in the cache.
        PluginFailed: it gave another number of rows, or another dimension, than it said.
    """
    identity = embedder.identity
    keys = [_key(text) for text in texts]
    rows = dict(cache.get(identity, list(dict.fromkeys(keys))))
    missing = [(k, t) for k, t in dict(zip(keys, texts, strict=True)).items() if k not in rows]
    done, size = 0, _SMALLEST
    while done < len(missing):
        progress("embed", done, len(missing))
        some = missing[done : done + size]
        started = time.monotonic()
        fresh = _ask(embedder, identity, dict(some))
        cache.put(identity, fresh)
        rows |= fresh
        done += len(some)
        if time.monotonic() - started < _CALL_SECONDS:
            size = min(2 * size, _LARGEST)
    width = 4 * identity.dimension
    return Embedded(
        vectors=tuple(rows[key][:width] for key in keys),
        truncated=tuple(rows[key][width:] == b"\x01" for key in keys),
        made=len(missing),
    )


def _ask(
    embedder: Embedder, identity: EmbedderIdentity, texts: Mapping[bytes, str]
) -> dict[bytes, bytes]:
    """Rows as the cache keeps them: the vector, then one byte that tells a truncated text."""
    vectors = embedder.embed(list(texts.values()), "document")
    if len(vectors) != len(texts) or vectors.dimension != identity.dimension:
        raise PluginFailed(
            f"embedder {identity.name} gave {len(vectors)} vectors of {vectors.dimension} for "
            f"{len(texts)} texts and {identity.dimension} dimensions"
        )
    return {
        key: vectors.row(i) + (b"\x01" if vectors.truncated[i] else b"\x00")
        for i, key in enumerate(texts)
    }
