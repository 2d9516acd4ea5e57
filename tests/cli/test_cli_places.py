"""Tests of fiuto.cli.places, over real folders of a real home."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fiuto.engine import Place
from fiuto.engine.places import place_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty FIUTO_HOME."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FIUTO_HOME", str(folder))
    return folder


def indexed(home: Path, root: Path, profile: str = "default") -> Place:
    """A place as an index leaves it, with 2,000 bytes in it."""
    place = place_of(home, root, profile)
    place.note()
    (place.folder / "data").write_bytes(b"x" * 2_000)
    return place


@pytest.mark.usefixtures("home")
def test_no_indexes_is_exit_code_1(run) -> None:
    """Nothing on standard output."""
    result = run("list")

    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "fiuto: no indexes yet\n")


def test_indexes_are_listed_in_order_of_their_folder(run, home: Path, tmp_path: Path) -> None:
    """A folder that is gone is marked."""
    (tmp_path / "b").mkdir()
    indexed(home, tmp_path / "b")
    indexed(home, tmp_path / "b", "article")
    indexed(home, tmp_path / "a")

    lines = run("list").stdout.splitlines()

    assert lines[0].endswith(f"  default  {tmp_path}/a  (the folder is gone: fiuto forget)")
    assert lines[1].endswith(f"  article  {tmp_path}/b")
    assert lines[2].endswith(f"  default  {tmp_path}/b")
    assert lines[2].split()[:2] == ["2.1", "kB"]


def test_json(run, home: Path, tmp_path: Path) -> None:
    """The same as data."""
    place = indexed(home, tmp_path / "a")

    (entry,) = json.loads(run("list", "--json").stdout)["indexes"]

    assert entry.pop("bytes_on_disk") > 2_000
    assert {
        "root": f"{tmp_path}/a",
        "profile": "default",
        "exists": False,
        "folder": str(place.folder),
    } == entry


def test_forget_deletes_every_index_of_a_folder(run, home: Path, tmp_path: Path) -> None:
    """The folder itself stays, and so do other indexes."""
    root = tmp_path / "a"
    root.mkdir()
    places = [indexed(home, root), indexed(home, root, "article")]
    other = indexed(home, tmp_path / "b")

    result = run("forget", str(root))

    assert (0, f"deleted 2 indexes of {root}\n") == (result.exit_code, result.stdout)
    assert not any(place.folder.exists() for place in places)
    assert other.folder.exists()
    assert root.exists()


@pytest.mark.usefixtures("home")
def test_forget_without_an_index_is_exit_code_1(run) -> None:
    """It says how to find out."""
    result = run("forget", "nowhere")

    assert result.exit_code == 1
    assert (
        result.stderr == "fiuto: there is no index of nowhere; 'fiuto list' shows those there are\n"
    )
