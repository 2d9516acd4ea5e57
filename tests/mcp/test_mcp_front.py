"""The beginning of a conversation is answered as the SDK would answer it, and then by the SDK."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import anyio
import pytest

mcp = pytest.importorskip("mcp")
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp_types.version import (  # noqa: E402
    HANDSHAKE_PROTOCOL_VERSIONS,
    MODERN_PROTOCOL_VERSIONS,
)

from fiuto.engine import open_index  # noqa: E402
from fiuto.mcp.front import Front  # noqa: E402
from fiuto.mcp.opening import _HANDSHAKE, _STATELESS, Opening  # noqa: E402
from fiuto.mcp.roots import Roots  # noqa: E402
from fiuto.mcp.server import serve_lines  # noqa: E402
from fiuto.mcp.wire import Wire  # noqa: E402

META = {
    "io.modelcontextprotocol/protocolVersion": _STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
CALLS = [
    ("ping", {}),
    ("tools/list", {}),
    ("tools/call", {"name": "why_not", "arguments": {"file": "src/net.py"}}),
    ("tools/call", {"name": "read_lines", "arguments": {"file": "src/net.py"}}),
    ("tools/call", {"name": "folder_search", "arguments": {"question": "block_user", "k": 1}}),
    ("tools/call", {"name": "nothing"}),
]  # fmt: skip


def initialize(version):
    """The first message of a handshake."""
    params = {
        "protocolVersion": version,
        "capabilities": {"roots": {"listChanged": True}},
        "clientInfo": {"name": "tester", "version": "1", "title": "T"},
    }
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


def conversation(version, calls):
    """As a client of ``version`` holds it."""
    if version == _STATELESS:
        calls = [("server/discover", {}), *(call for call in calls if call[0] != "ping")]
        first = []
        calls = [(method, params | {"_meta": META}) for method, params in calls]
    else:
        first = [initialize(version), {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    rest = [
        {"jsonrpc": "2.0", "id": nth, "method": method, "params": params}
        for nth, (method, params) in enumerate(calls, 1)
    ]
    return first + rest


class Scripted:
    """Lines that come in one by one, each when the one before is answered."""

    def __init__(self, messages):
        self._messages = list(messages)
        self._answered = threading.Semaphore(1)
        self.answers = []

    def readline(self):
        self._answered.acquire()
        if not self._messages:
            return ""
        message = self._messages.pop(0)
        if "id" not in message:
            self._answered.release()
        return json.dumps(message) + "\n"

    def write(self, text):
        self.answers.append(json.loads(text))
        if "id" in self.answers[-1]:
            self._answered.release()

    def flush(self):
        pass


class ByFront:
    """The same on pipes, answered by the front alone, which must need nobody else."""

    def __init__(self, roots):
        self._in, self._out = os.pipe(), os.pipe()
        self._answers = os.fdopen(self._out[0])
        self.wire = Wire(self._in[0], self._out[1])
        self.wire.start()
        self._roots = roots

    def close(self):
        os.close(self._in[1])
        os.close(self._out[1])
        self._answers.close()

    def ask(self, messages):
        """Every message that came back; each request gets a front of its own after the first."""
        self._front = Front(self.wire, self._roots)
        handed, got = [], []
        thread = threading.Thread(target=lambda: handed.append(self._front.run()))
        thread.start()
        for message in messages:
            os.write(self._in[1], json.dumps(message).encode() + b"\n")
            while "id" in message:
                got.append(json.loads(self._answers.readline()))
                if "id" in got[-1]:
                    break
        if not any(message["method"] == "tools/call" for message in messages):
            os.write(self._in[1], b'{"method": "something else"}\n')
        thread.join(90)
        assert handed == [True]
        return got


@pytest.fixture
def by_front():
    """Makes fronts, and closes what they leave open."""
    made = []

    def make(roots):
        made.append(ByFront(roots))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("version", [*_HANDSHAKE, _STATELESS])
def test_what_is_known_by_heart_is_what_the_sdk_says(tree, version, by_front):
    """Key by key, for every version of the protocol and every message."""
    roots = Roots([tree])
    sdk = Scripted(conversation(version, CALLS))
    serve_lines(roots, sdk)

    known = [call for call in CALLS if call[0] != "ping" or version != _STATELESS]
    own = [by_front(roots).ask(conversation(version, [call])) for call in known]
    assert len(sdk.answers) == len(own) + 1
    for answers, expected in zip(own, sdk.answers[1:], strict=True):
        assert answers[0] == sdk.answers[0]
        assert answers[1] | {"id": 0} == expected | {"id": 0}


def test_versions_are_those_of_the_sdk():
    """A new one that the SDK speaks is left to it until it is known here."""
    assert _HANDSHAKE == HANDSHAKE_PROTOCOL_VERSIONS
    assert (_STATELESS,) == MODERN_PROTOCOL_VERSIONS


def test_progress_is_told_as_the_sdk_tells_it(tree, monkeypatch, by_front):
    """Of a first index: numbers that rise, out of a hundred."""
    arguments = {"name": "folder_search", "arguments": {"question": "block_user"}}
    asked = conversation(
        "2025-11-25", [("tools/call", arguments | {"_meta": {"progressToken": "t"}})]
    )
    roots = Roots([tree])
    sdk = Scripted(asked)
    serve_lines(roots, sdk)
    roots.close()
    monkeypatch.setenv("FIUTO_HOME", str(tree.parent / "another"))
    own = by_front(Roots([tree])).ask(asked)

    told = [message["params"] for message in own if "id" not in message]
    by_sdk = [message["params"] for message in sdk.answers if "id" not in message]
    assert by_sdk
    assert told
    assert {tuple(sorted(params)) for params in told + by_sdk} == {
        ("message", "progress", "progressToken", "total"),
    }  # fmt: skip
    for params in (told, by_sdk):
        numbers = [one["progress"] for one in params]
        assert numbers == sorted(set(numbers))
        assert {(one["progressToken"], one["total"]) for one in params} == {("t", 100.0)}


BEGUN = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.mark.parametrize(
    "message",
    [
        [BEGUN],
        "tools/list",
        BEGUN | {"jsonrpc": "1.0"},
        BEGUN | {"id": None},
        BEGUN | {"id": True},
        BEGUN | {"id": 1.5},
        BEGUN | {"more": 1},
        BEGUN | {"params": [1]},
        BEGUN | {"params": {"cursor": "x"}},
        BEGUN | {"params": {"_meta": META}},
        BEGUN | {"params": {"_meta": 3}},
        BEGUN | {"method": "tools/call"},
        BEGUN | {"method": "tools/call", "params": {"name": 3}},
        BEGUN | {"method": "tools/call", "params": {"name": "read_lines", "arguments": []}},
        BEGUN | {"method": "tools/call", "params": {"name": "read_lines", "task": {}}},
        BEGUN | {"method": "resources/list"},
        BEGUN | {"method": "server/discover"},
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
        initialize("2025-11-25"),
    ],
)
def test_everything_else_is_left_to_the_sdk(message):
    """After a handshake; nothing is refused here."""
    opening = Opening("1")
    assert opening.take(initialize("2025-11-25"))["result"]["protocolVersion"] == "2025-11-25"
    assert opening.take(BEGUN)["id"] == 1
    assert opening.take(message) is None


@pytest.mark.parametrize(
    "message",
    [
        BEGUN,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        initialize("2031-01-01"),
        initialize("2025-11-25") | {"params": {"protocolVersion": "2025-11-25"}},
        BEGUN | {"params": {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "x"}}},
        BEGUN | {"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": _STATELESS}}},
    ],
)
def test_an_odd_beginning_is_left_to_the_sdk(message):
    """Too early, of a version that is not known, or not whole."""
    assert Opening("1").take(message) is None


@pytest.fixture
def spec(tree):
    """How a client starts the server."""
    return mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "fiuto", "mcp", str(tree)],
        env=dict(os.environ),  # noqa: TID251 - the child needs it all
    )


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_takes_over(spec, mode):
    """A client notices nothing: calls, resources, errors of the protocol, calls again."""
    question = {"question": "block_user", "k": 1}

    async def run():
        async with mcp.Client(stdio_client(spec), mode=mode) as client:
            first = await client.call_tool("folder_search", question)
            listed = (await client.list_resources()).resources
            second = await client.call_tool("folder_search", question)
            with pytest.raises(mcp.MCPError):
                await client.get_prompt("none")
            return first, listed, second, await client.list_tools()

    first, listed, second, tools = anyio.run(run)
    assert first.content == second.content
    assert first.structured_content["hits"][0]["path"] == "src/limits.py"
    assert len(listed) == 1
    assert len(tools.tools) == 5


def test_a_call_that_is_cancelled_is_not_answered(tree, by_front):
    """While the first index is opened; whatever comes next is."""
    started, go_on = threading.Event(), threading.Event()

    def slow(root):
        started.set()
        go_on.wait(30)
        return open_index(root)

    served = by_front(Roots([tree], slow))
    call = ("tools/call", {"name": "folder_search", "arguments": {"question": "block_user"}})
    initial, notice, asked = conversation("2025-11-25", [call])
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    front = Front(served.wire, served._roots)
    for message in (initial, notice, asked):
        served.wire.put(json.dumps(message))
    thread = threading.Thread(target=front.run)
    thread.start()
    assert started.wait(30)
    served.wire.put(json.dumps(cancelled))
    served.wire.put(json.dumps({"jsonrpc": "2.0", "id": 9, "method": "ping"}))
    answers = [json.loads(served._answers.readline()) for _ in range(2)]
    go_on.set()
    thread.join(90)

    assert [answer["id"] for answer in answers] == [0, 9]
    served.wire.write("the end\n")
    assert served._answers.readline() == "the end\n"


@pytest.mark.parametrize("after", [0, 1])
def test_ctrl_c_ends_it(spec, after):
    """Before and behind the takeover."""
    process = subprocess.Popen(
        [spec.command, *spec.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=spec.env, text=True,
    )  # fmt: skip
    messages = [*conversation("2025-11-25", []), BEGUN]
    messages += [{"jsonrpc": "2.0", "id": 2, "method": "resources/list"}] * after
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            assert json.loads(process.stdout.readline())["id"] == message["id"]
    process.send_signal(signal.SIGINT)
    process.stdin.flush()
    try:
        assert process.wait(90) == 130
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


@pytest.mark.parametrize("line", ["\n", "{", "[" * 100_000, '"' + "notifications/cancelled" * 9])
def test_what_is_no_message_is_left_to_the_sdk(tree, by_front, line):
    """It knows what to answer to that."""
    served = by_front(Roots([tree]))
    front = Front(served.wire, served._roots)
    served.wire.put(line)
    assert front.run()
    assert front.readline() == line
