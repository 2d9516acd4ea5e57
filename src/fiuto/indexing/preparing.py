"""
Files on their way into an index: read, cut, and embedded where the model is at hand.

Everything here depends on the file alone, so it can be done anywhere; a worker process
sends what it made as plain values (:func:`plain`, :func:`prepared_from`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from fiuto.errors import ModelUnavailable
from fiuto.indexing.embedding import document_text
from fiuto.model import Chunk, FileRecord, Found, Label, Skipped, Stamp
from fiuto.protocols import Chunker, Embedder, Scanner
from fiuto.terms import joined_terms
from fiuto.values import dataclass

__all__ = ["Plain", "Prepared", "plain", "prepare", "prepared_from", "with_vectors"]

Plain: TypeAlias = tuple[Any, ...]
"""What ``marshal`` takes: some twenty times as fast as pickling a thousand chunks."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file, cut."""

    record: FileRecord
    chars: int
    """Length of its text."""
    chunks: tuple[Chunk, ...]
    vectors: tuple[bytes, ...] | None
    """A float32 row for each chunk, or None where somebody else must embed them."""
    terms: tuple[str, ...] | None = None
    """The terms of each chunk, joined, where there was somebody else to find them."""


def prepare(
    found: Found,
    scanner: Scanner,
    chunker: Chunker,
    now_ns: Callable[[], int],
    *,
    apart: bool = False,
) -> Prepared | Skipped:
    """
    Read and cut one file.

    ``apart`` from the process that writes, terms are found too: it has enough to do.
    """
    source = scanner.read(found)
    if isinstance(source, Skipped):
        return source
    checked_ns = now_ns()
    chunks = tuple(chunker.chunk(source.path, source.text, source.language))
    record = FileRecord(
        source.path, source.stamp, source.digest, source.language, source.label, checked_ns
    )
    terms = tuple(joined_terms(chunk.text) for chunk in chunks) if apart else None
    return Prepared(record, len(source.text), chunks, None, terms)


def with_vectors(
    files: Sequence[Prepared | Skipped], embedder: Embedder | None
) -> Sequence[Prepared | Skipped]:
    """
    The same files with the vectors of their chunks, all made by one call.

    As they were where there is no embedder: what one refuses is left to whoever can say so.
    """
    if embedder is None:
        return files
    cut = [file for file in files if isinstance(file, Prepared)]
    texts = [document_text(file.record.path, chunk) for file in cut for chunk in file.chunks]
    try:
        made = embedder.embed(texts, "document")
    except ModelUnavailable:
        return files
    if len(made) != len(texts):
        return files
    start = 0
    embedded: list[Prepared | Skipped] = []
    for file in files:
        if isinstance(file, Skipped):
            embedded.append(file)
            continue
        rows = range(start, start + len(file.chunks))
        start = rows.stop
        record = replace(file.record, truncated=sum(made.truncated[i] for i in rows))
        vectors = tuple(made.row(i) for i in rows)
        embedded.append(replace(file, record=record, vectors=vectors))
    return embedded


def plain(outcome: Prepared | Skipped) -> Plain:
    """``outcome`` as tuples."""
    if isinstance(outcome, Skipped):
        return (outcome.path, outcome.reason, outcome.detail, stamp_values(outcome.stamp))
    record = outcome.record
    return (
        record.path, stamp_values(record.stamp), record.digest, record.language, record.label,
        record.checked_ns, record.truncated, outcome.chars,
        [(c.start, c.end, c.text, c.symbol, c.kind) for c in outcome.chunks], outcome.vectors,
        outcome.terms,
    )  # fmt: skip


def prepared_from(values: Plain) -> Prepared | Skipped:
    """What :func:`plain` was given."""
    if len(values) == 4:
        path, reason, detail, stamp = values
        return Skipped(path, reason, detail, Stamp(*stamp) if stamp else None)
    path, stamp, digest, language, label, checked_ns, truncated, chars, *made = values
    chunks, vectors, terms = made
    record = FileRecord(
        path, Stamp(*stamp), digest, language, cast("Label", label), checked_ns,
        truncated=truncated,
    )  # fmt: skip
    return Prepared(record, chars, tuple(Chunk(*chunk) for chunk in chunks), vectors, terms)


def stamp_values(stamp: Stamp | None) -> tuple[int, int, int, int] | None:
    """The fields of ``stamp``."""
    return None if stamp is None else (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode)
