"""
Results and figures as plain data: the one schema that every machine-readable door prints.

Keys are only ever added under one :data:`SCHEMA`; a key that goes, or changes its
meaning, needs another number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fiuto.model import Also, EmbedderIdentity, Hit, RefreshReport, Results, Skipped, Status

__all__ = [
    "SCHEMA",
    "data_size",
    "hit_data",
    "refresh_data",
    "results_data",
    "short_hit_data",
    "skipped_data",
    "status_data",
]

SCHEMA = 1


def hit_data(hit: Hit) -> dict[str, Any]:
    """
    One hit; ``parts`` add up to ``score``, ``ranks`` count from 1.

    ``repository`` and ``revision`` where several repositories were asked at once.
    """
    whose = {"repository": hit.repository, "revision": hit.revision} if hit.repository else {}
    return whose | {
        "path": hit.path,
        "start": hit.start,
        "end": hit.end,
        "symbol": hit.symbol,
        "language": hit.language,
        "label": hit.label,
        "score": hit.score,
        "parts": dict(hit.parts),
        "ranks": dict(hit.ranks),
        "text": hit.text,
        "verified": hit.verified,
        "copies": list(hit.copies),
    }


def _place_data(hit: Hit) -> dict[str, Any]:
    whole = hit_data(hit)
    return {key: whole[key] for key in ("path", "start", "end", "symbol", "verified")}


def short_hit_data(hit: Hit, room: int | None) -> dict[str, Any]:
    """One hit in at most ``room`` characters of JSON, its text cut and ``shortened`` set."""
    whole = hit_data(hit)
    if room is None or data_size(whole) <= room:
        return whole
    short = whole | {"text": "", "shortened": True}
    left = room - data_size(short)
    # An escaped character takes more room than one, so the cut is searched for.
    low, high = 0, len(hit.text)
    while low < high:
        middle = (low + high + 1) // 2
        if data_size(hit.text[:middle]) - 2 <= left:
            low = middle
        else:
            high = middle - 1
    cut = hit.text[:low]
    # Whole lines where there is at least one.
    return short | {"text": cut.rpartition("\n")[0] or cut}


def data_size(data: object) -> int:
    """Characters of ``data`` as JSON."""
    return len(json.dumps(data, ensure_ascii=False))


def results_data(
    results: Results, hits: Iterable[dict[str, Any]] | None = None, warnings: Iterable[str] = ()
) -> dict[str, Any]:
    """
    One answer; with ``source``, the chunk that was asked about, where it was one.

    Args:
        results: the answer.
        hits: its hits as :func:`hit_data` gives them, where some were left out.
        warnings: more than the answer itself carries.
    """
    source = results.source
    about = {} if source is None else {"source": _place_data(source)}
    return about | {
        "schema": SCHEMA,
        "query": results.query.text,
        "mode": results.query.mode,
        "profile": results.profile,
        "hits": list(map(hit_data, results.hits) if hits is None else hits),
        "also": None if results.also is None else _also_data(results.also),
        "confidence": results.confidence,
        "index": _index_data(results.status),
        "warnings": [*results.warnings, *warnings],
    }


def _also_data(also: Also) -> dict[str, Any]:
    return {
        "identifiers": list(also.identifiers),
        "files": list(also.files),
        "total": also.total,
        "more": also.more,
    }


def status_data(status: Status) -> dict[str, Any]:
    """An index in figures."""
    return _index_data(status) | {"truncated": status.counts.truncated}


def refresh_data(report: RefreshReport) -> dict[str, Any]:
    """What one refresh did, and the index after it."""
    return status_data(report.status) | {
        "embedded": report.embedded,
        "reused": report.reused,
        "removed": report.removed,
        "fallbacks": report.fallbacks,
        "seconds": round(report.seconds, 3),
        "warnings": list(report.warnings),
    }


def skipped_data(skipped: Skipped) -> dict[str, str]:
    """A file that was left out, and why."""
    return {"path": skipped.path, "reason": skipped.reason, "detail": skipped.detail}


def _index_data(status: Status) -> dict[str, Any]:
    manifest, counts = status.manifest, status.counts
    return {
        "root": manifest.root,
        "files": counts.files,
        "chunks": counts.chunks,
        "bytes": counts.bytes,
        "skipped": dict(sorted(counts.skipped.items())),
        "embedder": _embedder_data(manifest.embedder),
        "chunker": manifest.chunker,
        "generation": manifest.generation,
    }


def _embedder_data(identity: EmbedderIdentity | None) -> dict[str, Any] | None:
    if identity is None:
        return None
    return {
        "name": identity.name,
        "revision": identity.revision,
        "dimension": identity.dimension,
    }
