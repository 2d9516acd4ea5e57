"""The command line with a fake index behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from cli_fakes import FakeIndex
from click.testing import CliRunner, Result

from fiuto.cli.main import cli


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> FakeIndex:
    """What every command opens."""
    index = FakeIndex()

    def open_fake(root: str, **opened: Any) -> FakeIndex:
        index.opened = {"root": root, **opened}
        return index

    monkeypatch.setattr("fiuto.cli.options.open_index", open_fake)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return index


@pytest.fixture
def run() -> Callable[..., Result]:
    """Runs a command line in this process."""

    def running(*args: str) -> Result:
        return CliRunner().invoke(cli, list(args))

    return running
