"""``fiuto setup`` on files on disk."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from fiuto.cli.setup import setup
from fiuto.errors import UsageError


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project, and a home beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def run(*words, **more):
    """The status, whatever was asked."""
    return CliRunner().invoke(setup, words, standalone_mode=False, **more)


@pytest.mark.parametrize(
    ("agent", "file"),
    [("vscode", ".vscode/mcp.json"), ("codex", "home/.codex/config.toml")],
)
def test_a_new_file_comes_and_goes(project, agent, file):
    """With its folder; nothing is left of it."""
    assert run(agent, "--yes").return_value == 0
    assert "fiuto" in (project / file).read_text()
    assert run(agent, "--remove", "--yes").return_value == 0
    assert not (project / file).exists()


def test_a_file_is_kept_beside(project):
    """Until the entry is out again."""
    file, backup = project / "opencode.json", project / "opencode.json.fiuto-backup"
    file.write_bytes(b'{"theme": "x"}\r\n')

    run("opencode", "--yes")
    assert backup.read_bytes() == b'{"theme": "x"}\r\n'
    assert json.loads(file.read_text())["mcp"]["fiuto"]["command"] == ["fiuto", "mcp"]
    run("opencode", "--remove", "--yes")
    assert file.read_bytes() == b'{"theme": "x"}\r\n'
    assert not backup.exists()


def test_no_is_no(project):
    """The change was shown, and not made."""
    result = run("claude-code", input="n\n")

    assert result.return_value == 1
    assert '+    "fiuto"' in result.output
    assert not (project / ".mcp.json").exists()


def test_what_is_no_text_is_refused(project):
    """And left as it was."""
    (project / ".mcp.json").write_bytes(b"\xff\xfe{}")

    assert isinstance(run("claude-code", "--yes").exception, UsageError)
    assert (project / ".mcp.json").read_bytes() == b"\xff\xfe{}"
