"""Values as rows of Milvus, and rows as values; ids that depend only on what they name."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fiuto.model import Chunk, FileRecord, IndexedFile, Skipped, Stamp, StoredChunk
from fiuto.store.milvus.schema import TEXT_BYTES, meta_row
from fiuto.store.rows import printable
from fiuto.terms import terms

__all__ = [
    "CHUNK_FIELDS",
    "FILE_FIELDS",
    "Rows",
    "encoded",
    "file_id",
    "pieces_of",
    "place_id",
    "record_of",
    "record_text",
    "rows_of",
    "skipped_text",
    "skips_of",
    "stored_of",
]

PIECE_BYTES = 60_000
"""Of a text that one row cannot hold."""
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_ESCAPE = "x8x"
"""Begins a term that is not [a-z0-9]+; a plain term that begins so is escaped as well."""

CHUNK_FIELDS = (
    "id", "repo", "file", "born", "path", "language", "label", "start", "end", "symbol", "kind",
    "text", "pieces", "digest", "size",
)  # fmt: skip
FILE_FIELDS = ("id", "repo", "born", "path", "chunks", "first", "record")

Rows = tuple[list[dict[str, Any]], list[int]]
"""Rows, and the bytes of each."""


def _number(*parts: object) -> int:
    """63 bits that are the same for the same parts."""
    joined = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big") >> 1


def place_id(repository: str, path: str) -> int:
    """Of a path, whatever stands there."""
    return _number("place", repository, path)


def file_id(repository: str, path: str, born: int) -> int:
    """Of a path as one generation brought it."""
    return _number("file", repository, path, born)


def encoded(words: Iterable[str], most: int = TEXT_BYTES) -> str:
    """
    Terms for the server's analyzer, at most ``most`` bytes of them.

    Where there is no room for all, every term comes once before any comes twice: which
    words stand in a long file says more than how often.
    """
    safe = [_safe(word) for word in words]
    if sum(map(len, safe)) + len(safe) > most:
        seen: Counter[str] = Counter()
        turns = []
        for i, word in enumerate(safe):
            turns.append((seen[word], i, word))
            seen[word] += 1
        safe = [word for _, _, word in sorted(turns)]
        taken = 0
        for i, word in enumerate(safe):
            taken += len(word) + 1
            if taken > most:
                safe = safe[:i]
                break
    return " ".join(safe)


def _safe(word: str) -> str:
    if _SAFE.issuperset(word) and not word.startswith(_ESCAPE):
        return word
    return (
        _ESCAPE + hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    )


def rows_of(
    repository: str, file: IndexedFile, born: int, dimension: int
) -> tuple[Rows, Rows, Rows]:
    """The rows of one file: its chunks, itself, and the rests of texts too long for a row."""
    record = file.record
    path = printable(record.path)
    id_ = file_id(repository, path, born)
    shared = {
        "repo": repository, "born": born, "place": place_id(repository, path), "path": path,
        "language": record.language, "label": record.label,
        "path_terms": encoded(terms(path)),
    }  # fmt: skip
    chunks: list[dict[str, Any]] = []
    rests: list[dict[str, Any]] = []
    whole: list[str] = []
    symbols: list[str] = []
    last = 0
    for nth, entry in enumerate(file.chunks):
        chunk = entry.chunk
        body, names = terms(chunk.text), terms(chunk.symbol)
        text, *rest = _pieces(printable(chunk.text))
        chunk_id = _number("chunk", id_, nth)
        chunks.append(
            shared
            | {
                "id": chunk_id,
                "file": id_,
                "start": chunk.start,
                "end": chunk.end,
                "size": record.stamp.size,
                "pieces": len(rest),
                "digest": record.digest,
                "embedded": entry.vector is not None,
                "symbol": _cut(chunk.symbol),
                "text": text,
                "kind": chunk.kind,
                "body_terms": encoded(body),
                "symbol_terms": encoded(names),
                "vector": _floats(entry.vector, dimension),
            }
        )
        rests += [
            meta_row(f"text/{chunk_id}/{i:04}", repository, born=born, file=id_, data=piece)
            for i, piece in enumerate(rest)
        ]
        whole += _fresh(chunk, body, last)
        symbols += names
        last = max(last, chunk.end)
    row = shared | {
        "id": id_, "chunks": len(chunks), "first": chunks[0]["id"] if chunks else 0,
        "record": record_text(record), "body_terms": encoded(whole),
        "symbol_terms": encoded(symbols),
    }  # fmt: skip
    return _sized(chunks), _sized([row]), _sized(rests)


def _fresh(chunk: Chunk, body: list[str], last: int) -> list[str]:
    """The terms of the lines after line ``last``: a file holds each of its lines once."""
    if chunk.start <= last < chunk.end:
        return terms("\n".join(chunk.text.split("\n")[last - chunk.start + 1 :]))
    return body


def _floats(vector: bytes | None, dimension: int) -> list[float]:
    return [0.0] * dimension if vector is None else list(array("f", vector))


def _cut(text: str) -> str:
    return printable(text).encode()[:TEXT_BYTES].decode("utf-8", "ignore")


def _pieces(text: str) -> Iterator[str]:
    """``text`` in runs of at most :data:`PIECE_BYTES`, at least one."""
    data = text.encode()
    start = 0
    while True:
        end = start + PIECE_BYTES
        # Not between the bytes of one character.
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield data[start:end].decode()
        start = end
        if start >= len(data):
            return


def pieces_of(text: str) -> list[str]:
    """The same as a list, none of an empty text."""
    return list(_pieces(text)) if text else []


def _sized(rows: list[dict[str, Any]]) -> Rows:
    return rows, [_size(row) for row in rows]


def _size(row: Mapping[str, Any]) -> int:
    """Bytes of a row on its way, roughly: four a number of a vector, three a character."""
    total = 0
    for value in row.values():
        total += 4 * len(value) if isinstance(value, list) else 8
        total += 3 * len(value) if isinstance(value, str) else 0
    return total


def stored_of(row: Mapping[str, Any], rest: str, prefix: str) -> StoredChunk:
    """A chunk as a reader gives it; ``rest`` is what its row could not hold."""
    chunk = Chunk(row["start"], row["end"], row["text"] + rest, row["symbol"], row["kind"])
    return StoredChunk(
        row["id"], prefix + row["path"], chunk, row["language"], row["label"], row["digest"],
        row["size"],
    )  # fmt: skip


def record_text(record: FileRecord) -> str:
    """What the index knows of a file beside its path."""
    stamp = record.stamp
    return json.dumps(
        [stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, record.digest, record.language,
         record.label, record.checked_ns, record.embedded, record.truncated]
    )  # fmt: skip


def record_of(path: str, text: str) -> FileRecord:
    """The record that :func:`record_text` wrote."""
    size, mtime, ctime, inode, *rest = json.loads(text)
    digest, language, label, checked, embedded, truncated = rest
    return FileRecord(
        path, Stamp(size, mtime, ctime, inode), digest, language, label, checked,
        embedded=embedded, truncated=truncated,
    )  # fmt: skip


def skipped_text(skipped: Sequence[Skipped]) -> str:
    """What was left out, as one text."""
    return json.dumps(
        [
            [printable(s.path), s.reason, printable(s.detail),
             [s.stamp.size, s.stamp.mtime_ns, s.stamp.ctime_ns, s.stamp.inode] if s.stamp else None]
            for s in skipped
        ]
    )  # fmt: skip


def skips_of(text: str) -> list[Skipped]:
    """What :func:`skipped_text` wrote."""
    return [
        Skipped(path, reason, detail, Stamp(*stamp) if stamp else None)
        for path, reason, detail, stamp in (json.loads(text) if text else ())
    ]
