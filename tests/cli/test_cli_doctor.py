"""Tests of fiuto.cli.doctor."""

from __future__ import annotations

import json

import pytest

from fiuto.engine.finding import Finding

FAULT = Finding("index", "fault", "x is damaged", "fiuto index")
FINE = Finding("cache", "ok", "/c: 1 indexes")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, tmp_path) -> list[Finding]:
    """What the engine finds."""
    findings = [FINE]
    monkeypatch.setattr("fiuto.cli.doctor.look_over", lambda _path: iter(findings))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return findings


def test_all_is_well(found, run) -> None:
    """Exit code 0, the terminal last."""
    result = run("doctor")

    assert result.exit_code == 0
    assert result.stdout == (
        "ok     cache     /c: 1 indexes\n"
        "ok     terminal  no terminal, utf-8, colours on a terminal\n"
    )


def test_a_fault_is_told_with_what_to_do(found, run) -> None:
    """Exit code 1."""
    found.append(FAULT)

    result = run("doctor", ".")

    assert result.exit_code == 1
    assert "fault  index     x is damaged\n                 do: fiuto index\n" in result.stdout


def test_json(found, run) -> None:
    """The same as data."""
    found.append(FAULT)

    data = json.loads(run("doctor", "--json").stdout)

    assert (data["schema"], data["faults"]) == (1, 1)
    assert data["findings"][1] == {
        "about": "index", "state": "fault", "what": "x is damaged", "remedy": "fiuto index",
    }  # fmt: skip


def test_a_name_cannot_command_the_terminal(found, run) -> None:
    """What stands in a path is shown as it is written."""
    found.append(Finding("index", "fault", "\x1b[31m/x", "do"))

    assert "\x1b" not in run("doctor").stdout


def test_no_folder(run) -> None:
    """It could not be looked at: exit code 2."""
    result = run("doctor", "/nowhere/at/all")

    assert result.exit_code == 2
    assert result.stderr == "fiuto: /nowhere/at/all is no folder; name the folder to look at\n"
