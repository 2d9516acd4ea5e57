"""An entry goes into awkward files and comes out byte for byte."""

from __future__ import annotations

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
TOML = ["", "a = 1", "# only\n", "[mcp_servers.x]\ncommand = 'y'\n", "a = 1\r\n\r\n[b]\r\n"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("cursor", text) for text in JSON] + [("codex", text) for text in TOML],
)
def test_round_trip(name, text):
    """In twice is in once; out is as before."""
    made = added(text, AGENTS[name])

    assert made.count('["mcp"]') == 1
    assert added(made, AGENTS[name]) == made
    assert removed(made, AGENTS[name]) == text
    assert removed(text, AGENTS[name]) == text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cursor", "{oops", "cannot be parsed"),
        ("cursor", "[]", "holds no object"),
        ("cursor", '{"mcpServers": 3}', "is no table"),
        ("cursor", '{"mcpServers": {"fiuto": {}}}', "another entry"),
        ("codex", "a = ", "cannot be parsed"),
        ("codex", "mcp_servers = {}\n", "cannot be parsed"),
    ],
)
def test_refused(name, text, message):
    """Rather than guessed at."""
    with pytest.raises(UsageError, match=message):
        added(text, AGENTS[name])
