"""The shapes of the API's answers, as JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["SCHEMAS"]

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_NUMBER = {"type": "number"}
_FLAG = {"type": "boolean"}
_COUNTS = {"type": "object", "additionalProperties": _COUNT}
_NUMBERS = {"type": "object", "additionalProperties": _NUMBER}
_TEXTS = {"type": "array", "items": _TEXT}
_LINES = {
    "description": "Lines of pieces: class, text, and 1 where a term of the question stands.",
    "type": "array",
    "items": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 3}},
}


def _object(needed: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(needed),
        "properties": {**needed, **(more or {})},
    }


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}


_EMBEDDER = _or_null(_object({"name": _TEXT, "revision": _TEXT, "dimension": _COUNT}))
_FIGURES = {
    "root": _TEXT, "files": _COUNT, "chunks": _COUNT, "bytes": _COUNT, "skipped": _COUNTS,
    "embedder": _EMBEDDER, "chunker": _TEXT, "generation": _COUNT,
}  # fmt: skip
_REF_JOB = {"$ref": "#/components/schemas/Job"}

SCHEMAS: Mapping[str, Any] = {
    "Hit": _object(
        {
            "path": _TEXT, "start": _COUNT, "end": _COUNT, "symbol": _TEXT, "language": _TEXT,
            "label": _TEXT, "score": _NUMBER, "parts": _NUMBERS, "ranks": _COUNTS, "text": _TEXT,
            "verified": _FLAG, "copies": _TEXTS,
        },
        {
            "kind": _TEXT, "best": _COUNT, "lines": _LINES,
            "excerpt": _object({"first": _COUNT, "count": _COUNT}),
        },
    ),
    "Results": _object(
        {
            "schema": _COUNT, "query": _TEXT, "mode": _TEXT, "profile": _TEXT,
            "hits": _list("Hit"), "index": _object(_FIGURES), "warnings": _TEXTS,
            "also": _or_null({"type": "object"}), "confidence": _or_null(_TEXT),
        }
    ),
    "Index": _object(
        {
            "id": _TEXT, "root": _TEXT, "name": _TEXT, "profile": _TEXT, "on_disk": _COUNT,
            "job": _or_null(_REF_JOB),
            "state": {"enum": ["ready", "incomplete", "missing", "damaged", "gone"]},
        },
        {
            **_FIGURES, "truncated": _COUNT, "unembedded": _COUNT, "fault": _TEXT,
            "languages": _COUNTS, "labels": _COUNTS, "read_at": _COUNT,
            "reasons": {"type": "object", "additionalProperties": _TEXT},
        },
    ),
    "Indexes": _object(
        {"schema": _COUNT, "editor": _TEXT, "indexes": _list("Index"), "jobs": _list("Job")}
    ),
    "Job": _object(
        {
            "id": _TEXT, "kind": {"enum": ["index", "eval"]}, "index": _TEXT, "title": _TEXT,
            "state": {"enum": ["waiting", "running", "done", "failed", "stopped"]},
            "stage": _TEXT, "done": _COUNT, "total": _COUNT, "seconds": _NUMBER,
        }
    ),
    "Jobs": _object({"jobs": _list("Job")}),
    "Started": _object({"id": _TEXT, "job": _REF_JOB}),
    "Forgotten": _object({"id": _TEXT, "root": _TEXT}),
    "Changes": _object({"added": _COUNT, "changed": _COUNT, "removed": _COUNT}),
    "Skipped": _object(
        {
            "root": _TEXT, "total": _COUNT,
            "files": {
                "type": "array",
                "items": _object({"path": _TEXT, "reason": _TEXT, "detail": _TEXT}),
            },
        }
    ),
    "File": _object(
        {
            "schema": _COUNT, "root": _TEXT, "path": _TEXT, "language": _TEXT, "label": _TEXT,
            "encoding": _TEXT, "bytes": _COUNT, "lines": _LINES,
        }
    ),
    "Paths": {
        "type": "object",
        "properties": {"files": _TEXTS, "folders": _TEXTS},
        "minProperties": 1,
    },
    "Models": _object(
        {"models": {"type": "array", "items": _object({"name": _TEXT, "notes": _TEXT})}}
    ),
    "Evaluation": _object(
        {
            "facts": _TEXTS, "caution": _TEXT, "run": {"type": "object"},
            "tables": {
                "type": "array",
                "items": _object(
                    {"title": _TEXT, "header": _TEXTS, "words": _COUNT, "ranks": _COUNT,
                     "rows": {"type": "array", "items": _TEXTS}}
                ),
            },
        }
    ),
    "Error": _object(
        {"error": _object({"kind": _TEXT, "message": _TEXT}, {"faults": _TEXTS})}
    ),
}  # fmt: skip
"""By the name that an endpoint gives for its answer."""
