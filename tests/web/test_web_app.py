"""Tests of fiuto.web.app: what is mounted, and what nobody foresaw."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from fiuto.web.app import STATIC, Mounted, create_app
from fiuto.web.guard import Access
from fiuto.web.service import Service


def test_a_mounted_application_answers_behind_the_guard(service: Service) -> None:
    """At its path and below, unchanged and without a redirect; it lives as long as the server."""
    told: list[str] = []

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        told.append("started")
        yield
        told.append("stopped")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(f"{scope['method']} {scope['path']}")(scope, receive, send)

    mounts = {"/mcp": Mounted(app, lifespan)}
    with TestClient(
        create_app(service, Access(), mounts), base_url="http://localhost", follow_redirects=False
    ) as client:
        assert told == ["started"]
        assert client.post("/mcp").text == "POST /mcp"
        assert client.get("/mcp/deep/er").text == "GET /mcp/deep/er"
        assert client.get("/mcpx").status_code == 404
        assert client.post("/mcp", headers={"Host": "evil.example"}).status_code == 403
        assert client.post("/mcp", headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.get("/mcp", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert "content-security-policy" in client.get("/mcp").headers
    assert told == ["started", "stopped"]


def test_what_nobody_foresaw_is_told_without_details(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON with the kind alone; paths and texts of the server stay in its terminal."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(service.library, "places", broken)
    with TestClient(
        create_app(service, Access()), base_url="http://localhost", raise_server_exceptions=False
    ) as client:
        answer = client.get("/api/indexes")

    assert (answer.status_code, answer.json()["error"]["kind"]) == (500, "fault")
    assert "secret" not in answer.text


class _Addresses(HTMLParser):
    """Collects what a page loads, and everything inline."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href") and tag != "a":
                self.loads.append(str(value))
            if name.startswith("on") or name == "style":
                self.inline.append(f"{tag} {name}")


def test_the_page_is_whole_and_loads_only_its_own_files(client: TestClient) -> None:
    """Each file that the page or a module names is there; nothing is inline."""
    parser = _Addresses()
    parser.feed(client.get("/").text)
    assert parser.inline == []
    for address in parser.loads:
        assert address.startswith("/static/"), address
        assert client.get(address).status_code == 200, address
    for module in STATIC.glob("*.js"):
        text = module.read_text()
        assert "innerHTML" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        for line in text.splitlines():
            if line.startswith("import "):
                name = line.rpartition('"./')[2].partition('"')[0]
                assert (STATIC / name).is_file(), (module.name, line)


@pytest.mark.parametrize("path", sorted(STATIC.iterdir()), ids=lambda path: path.name)
def test_the_pages_files_are_short(path: object) -> None:
    """As the package's own are."""
    assert len(path.read_text().splitlines()) <= 300  # type: ignore[attr-defined]
