"""
Names to implementations: the one list of everything that can be swapped.

Built-ins are written as ``"module:attribute"`` and imported when first asked for;
others come from installed packages through the entry-point groups
``fiuto.chunkers``, ``fiuto.embedders``, ``fiuto.stores`` and
``fiuto.collections``.  A chunker or an embedder is made by calling what the name
stands for without arguments, except where the table says otherwise.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from fiuto.errors import PluginFailed, UnknownPlugin

__all__ = ["BUILT_IN", "known", "load"]

BUILT_IN: MappingProxyType[str, MappingProxyType[str, str]] = MappingProxyType(
    {
        "chunker": MappingProxyType(
            {
                "lines": "fiuto.chunk.lines:LinesChunker",
                "syntax": "fiuto.chunk.syntax:SyntaxChunker",
            }
        ),
        "embedder": MappingProxyType(
            {
                "static": "fiuto.embed.static:open_static",
                # the deep tier's: a small transformer on onnxruntime
                "minilm": "fiuto.embed.onnx:open_minilm",
                "bge-m3": "fiuto.embed.transformer:open_bge_m3",
                "bge-small-en-v1.5": "fiuto.embed.transformer:open_bge_small",
                # "st:NAME": called with the name or folder of a sentence-transformers model
                "st": "fiuto.embed.transformer:open_transformer",
                # called with the [remote] settings
                "remote": "fiuto.embed.remote:open_remote",
                "scripted": "fiuto.embed.scripted:ScriptedEmbedder",
            }
        ),
        "store": MappingProxyType(
            {
                # called with the folder of the index
                "local": "fiuto.store.local:open_local",
                "memory": "fiuto.store.memory:open_memory",
                # called with an address, a repository's name and its revision
                "milvus": "fiuto.store.milvus:open_milvus",
            }
        ),
        "collection": MappingProxyType(
            {
                # called with an address
                "milvus": "fiuto.store.milvus:open_joint",
            }
        ),
    }
)


def known(kind: str) -> list[str]:
    """Every name of one kind, built in or installed."""
    return sorted({*BUILT_IN[kind], *(entry.name for entry in _installed(kind))})


def load(kind: str, name: str) -> Callable[..., Any]:
    """
    What ``name`` stands for.

    Raises:
        UnknownPlugin: nothing of that name; the message lists what there is.
        PluginFailed: it cannot be imported.
    """
    target = BUILT_IN[kind].get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]
    for entry in _installed(kind):
        if entry.name == name:
            try:
                return entry.load()  # type: ignore[no-any-return]
            except (ImportError, AttributeError) as error:
                raise PluginFailed(f"the {kind} {name!r} cannot be loaded: {error}") from error
    raise UnknownPlugin(kind, name, known(kind))


def _installed(kind: str) -> list[Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - 20 ms, seldom needed

    return list(entry_points(group=f"fiuto.{kind}s"))
