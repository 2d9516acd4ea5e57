"""
Vectors on disk: immutable segments, one a batch, scanned by SIMD.

A segment holds the rows of one batch twice: in int8, which is scanned whole, and
in float16, from which the best few are scored again.  Scanning int8 and scoring
the top again finds what exact vectors find (recall@10 of 1.000 at 20,000 chunks)
at a quarter of the memory traffic.  Rows of deleted chunks stay until the
segments are merged; the caller drops ids that no longer exist.

Layout, little-endian: ``FIUTOVEC``, dimension u32, rows u32; then int8 rows,
float16 rows, chunk ids u32, file ids u32.  The checksum of the whole stands in
the database, in the same transaction that makes the segment part of the index,
so a file that no transaction names is garbage.
"""

from __future__ import annotations

import heapq
import mmap
import os
import struct
import sys
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from fiuto.errors import IndexCorrupt, PluginFailed
from fiuto.model import Scored
from fiuto.store.where import Selection
from fiuto.values import dataclass

__all__ = ["Row", "Segment", "merge_segments", "open_segment", "scan", "write_segment"]

Block: TypeAlias = bytes | memoryview

_HEADER = struct.Struct("<8sII")
_MAGIC = b"FIUTOVEC"
_WORTH_NUMPY = 200_000
"""Rows from which on loading numpy, 0.1 s, takes less time than doing without."""
_RESCORED = 100
"""Best int8 rows scored again in float16; 50 sufficed for recall 1.000, twice that is cheap."""


@dataclass(frozen=True, slots=True)
class Row:
    """One vector on its way into a segment."""

    chunk: int
    file: int
    vector: bytes
    """Float32, unit length."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment file, mapped; views into it keep the map alive."""

    name: str
    dimension: int
    rows: int
    int8: memoryview
    half: memoryview
    chunks: memoryview
    files: memoryview

    def row(self, i: int) -> tuple[float, ...]:
        """Row ``i`` in float16 precision."""
        return struct.unpack(f"<{self.dimension}e", self.half_row(i))

    def half_row(self, i: int) -> memoryview:
        """The bytes of row ``i`` in float16."""
        width = 2 * self.dimension
        return self.half[i * width : (i + 1) * width]


def write_segment(path: Path, rows: Sequence[Row], dimension: int) -> int:
    """
    Write and sync a new segment; returns its CRC-32.

    Raises:
        PluginFailed: a vector has another dimension.
    """
    import numpy as np  # noqa: PLC0415 - 180 ms that a warm search must not pay

    data = b"".join(row.vector for row in rows)
    if len(data) != 4 * dimension * len(rows):
        raise PluginFailed(f"an embedder gave vectors that are not {dimension} float32 wide")
    matrix = np.frombuffer(data, "<f4").reshape(len(rows), dimension)
    # Cosine ignores length, so each row may use the whole range of int8.
    peak = np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-12)
    small = np.rint(matrix * (127.0 / peak)).astype("i1").tobytes()
    half = matrix.astype("<f2").tobytes()
    chunks = array("I", [row.chunk for row in rows])
    files = array("I", [row.file for row in rows])
    blocks = (small, half, chunks.tobytes(), files.tobytes())
    return _write(path, dimension, len(rows), blocks)


def merge_segments(
    path: Path, segments: Sequence[Segment], alive: Collection[int]
) -> tuple[int, int]:
    """
    Write the rows of living chunks of ``segments`` into one; returns (rows, CRC-32).

    One block of one segment is in memory at a time.
    """
    import numpy as np  # noqa: PLC0415 - as above

    living = np.fromiter(alive, np.uint32, len(alive))
    kept = [np.flatnonzero(np.isin(np.frombuffer(s.chunks, "<u4"), living)) for s in segments]
    total = sum(map(len, kept))

    def blocks() -> Iterator[Block]:
        widths = {"int8": segments[0].dimension, "half": 2 * segments[0].dimension}
        for name in ("int8", "half", "chunks", "files"):
            for segment, rows in zip(segments, kept, strict=True):
                flat = getattr(segment, name).cast("B")
                if len(rows) == segment.rows:
                    yield flat
                    continue
                matrix = np.frombuffer(flat, "u1").reshape(segment.rows, widths.get(name, 4))
                yield matrix[rows].tobytes()

    return total, _write(path, segments[0].dimension, total, blocks())


def _write(path: Path, dimension: int, rows: int, blocks: Iterable[Block]) -> int:
    crc = 0
    with path.open("wb") as file:
        for block in chain((_HEADER.pack(_MAGIC, dimension, rows),), blocks):
            file.write(block)
            crc = zlib.crc32(block, crc)
        file.flush()
        os.fsync(file.fileno())
    return crc


def open_segment(path: Path, rows: int, crc: int | None) -> Segment:
    """
    Map a segment; with ``crc`` its content is checked too.

    Raises:
        IndexCorrupt: missing, cut off, or not what was written.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise IndexCorrupt(f"the vector file {path} cannot be read ({error})") from error
    view = memoryview(data)
    magic, dimension, found = (
        _HEADER.unpack_from(view) if len(view) >= _HEADER.size else (b"", 0, 0)
    )
    sizes = (rows * dimension, 2 * rows * dimension, 4 * rows, 4 * rows)
    whole = magic == _MAGIC and found == rows and len(view) == _HEADER.size + sum(sizes)
    if not whole or (crc is not None and zlib.crc32(view) != crc):
        raise IndexCorrupt(f"the vector file {path} is damaged")
    parts: list[memoryview] = []
    start = _HEADER.size
    for size in sizes:
        parts.append(view[start : start + size])
        start += size
    return Segment(
        path.name, dimension, rows, parts[0].cast("b", (rows, dimension)), parts[1],
        parts[2].cast("I"), parts[3].cast("I"),
    )  # fmt: skip


def scan(
    segments: Iterable[Segment], vector: bytes, selection: Selection, limit: int
) -> list[Scored]:
    """
    The nearest ``limit`` rows by cosine, best first, each chunk once.

    Args:
        segments: of one embedder.
        vector: float32, of the segments' dimension.
        selection: only rows of these files.
        limit: rows at most.
    """
    found: list[tuple[float, int, Segment, int]] = []
    query = array("f")
    query.frombytes(vector)
    for segment in segments:
        found += _nearest(segment, query, selection, limit)
    best = heapq.nsmallest(limit, found, key=lambda entry: entry[:2])
    exact = _rescore(best[:_RESCORED], query)
    scored: dict[int, float] = {}
    for score, chunk in _merged(exact, best[_RESCORED:]):
        scored.setdefault(chunk, score)
    return [Scored(chunk, score) for chunk, score in scored.items()]


def _nearest(
    segment: Segment, query: array[float], selection: Selection, limit: int
) -> Iterator[tuple[float, int, Segment, int]]:
    """(distance, chunk, segment, row) of the nearest rows by the int8 vectors."""
    peak = max(*query, -min(query), 1e-12)
    small = array("b", [round(value * 127.0 / peak) for value in query])
    question = memoryview(small.tobytes()).cast("b", (1, segment.dimension))
    flat = _distances(question, segment.int8)
    rows = _lowest(flat, segment.files, selection, limit)
    for i in rows:
        yield flat[i], segment.chunks[i], segment, i


def _lowest(
    flat: memoryview[float], files: memoryview, selection: Selection, limit: int
) -> Sequence[int]:
    """The rows of the selected files with the ``limit`` lowest values, the lowest first."""
    if "numpy" not in sys.modules and len(flat) < _WORTH_NUMPY:
        rows: Iterable[int] = range(len(flat))
        if not selection.everything:
            rows = (i for i, file in enumerate(files) if file in selection)
        return heapq.nsmallest(limit, rows, key=flat.__getitem__)
    import numpy as np  # noqa: PLC0415 - loaded already, or worth it

    values = np.frombuffer(flat.cast("B"), "<f8")
    chosen = None
    if selection.files is not None:
        wanted = np.fromiter(selection.files, np.uint32, len(selection.files))
        chosen = np.flatnonzero(np.isin(np.frombuffer(files, "<u4"), wanted))
        values = values[chosen]
    if limit < len(values):
        # Everything up to the last that is taken, so that of equal values the first rows win.
        near = np.flatnonzero(values <= np.partition(values, limit - 1)[limit - 1])
        values, chosen = values[near], near if chosen is None else chosen[near]
    order = np.argsort(values, kind="stable")[:limit]
    found: list[int] = (order if chosen is None else chosen[order]).tolist()
    return found


def _distances(question: Any, matrix: Any) -> memoryview[float]:
    """
    Cosine distance of one row to each row of a matrix.

    The only place that knows simsimd, so that its successor can take over.
    """
    import simsimd  # noqa: PLC0415 - a lexical search does not need it

    tensor: Any = simsimd.cdist(question, matrix, "cosine")
    return memoryview(tensor).cast("B").cast("d")


def _rescore(
    best: Sequence[tuple[float, int, Segment, int]], query: array[float]
) -> list[tuple[float, int]]:
    """(cosine, chunk) from the float16 rows, best first."""
    if not best:
        return []
    dimension = len(query)
    if "numpy" in sys.modules:
        import numpy as np  # noqa: PLC0415 - loaded already

        halves = b"".join(segment.half_row(i) for _, _, segment, i in best)
        single: bytes = np.frombuffer(halves, "<f2").astype("<f4").tobytes()
    else:
        single = b"".join(array("f", segment.row(i)).tobytes() for _, _, segment, i in best)
    matrix = memoryview(single).cast("B").cast("f", (len(best), dimension))
    question = memoryview(query.tobytes()).cast("B").cast("f", (1, dimension))
    distances = _distances(question, matrix)
    exact = [(1.0 - d, entry[1]) for d, entry in zip(distances, best, strict=True)]
    return sorted(exact, key=lambda pair: (-pair[0], pair[1]))


def _merged(
    exact: Sequence[tuple[float, int]], rest: Sequence[tuple[float, int, Segment, int]]
) -> Iterator[tuple[float, int]]:
    """The re-scored rows, then the others, their scores kept below the last re-scored one."""
    yield from exact
    floor = exact[-1][0] if exact else 1.0
    for distance, chunk, _, _ in rest:
        yield min(1.0 - distance, floor), chunk
