"""The SDK's own client, over both transports, when things are not as quiet as they should be."""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import pytest

mcp = pytest.importorskip("mcp")
from mcp.client.stdio import stdio_client  # noqa: E402

from fiuto.embed.scripted import ScriptedEmbedder  # noqa: E402

QUESTION = {"question": "block_user", "k": 1}


@pytest.fixture(params=["stdio", "http"])
def target(request):
    """Makes what a client connects to, given the roots; one server for all over HTTP."""
    started = []

    def make(*roots):
        command = [sys.executable, "-m", "fiuto", "mcp", *map(str, roots)]
        if request.param == "stdio":
            spec = mcp.StdioServerParameters(
                command=command[0], args=command[1:], env=dict(os.environ),  # noqa: TID251
            )  # fmt: skip
            return lambda: stdio_client(spec)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        started.append(subprocess.Popen([*command, "--http", str(port)], stderr=subprocess.DEVNULL))
        _wait(port)
        return lambda: f"http://127.0.0.1:{port}/mcp"

    yield make
    for process in started:
        process.terminate()
        process.wait(20)


@pytest.fixture
def slow(tree):
    """A model behind HTTP that reads no document before ``set``; the tree wants it."""
    may = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            if any("\n" in text for text in texts):
                may.wait(60)
            vectors = ScriptedEmbedder(dimension=8).embed(texts, "document")
            rows = [struct.unpack("<8f", vectors.row(i)) for i in range(len(texts))]
            data = [{"index": i, "embedding": row} for i, row in enumerate(rows)]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        (tree / "fiuto.toml").write_text(
            'embedder = "remote"\n[remote]\n'
            f'url = "http://127.0.0.1:{http.server_address[1]}"\nmodel = "m"\ndimension = 8\n'
        )
        yield may
        may.set()
        http.shutdown()
        thread.join()


def test_an_index_that_is_being_built(target, tree, slow):
    """After five seconds words answer, with progress meanwhile; then everything does."""
    connect = target(tree)
    told = []

    async def progress(done, total, message):
        told.append((done, total, message))

    async def run():
        async with mcp.Client(connect()) as client:
            with anyio.fail_after(60):
                while True:  # on a slow machine there may be no words yet
                    part = await client.call_tool(
                        "folder_search", QUESTION, progress_callback=progress
                    )
                    if "by meaning" in part.content[0].text:
                        break
                    told.clear()
            slow.set()
            with anyio.fail_after(60):
                while True:
                    whole = await client.call_tool("folder_search", QUESTION)
                    if whole.structured_content["mode"] == "hybrid":
                        return part, whole

    part, whole = anyio.run(run)
    assert part.structured_content["mode"] == "lexical"
    assert part.structured_content["hits"][0]["path"] == "src/limits.py"
    assert "finds words in all files, 0 of 4 chunks by meaning" in part.content[0].text
    assert whole.structured_content["warnings"] == []
    numbers = [done for done, _, _ in told]
    assert numbers
    assert numbers == sorted(set(numbers))
    assert any(message.startswith("embed") for _, _, message in told)


def test_a_cancelled_call_blocks_nobody(target, tree, slow):
    """The client goes on with something else, and later gets its answer."""
    connect = target(tree)

    async def run():
        async with mcp.Client(connect()) as client:
            with anyio.move_on_after(1.5) as scope:
                await client.call_tool("folder_search", QUESTION)
            tools = (await client.list_tools()).tools
            lines = await client.call_tool(
                "read_lines", {"file": "src/net.py", "start": 1, "end": 1}
            )
            slow.set()
            return scope, tools, lines, await client.call_tool("folder_search", QUESTION)

    scope, tools, lines, found = anyio.run(run)
    assert scope.cancelled_caught
    assert len(tools) == 5
    assert lines.content[0].text == "src/net.py:1-1\n1  def open_proxy(host):"
    assert found.structured_content["hits"][0]["path"] == "src/limits.py"


def test_two_clients_at_once(target, tree):
    """On a folder without an index: both get the answer."""
    connect = target(tree)
    found = []

    async def one():
        async with mcp.Client(connect()) as client:
            found.append(await client.call_tool("folder_search", QUESTION))

    async def run():
        async with anyio.create_task_group() as group:
            group.start_soon(one)
            group.start_soon(one)

    anyio.run(run)
    assert [f.structured_content["hits"][0]["path"] for f in found] == ["src/limits.py"] * 2


def test_a_root_that_is_deleted_while_serving(target, tree):
    """Said, and the other root still answers; back again, it is searched again."""
    other = tree.parent / "other"
    other.mkdir()
    (other / "a.py").write_text("def harbour(): pass\n")
    connect = target(tree, other)

    async def run():
        async with mcp.Client(connect()) as client:
            await client.call_tool("folder_search", QUESTION)
            shutil.rmtree(tree)
            gone = await client.call_tool("folder_search", QUESTION)
            lines = await client.call_tool(
                "read_lines", {"file": "src/net.py", "start": 1, "end": 1}
            )
            there = {"question": "harbour", "path": str(other)}
            found = await client.call_tool("folder_search", there)
            tree.mkdir()
            (tree / "b.py").write_text("def block_user(): pass\n")
            return gone, lines, found, await client.call_tool("folder_search", QUESTION)

    gone, lines, found, back = anyio.run(run)
    assert gone.is_error
    assert lines.is_error
    assert "is not there any more" in gone.content[0].text
    assert found.structured_content["hits"][0]["path"] == "a.py"
    assert back.structured_content["hits"][0]["path"] == "b.py"


@pytest.mark.parametrize("uri", ["fiuto://status/7", "fiuto://status/x", "file:///etc/passwd"])
def test_an_unknown_resource_is_an_error_of_the_protocol(target, tree, uri):
    """Not a text that says so."""
    connect = target(tree)

    async def run():
        async with mcp.Client(connect()) as client:
            with pytest.raises(mcp.MCPError, match="there is no"):
                await client.read_resource(uri)

    anyio.run(run)


def _wait(port):
    until = time.monotonic() + 90
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not come up")
