"""An entry goes into awkward files and comes out byte for byte."""

from __future__ import annotations

import json
import tomllib

import pytest

from fiuto.cli.agents import AGENTS, added, removed
from fiuto.errors import UsageError

JSON = [
    "", "{}", "{ }\n", "{\n}\n", '{"a": 1}', '{\n  // why\n  "a": [1, 2,],\n}\n',
    '\ufeff{"a": 1}\n', '{\r\n  "a": 1\r\n}\r\n', '{"mcpServers": {}}',
    '{"mcpServers": {"x": {"command": "y"},},}', '/* { */ {"a": "// no comment {"}',
    '{"a": {"mcpServers": {}}}', '{"mcpServers": /* here */ {\n\t"x": {}\n}}\n',
    '{"a": "\\"mcpServers\\": {"}', '{"mcpServers": { // old\n}}',
]  # fmt: skip
NESTED = [
    '{"mcp": {}}', '{"mcp": {"servers": {}}}', '{\n  "mcp": { // mine\n    "a": {}\n  }\n}\n',
    '{"mcp": {"other": {"servers": {}}, "servers": {"x": {"type": "local"},},}}',
    '{"servers": {}, "mcp": {"servers": /* } */ {\r\n}}}\r\n',
]  # fmt: skip
TOML = [
    "mcp_servers.x.command = 'y'\nb = 2\n",
    "\ufeffa = 1\n",
    "[[list]]\na = 1\n[mcp_servers.x]\n[[list]]\n",
    "[mcp_servers]\n# none\n",
    "",
    "a = 1",
    "# only\n",
    "[mcp_servers.x]\ncommand = 'y'\n",
    "a = 1\r\n\r\n[b]\r\n",
]


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name in ("cursor", "opencode") for text in JSON]
    + [("opencode", text) for text in NESTED]
    + [("codex", text) for text in TOML],
)
def test_round_trip(name, text):
    """In twice is in once; out is as before."""
    made = added(text, AGENTS[name])

    assert made.count('"mcp"]') == 1
    assert added(made, AGENTS[name]) == made
    assert removed(made, AGENTS[name]) == text
    assert removed(text, AGENTS[name]) == text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("opencode", '{"mcp": {"servers": []}}', "mcp.servers is no table"),
        ("opencode", '{"mcp": 1}', "mcp is no table"),
        ("cursor", "{oops", "cannot be parsed"),
        ("cursor", "[]", "holds no object"),
        ("cursor", '{"mcpServers": 3}', "is no table"),
        ("cursor", '{"mcpServers": {"fiuto": {}}}', "another entry"),
        ("codex", "a = ", "cannot be parsed"),
        ("codex", "mcp_servers = {}\n", "not known here"),
    ],
)
def test_refused(name, text, message):
    """Rather than guessed at."""
    with pytest.raises(UsageError, match=message):
        added(text, AGENTS[name])


def test_what_each_agent_reads():
    """The entry where its documentation says, in the words it says."""

    def table(name):
        data = (
            tomllib.loads(added("", AGENTS[name]))
            if AGENTS[name].toml
            else json.loads(added("", AGENTS[name]))
        )
        return AGENTS[name].file, data

    stdio = {"command": "fiuto", "args": ["mcp"]}
    local = {"type": "local", "command": ["fiuto", "mcp"]}
    typed = {"type": "stdio", **stdio}
    assert {name: table(name) for name in AGENTS} == {
        "claude-code": (".mcp.json", {"mcpServers": {"fiuto": typed}}),
        "codex": ("~/.codex/config.toml", {"mcp_servers": {"fiuto": stdio}}),
        "cursor": (".cursor/mcp.json", {"mcpServers": {"fiuto": stdio}}),
        "vscode": (".vscode/mcp.json", {"servers": {"fiuto": typed}}),
        "gemini": ("~/.gemini/settings.json", {"mcpServers": {"fiuto": stdio}}),
        "opencode": ("opencode.json", {"mcp": {"servers": {"fiuto": local}}}),
        "opencode-v1": ("opencode.json", {"mcp": {"fiuto": local}}),
        "zed": ("~/.config/zed/settings.json", {"context_servers": {"fiuto": stdio}}),
    }
