"""Small made-up values for the checks of this package and for tests."""

from __future__ import annotations

import hashlib
import math
import random
from array import array

from fiuto.model import (
    Chunk,
    EmbedderIdentity,
    FileRecord,
    IndexedChunk,
    IndexedFile,
    Label,
    Manifest,
    Stamp,
)

__all__ = ["IDENTITY", "file_of", "manifest", "unit_vector"]

IDENTITY = EmbedderIdentity("scripted", "1", 8)
"""The embedder that the files of these checks claim."""


def manifest(**changes: object) -> Manifest:
    """A manifest of a new index; ``changes`` replace its fields."""
    fields: dict[str, object] = {
        "root": "/somewhere", "embedder_name": "scripted", "embedder": IDENTITY,
        "chunker": "lines/1", "terms": "terms/1", "scan": "scan/1",
    }  # fmt: skip
    return Manifest(**{**fields, **changes})  # type: ignore[arg-type]


def unit_vector(seed: str) -> bytes:
    """A float32 unit vector that depends on nothing but ``seed``."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    values = [rng.gauss(0, 1) for _ in range(IDENTITY.dimension)]
    length = math.hypot(*values)
    return array("f", [value / length for value in values]).tobytes()


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()


def file_of(
    path: str,
    *texts: str,
    language: str = "python",
    label: Label = "source",
    vectors: bool = True,
) -> IndexedFile:
    """A file of one chunk per text, one line each, its symbols named after the path."""
    record = FileRecord(
        path, Stamp(len("".join(texts)), 1, 1, 1), _digest(texts), language, label, 10,
        embedded=vectors,
    )  # fmt: skip
    return IndexedFile(
        record,
        tuple(
            IndexedChunk(
                Chunk(i, i, text, f"sym{i}", "function"),
                unit_vector(f"{path}\n{text}") if vectors else None,
            )
            for i, text in enumerate(texts, start=1)
        ),
    )
