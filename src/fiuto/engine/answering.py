"""Results from an index that is ready: to a question, and to a place in the code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fiuto.engine.deepening import Reading, remembering
from fiuto.engine.upkeep import Ready, said_once
from fiuto.model import Query, Results, Status
from fiuto.protocols import VectorCache
from fiuto.scan import FileScanner
from fiuto.search.profile import Profile
from fiuto.search.searcher import search

__all__ = ["answer", "relate"]


def answer(
    query: Query,
    ready: Ready,
    profile: Profile,
    scanner: FileScanner | None,
    cache: VectorCache,
    reading: Reading,
) -> Results:
    """What the index answers; ``scanner`` is None where hits' files are not looked at again."""
    means = remembering(ready.means, cache, reading)
    read = scanner.content if scanner else None
    found = search(query, ready.reader, means, profile, read, reading.deep)
    return Results(
        query=query,
        profile=profile.name,
        hits=found.hits,
        status=Status(ready.reader.manifest, ready.reader.counts()),
        warnings=said_once(ready.warnings, (*found.warnings, *reading.warnings)),
        confidence=found.confidence,
        also=found.also,
    )


def relate(
    query: Query,
    place: tuple[str | Path, int],
    ready: Ready,
    profile: Profile,
    scanner: FileScanner,
    cache: VectorCache,
) -> Results:
    """
    The chunks most like the one at ``place``, a path and a line counted from 1.

    Raises:
        UsageError: the file is not in the index or has no such line.
    """
    from fiuto.engine.anchors import locate, vector_of  # noqa: PLC0415 - no search needs them
    from fiuto.search.related import related  # noqa: PLC0415

    reader = ready.reader
    anchor = locate(scanner, reader, *place)
    vector: bytes | None = None
    warnings: Sequence[str] = ready.warnings
    if query.mode != "lexical":
        vector, missing = vector_of(anchor, ready.means, cache)
        warnings = said_once(warnings, missing)
    source, hits = related(anchor, vector, query, reader, profile, scanner.content)
    return Results(
        query=query,
        profile=profile.name,
        hits=hits,
        status=Status(reader.manifest, reader.counts()),
        warnings=tuple(warnings),
        source=source,
    )
