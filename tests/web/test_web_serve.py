"""Tests of ``fiuto serve`` as a process: what it prints, who gets in, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import pytest

PATIENT = 60.0
"""Seconds: many tests may run at once."""
EVIL = {"Origin": "http://evil.example"}


@contextmanager
def serving(
    home: Path, *arguments: str, token: str = ""
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that a server prints, and its process."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FIUTO_")}  # noqa: TID251
    given = {"FIUTO_HOME": str(home)} | ({"FIUTO_TOKEN": token} if token else {})
    process = subprocess.Popen(
        [sys.executable, "-m", "fiuto", "serve", "--port", "0", *arguments],
        env=kept | given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate()


def base(address: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def ask_tools(address: str, headers: dict[str, str] | None = None) -> tuple[list[str], Any]:
    """What the SDK's client sees at ``/mcp``: names of tools, and one answer."""
    mcp = pytest.importorskip("mcp")
    transport = pytest.importorskip("mcp.client.streamable_http").streamable_http_client

    async def run() -> tuple[list[str], Any]:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENT) as http,
            mcp.Client(transport(f"{address}/mcp", http_client=http)) as client,
        ):
            tools = (await client.list_tools()).tools
            question = {"question": "users who fail too often", "k": 3}
            found = await client.call_tool("folder_search", question)
            return [tool.name for tool in tools], found

    return anyio.run(run)


def test_a_folder_is_served_to_people_programs_and_agents(tree: Path, tmp_path: Path) -> None:
    """One process: the page at the printed address, the API, and the tools at ``/mcp``."""
    with serving(tmp_path / "home", str(tree)) as (address, _):
        assert urlsplit(address).path == "/search"
        (index,) = parse_qs(urlsplit(address).query)["index"]
        assert httpx2.get(address, timeout=PATIENT).text.startswith("<!doctype html>")
        told = httpx2.get(f"{base(address)}/api/indexes", timeout=PATIENT).json()
        assert [one["id"] for one in told["indexes"]] == [index]
        while told["jobs"][0]["state"] in ("waiting", "running"):
            time.sleep(0.1)
            told = httpx2.get(f"{base(address)}/api/jobs", timeout=PATIENT).json()
        assert told["jobs"][0]["state"] == "done"

        tools, found = ask_tools(base(address))

    assert tools[0] == "folder_search"
    assert not found.is_error
    paths = [hit["path"] for hit in found.structured_content["hits"]]
    assert "src/limits.py" in paths
    assert found.content[0].text.count("src/limits.py") >= 1


def test_agents_pass_the_same_gate(tree: Path, tmp_path: Path) -> None:
    """Another host's name, another site's page, and whoever has no token: refused at ``/mcp``."""
    pytest.importorskip("mcp")
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    with serving(tmp_path / "home", str(tree), token="open-sesame") as (address, _):
        there = f"{base(address)}/mcp"
        shown = {"Authorization": "Bearer open-sesame"}
        for headers, status in (
            ({"Host": "evil.example"}, 403),
            (shown | {"Host": "evil.example"}, 403),
            (shown | EVIL, 403),
            (shown | {"Sec-Fetch-Site": "cross-site"}, 403),
            ({}, 401),
            ({"Authorization": "Bearer guess"}, 401),
        ):
            answer = httpx2.post(there, json=call, headers=headers, timeout=PATIENT)
            assert answer.status_code == status, headers
        _, found = ask_tools(base(address), shown)

    assert not found.is_error


def test_ctrl_c_ends_it_at_once_and_well(tree: Path, tmp_path: Path) -> None:
    """Even while somebody listens to events; nothing is printed that looks like a fault."""
    with (
        serving(tmp_path / "home", str(tree)) as (address, process),
        httpx2.stream("GET", f"{base(address)}/api/events", timeout=PATIENT) as stream,
    ):
        assert next(stream.iter_lines()) == "retry: 1000"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENT)

    assert process.returncode == 130
    assert "Traceback" not in said
    assert "ERROR" not in said


def test_another_address_needs_the_token_that_is_printed(tmp_path: Path) -> None:
    """Made anew for each start, and never without one."""
    with serving(tmp_path / "home", "--host", "0.0.0.0") as (address, _):
        port = urlsplit(address).port
        (token,) = parse_qs(urlsplit(address).query)["token"]
        here = f"http://127.0.0.1:{port}/api/indexes"
        shown = {"Authorization": f"Bearer {token}"}

        assert len(token) >= 32
        assert httpx2.get(here, timeout=PATIENT).status_code == 401
        assert httpx2.get(here, headers=shown, timeout=PATIENT).json()["indexes"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "{taken}"], "cannot listen on 127.0.0.1, port {taken}"),
        (["--editor", "javascript:alert('{path}')"], "opens no editor"),
        (["--editor", "vscode://file"], "opens no editor"),
        (["/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_mistakes_end_it_with_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    """Exit code 2, and no address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        given = [argument.replace("{taken}", port) for argument in arguments]
        with serving(tmp_path / "home", *given) as (address, process):
            _, told = process.communicate(timeout=PATIENT)

    assert (address, process.returncode) == ("", 2)
    assert said.replace("{taken}", port) in told
    assert len(told.splitlines()) == 1
