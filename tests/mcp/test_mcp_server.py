"""The SDK's own client drives every tool."""

from __future__ import annotations

import shutil
import threading

import anyio
import pytest

mcp = pytest.importorskip("mcp")

from fiuto.engine import open_index  # noqa: E402
from fiuto.mcp.roots import Roots  # noqa: E402
from fiuto.mcp.server import app, make_server  # noqa: E402


def ask(target, *calls):
    """The result of each (tool, arguments), asked one after the other."""

    async def run():
        async with mcp.Client(target) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(run)


@pytest.fixture
def server(tree):
    """A server in this process."""
    return make_server(Roots([tree]))


def test_tools_are_listed(server):
    """Each with a strict schema; the one that says when grep is better."""

    async def run():
        async with mcp.Client(server) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in anyio.run(run)}
    assert list(tools) == [
        "folder_search", "find_related", "read_lines", "index_status", "why_not",
    ]  # fmt: skip
    assert "grep" in tools["folder_search"].description
    assert tools["read_lines"].input_schema["required"] == ["file", "start", "end"]


def test_a_search(server):
    """Text for eyes, data of the schema that every door has."""
    (found,) = ask(server, ("folder_search", {"question": "block_user", "k": 1}))

    assert not found.is_error
    assert found.content[0].text.startswith("src/limits.py:1-3  block_user\n")
    assert found.structured_content["schema"] == 1
    assert [hit["path"] for hit in found.structured_content["hits"]] == ["src/limits.py"]


def test_filters_and_folders(server):
    """``path`` is a folder of the root; labels and globs intersect with it."""
    below, tests = ask(
        server,
        ("folder_search", {"question": "cooldown", "path": "src"}),
        ("folder_search", {"question": "cooldown", "only": ["test"]}),
    )
    assert {hit["path"] for hit in below.structured_content["hits"]} <= {
        "src/limits.py", "src/net.py",
    }  # fmt: skip
    assert [hit["path"] for hit in tests.structured_content["hits"]] == ["tests/test_limits.py"]


def test_a_budget_shortens_and_says_so(server):
    """Never nothing."""
    (found,) = ask(server, ("folder_search", {"question": "block_user", "budget_tokens": 12}))

    assert found.content[0].text.startswith("src/limits.py:1-3")
    assert "shortened" in found.content[0].text


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("folder_search", {"question": "q", "laguages": ["go"]}, "did you mean 'languages'?"),
        ("folder_search", {"question": "q", "path": "/etc"}, "outside of what is served here"),
        ("folder_search", {"question": "q", "path": "nowhere"}, "is no folder"),
        ("folder_search", {"question": "q", "languages": ["pyton"]}, "did you mean 'python'?"),
        ("read_lines", {"file": "../x", "start": 1, "end": 2}, "outside of what is served here"),
        ("read_lines", {"file": ".env", "start": 1, "end": 2}, "secret"),
        ("read_lines", {"file": "src/net.py", "start": 9, "end": 9}, "there is no line 9"),
        ("read_lines", {"file": "src/net.py", "start": 2, "end": 1}, "is before start"),
        ("find_related", {"file": "src/ner.py", "line": 1}, "did you mean src/net.py?"),
    ],
)
def test_mistakes_are_tool_errors(server, tool, arguments, message):
    """Not successes, not protocol errors; what to do is in the text."""
    (found,) = ask(server, (tool, arguments))

    assert found.is_error
    assert message in found.content[0].text


def test_the_other_tools(server):
    """Lines as they are on disk, likeness, figures, reasons."""
    lines, like, status, why, secret = ask(
        server,
        ("read_lines", {"file": "src/net.py", "start": 2, "end": 9}),
        ("find_related", {"file": "src/limits.py", "line": 2}),
        ("index_status", {}),
        ("why_not", {"file": "src/net.py"}),
        ("why_not", {"file": ".env"}),
    )
    assert lines.content[0].text == "src/net.py:2-2\n2      return connect(host)"
    assert like.structured_content["hits"][0]["path"] != "src/limits.py"
    assert status.structured_content["files"] == 3
    assert why.structured_content == {"path": "src/net.py", "indexed": True}
    assert secret.structured_content["reason"] == "secret"


def test_a_root_that_is_deleted_while_serving(tree):
    """Said, and the next root still answers."""
    other = tree.parent / "other"
    other.mkdir()
    (other / "a.py").write_text("def harbour(): pass\n")
    server = make_server(Roots([tree, other]))

    async def run():
        async with mcp.Client(server) as client:
            await client.call_tool("folder_search", {"question": "cooldown"})
            shutil.rmtree(tree)
            gone = await client.call_tool("folder_search", {"question": "cooldown"})
            there = {"question": "harbour", "path": str(other)}
            return gone, await client.call_tool("folder_search", there)

    gone, found = anyio.run(run)
    assert gone.is_error
    assert "is not there any more" in gone.content[0].text
    assert found.structured_content["hits"][0]["path"] == "a.py"


def test_a_cancelled_call_blocks_nobody(tree):
    """While an index still opens, the client leaves, asks for something else, and asks again."""
    started, go_on = threading.Event(), threading.Event()

    def slow(root):
        started.set()
        go_on.wait(30)
        return open_index(root)

    async def run():
        async with mcp.Client(make_server(Roots([tree], slow))) as client:
            question = {"question": "block_user", "k": 1}
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "folder_search", question)
                await anyio.to_thread.run_sync(started.wait)
                group.cancel_scope.cancel()
            tools = (await client.list_tools()).tools
            go_on.set()
            return tools, await client.call_tool("folder_search", question)

    tools, found = anyio.run(run)
    assert len(tools) == 5
    assert found.structured_content["hits"][0]["path"] == "src/limits.py"


def test_a_likeness_shows_what_the_place_is_called(tree):
    """Not the words of its path, which stand anywhere."""
    filler = [f"    step_{number}(user)" for number in range(40)]
    filler[3] = "    src.limits.py(user)"
    filler[30] = "    block_user(user)"
    (tree / "src/long.py").write_text("\n".join(["def cool_down(user):", *filler, ""]))
    server = make_server(Roots([tree]))
    (found,) = ask(server, ("find_related", {"file": "src/limits.py", "line": 1}))
    (long,) = [part for part in found.content[0].text.split("\n\n") if "src/long.py" in part]
    assert "block_user(user)" in long
    assert "src.limits.py" not in long


def test_resources_are_the_status_of_each_index(server):
    """One for each root."""

    async def run():
        async with mcp.Client(server) as client:
            listed = (await client.list_resources()).resources
            return listed, await client.read_resource(listed[0].uri)

    listed, read = anyio.run(run)
    assert len(listed) == 1
    assert "files: 3" in read.contents[0].text


def test_a_web_application_closes_what_it_opened(tree):
    """When it ends; before that it stays open."""
    roots = Roots([tree])
    served = app(roots)

    async def run():
        async with served.router.lifespan_context(served):
            roots.index(None)
            return dict(roots._open)

    assert anyio.run(run)
    assert roots._open == {}
