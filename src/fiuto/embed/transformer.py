"""
Transformers through sentence-transformers, from disk and never from the network.

A model that is not there is an error that says how to get it: nobody should find out
from a progress bar that a search is downloading two gigabytes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from fiuto.embed.catalog import EXTRA, find, hub_id_of, snapshot_of
from fiuto.embed.model_folder import ModelFacts, facts_of, weights_digest
from fiuto.embed.rows import encodable
from fiuto.errors import ModelUnavailable, PluginFailed
from fiuto.model import EmbedderIdentity, Role, Vectors

__all__ = ["TransformerEmbedder", "open_bge_m3", "open_bge_small", "open_transformer"]

_BATCH = 16
"""Texts at a time for a model nobody measured: fits a small machine at 512 tokens."""
_BROKEN = (OSError, ValueError, RuntimeError, LookupError, ImportError, UnpicklingError)
"""What the runtime raises on files that are damaged or of another kind."""


def open_transformer(
    name: str, *, cache: Path | None = None, device: str | None = None
) -> TransformerEmbedder:
    """
    A transformer by name; nothing is read before it is used.

    Args:
        name: one of :data:`fiuto.embed.catalog.KNOWN`, ``owner/name`` of the hub, a
            name of sentence-transformers, or the path of a model folder.
        cache: another Hugging Face cache folder than the usual.
        device: ``cpu``, ``cuda``, ``mps``; by default the best there is.
    """
    return TransformerEmbedder(name, cache, device)


def open_bge_m3() -> TransformerEmbedder:
    """The multilingual model that reads whole chunks."""
    return open_transformer("bge-m3")


def open_bge_small() -> TransformerEmbedder:
    """The small English model."""
    return open_transformer("bge-small-en-v1.5")


class TransformerEmbedder:
    """One sentence-transformers model; safe from several threads, one at a time inside."""

    def __init__(self, name: str, cache: Path | None = None, device: str | None = None) -> None:
        self._name = name
        self._cache = cache
        self._device = device
        self._lock = threading.Lock()
        self._model: Any = None

    @cached_property
    def identity(self) -> EmbedderIdentity:
        known = find(self._name)
        facts = self._facts
        # The files of a snapshot cannot change: its commit says as much as their hash.
        snapshot = known is not None or not _is_path(self._name)
        return EmbedderIdentity(
            name=known.name if known else _short(self._name),
            revision=self._folder.name if snapshot else weights_digest(self._folder),
            dimension=facts.dimension,
            recipe=f"{facts.pooling} pooling, {facts.max_length} tokens, "
            f"query {facts.query_prefix!r}, document {facts.document_prefix!r}",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        identity = self.identity
        if not texts:
            return Vectors(b"", identity.dimension, ())
        facts = self._facts
        prefix = facts.query_prefix if role == "query" else facts.document_prefix
        texts = [encodable(text) for text in texts]
        with self._lock:
            model = self._loaded()
            rows = model.encode(
                texts,
                prompt=prefix,
                batch_size=self._batch,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
            truncated = _truncated(model.tokenizer, texts, prefix, facts.max_length)
        if rows.shape != (len(texts), identity.dimension):
            raise PluginFailed(
                f"model {self._name!r} gave rows of {rows.shape[-1]} values, "
                f"its files promise {identity.dimension}"
            )
        return Vectors(rows.astype("<f4").tobytes(), identity.dimension, truncated)

    @property
    def _batch(self) -> int:
        known = find(self._name)
        return known.batch if known else _BATCH

    @cached_property
    def _folder(self) -> Path:
        if find_spec("sentence_transformers") is None:
            raise ModelUnavailable(
                f"model {self._name!r} needs an extra; run pip install 'fiuto[{EXTRA}]'"
            )
        if find(self._name) is None and _is_path(self._name):
            return Path(self._name).expanduser().resolve()
        folder = snapshot_of(self._name, self._cache)
        if folder is None:
            raise ModelUnavailable(_how_to_get(self._name))
        return folder

    @cached_property
    def _facts(self) -> ModelFacts:
        """What the files say, unless the catalog knows better."""
        facts = facts_of(self._folder)
        known = find(self._name)
        if known is None:
            return facts
        return replace(
            facts,
            max_length=known.max_length,
            query_prefix=known.query_prefix,
            document_prefix=known.document_prefix,
        )

    def _loaded(self) -> Any:
        if self._model is None:
            self._model = _load(self._name, self._folder, self._device)
            self._model.max_seq_length = self._facts.max_length
        return self._model


def _load(name: str, folder: Path, device: str | None) -> Any:
    """The model in memory; never reaches for the network."""
    from safetensors import SafetensorError  # noqa: PLC0415 - an extra
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds

    with _quiet():
        try:
            return SentenceTransformer(str(folder), device=device, local_files_only=True)
        except (*_BROKEN, SafetensorError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise ModelUnavailable(
                f"model {name!r} in {folder} cannot be loaded ({reason})"
            ) from error


def _is_path(name: str) -> bool:
    return Path(name).expanduser().is_dir()


def _short(name: str) -> str:
    """How an identity calls a model that the catalog does not know."""
    return Path(name).expanduser().resolve().name if _is_path(name) else hub_id_of(name)


def _how_to_get(name: str) -> str:
    known = find(name)
    size = f", {known.size / 1e6:,.0f} MB" if known else ""
    return f"model {name!r} ({hub_id_of(name)}{size}) is not on disk; run fiuto models pull {name}"


def _truncated(
    tokenizer: Any, texts: Sequence[str], prefix: str, max_length: int
) -> tuple[bool, ...]:
    """For each text whether it has more tokens than the model reads."""
    encoded = tokenizer(
        [prefix + text for text in texts],
        truncation=False,
        return_attention_mask=False,
        verbose=False,
    )["input_ids"]
    return tuple(len(tokens) > max_length for tokens in encoded)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the bar that transformers draws while it loads, and back as it was."""
    logging: Any = import_module("transformers.utils.logging")
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
