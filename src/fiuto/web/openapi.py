"""The OpenAPI description, drawn from the table that routes and checks."""

from __future__ import annotations

from typing import Any

from fiuto.web.api import ENDPOINTS
from fiuto.web.call import Endpoint, Field
from fiuto.web.schemas import SCHEMAS

__all__ = ["description"]

_TYPES = {str: "string", int: "integer", bool: "boolean"}

_STREAMS = {
    "/api/events": ("Jobs as they move, as server-sent events.", "text/event-stream"),
    "/api/evaluations/{id}/report.html": ("The report of an evaluation.", "text/html"),
    "/api/openapi.json": ("This description.", "application/json"),
}


def description(version: str) -> dict[str, Any]:
    """The whole API, OpenAPI 3.1."""
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    for path, (summary, kind) in _STREAMS.items():
        named = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        paths[path] = {
            "get": {
                "summary": summary,
                "parameters": [_parameter(Field(name, "The job.", needed=True), "path")
                               for name in named],
                "responses": {"200": {"description": summary, "content": {kind: {}}}},
            }
        }  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "fiuto",
            "version": version,
            "description": "Ask a folder of code a plain question, get path:start-end.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": dict(SCHEMAS),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    in_path = [f for f in endpoint.fields if f.name in endpoint.path_fields]
    others = [f for f in endpoint.fields if f.name not in endpoint.path_fields]
    posted = endpoint.method == "POST"
    out: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": f"{endpoint.method.lower()}_{endpoint.run.__name__}",
        "parameters": [
            *(_parameter(field, "path") for field in in_path),
            *(_parameter(field, "query") for field in others if not posted),
        ],
        "responses": {
            str(endpoint.status): _answer(endpoint.summary, endpoint.answer),
            "default": _answer("What went wrong, in one line.", "Error"),
        },
    }
    if posted:
        schema = {
            "type": "object",
            "additionalProperties": False,
            "required": [field.name for field in others if field.needed],
            "properties": {
                field.name: _schema(field) | {"description": field.about} for field in others
            },
        }
        out["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return out


def _answer(about: str, schema: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": about, "content": content}


def _parameter(field: Field, where: str) -> dict[str, Any]:
    return {
        "name": field.name,
        "in": where,
        "required": field.needed,
        "description": field.about,
        "schema": _schema(field),
    }


def _schema(field: Field) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _TYPES[field.kind]}
    if field.kind is str:
        schema["maxLength"] = field.longest
    if field.kind is int:
        schema |= {"minimum": field.least, "maximum": field.most}
    if field.choices:
        schema["enum"] = list(field.choices)
    if field.many:
        return {"type": "array", "items": schema}
    if field.default is not None:
        schema["default"] = field.default
    return schema
