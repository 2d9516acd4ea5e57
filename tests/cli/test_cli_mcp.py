"""``fiuto mcp`` before it serves."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fiuto.cli import mcp as command
from fiuto.cli.main import cli


@pytest.mark.parametrize(
    ("missing", "words"), [("mcp", []), ("uvicorn", ["--http", "0"]), ("mcp", ["--http", "0"])]
)
def test_a_missing_extra_is_said_at_once(monkeypatch, capsys, tmp_path, missing, words):
    """Not by a client that waits, and not by a traceback."""
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == missing else object())
    assert cli.main(["mcp", str(tmp_path), *words], standalone_mode=False) == 2
    assert f"no module {missing}: pip install 'fiuto[mcp]'" in capsys.readouterr().err


def test_what_is_no_folder_is_not_served(tmp_path, capsys):
    """Said before anything starts."""
    assert cli.main(["mcp", str(tmp_path / "none")], standalone_mode=False) == 2
    assert "is no folder; name the folders to serve" in capsys.readouterr().err


def test_nothing_heavy_is_loaded_before_the_first_message():
    """Neither the SDK nor the engine, nor what either brings."""
    code = (
        "import sys; import fiuto.cli.main, fiuto.cli.mcp, fiuto.mcp.front\n"
        "heavy = {'mcp', 'pydantic', 'anyio', 'asyncio', 'numpy', 'sqlite3', 'fiuto.engine',"
        " 'fiuto.store', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")},  # noqa: TID251
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[]\n"
