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
    assert json.loads(file.read_text())["mcp"]["servers"]["fiuto"]["command"] == ["fiuto", "mcp"]
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


@pytest.mark.parametrize(
    ("agent", "file"),
    [
        ("claude-code", ".mcp.json"),
        ("codex", "home/.codex/config.toml"),
        ("opencode", "opencode.jsonc"),
        ("zed", "home/.config/zed/settings.json"),
    ],
)
@pytest.mark.parametrize("nl", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_there_and_back_through_the_disk(project, agent, file, nl, mark):
    """Every byte, the mode, and the link that leads there."""
    path = project / file
    path.parent.mkdir(parents=True, exist_ok=True)
    real = project / "real"
    toml = b"# mine\n[mcp_servers.x]\ncommand = 'y'  # why\n"
    json_ = b'{\n  // mine\n  "a": [1, 2,],\n}\n'
    before = mark + (toml if file.endswith("toml") else json_).replace(b"\n", nl)
    real.write_bytes(before)
    real.chmod(0o600)
    path.symlink_to(real)

    assert run(agent, "--yes").return_value == 0
    assert real.read_bytes() != before
    assert real.read_bytes().startswith(mark)
    assert run(agent, "--yes").return_value == 0
    assert run(agent, "--remove", "--yes").return_value == 0
    assert real.read_bytes() == before
    assert path.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in path.parent.iterdir() if "backup" in p.name) == []


@pytest.mark.parametrize("words", [("--yes",), ("--remove", "--yes")])
def test_a_read_only_file_is_refused(project, words):
    """Also by root, who could write it."""
    file = project / ".mcp.json"
    file.write_bytes(b"{}")
    if "--remove" in words:
        run("claude-code", "--yes")
        (project / ".mcp.json.fiuto-backup").unlink()
    before = file.read_bytes()
    file.chmod(0o444)

    result = run("claude-code", *words)
    assert isinstance(result.exception, UsageError)
    assert "is read-only; nothing was changed" in str(result.exception)
    assert file.read_bytes() == before
    assert [p.name for p in project.iterdir()] == [".mcp.json"]
