"""Loads what a search needs, and opens no index: for a process that others are copied from."""

from __future__ import annotations

from importlib import import_module

from fiuto.config import Settings
from fiuto.engine.parts import DEFAULT_EMBEDDER, make_embedder

__all__ = ["warm_up"]

_MODULES = (
    "fiuto.chunk.syntax", "fiuto.indexing.indexer", "fiuto.store.local", "fiuto.store.lock",
    "fiuto.store.writer", "json", "shutil", "simsimd", "subprocess", "tantivy", "tomllib",
    "tree_sitter",
)  # fmt: skip
"""What is imported on the way only when it is needed."""


def warm_up() -> None:
    """
    Import everything and load both sides of the shipped model; starts no thread.

    Raises:
        ModelUnavailable: the model's files are damaged.
    """
    for name in _MODULES:
        import_module(name)
    embedder = make_embedder(DEFAULT_EMBEDDER, Settings())
    embedder.embed(["which function makes the process warm"], "query")
    embedder.embed(["src/warm.py\nwarm"], "document")
