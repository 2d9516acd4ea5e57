"""Tests of fiuto.web.openapi and schemas: the description is true."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jsonschema
from starlette.routing import Route
from starlette.testclient import TestClient

from fiuto.web.app import _routes
from fiuto.web.service import Service


def test_every_route_is_described_and_every_description_routed(
    client: TestClient, service: Service
) -> None:
    """Both ways; the catch-all is no endpoint."""
    described = {
        (path, method.upper())
        for path, methods in client.get("/api/openapi.json").json()["paths"].items()
        for method in methods
    }
    routed = {
        (route.path, method)
        for route in _routes(service)
        if isinstance(route, Route) and ":path" not in route.path
        for method in (route.methods or ()) - {"HEAD"}
    }
    assert described == routed


def test_path_parameters_are_named(client: TestClient) -> None:
    """Each name in braces is described as such."""
    for path, methods in client.get("/api/openapi.json").json()["paths"].items():
        for operation in methods.values():
            named = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path)), path


def test_answers_have_the_shape_that_is_described(
    client: TestClient, index: str, ended: Callable[[str], dict[str, Any]]
) -> None:
    """Real answers against their schemas, each endpoint once."""
    description = client.get("/api/openapi.json").json()
    job = client.post(f"/api/indexes/{index}/refresh", json={})
    ended(job.json()["job"]["id"])
    measured = client.post(
        f"/api/indexes/{index}/evaluations", json={"path": "eval/questions.json"}
    )
    assert ended(measured.json()["id"])["state"] == "done"
    one = f"/api/indexes/{index}"
    answers = {
        ("/api/search", "get"): client.get(f"/api/search?index={index}&q=user&lines=true"),
        ("/api/indexes", "get"): client.get("/api/indexes"),
        ("/api/indexes", "post"): client.post("/api/indexes", json={"root": "nowhere"}),
        ("/api/indexes/{id}", "get"): client.get(one),
        ("/api/indexes/{id}/refresh", "post"): job,
        ("/api/indexes/{id}/changes", "get"): client.get(f"{one}/changes"),
        ("/api/indexes/{id}/skipped", "get"): client.get(f"{one}/skipped"),
        ("/api/indexes/{id}/file", "get"): client.get(f"{one}/file?path=README.md"),
        ("/api/indexes/{id}/questions", "get"): client.get(f"{one}/questions"),
        ("/api/indexes/{id}/evaluations", "post"): measured,
        ("/api/evaluations/{id}", "get"): client.get(f"/api/evaluations/{measured.json()['id']}"),
        ("/api/jobs", "get"): client.get("/api/jobs"),
        ("/api/jobs/{id}", "get"): client.get(f"/api/jobs/{job.json()['job']['id']}"),
        ("/api/jobs/{id}", "delete"): client.delete(f"/api/jobs/{job.json()['job']['id']}"),
        ("/api/models", "get"): client.get("/api/models"),
        ("/api/folders", "get"): client.get("/api/folders?under=/"),
        ("/api/indexes/{id}", "delete"): client.delete(one),
    }
    streams = {"/api/events", "/api/openapi.json", "/api/evaluations/{id}/report.html"}
    assert {path for path, _ in answers} | streams == set(description["paths"])
    for (path, method), answer in answers.items():
        responses = description["paths"][path][method]["responses"]
        response = responses.get(str(answer.status_code), responses["default"])
        schema = response["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), schema | {"components": description["components"]})
        if (path, method) != ("/api/indexes", "post"):
            assert answer.status_code < 300, (path, answer.text)
