"""The deep tier of one index: which model reads, and reading everything in advance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from fiuto.config import Settings
from fiuto.engine.parts import make_embedder
from fiuto.errors import ModelUnavailable, UsageError
from fiuto.model import DeepReport, StoredChunk
from fiuto.protocols import Embedder, Progress, Reader, VectorCache
from fiuto.search.deep import DEEP, Deep, read_texts
from fiuto.search.remembered import Remembered
from fiuto.search.retrieve import Means
from fiuto.search.windows import windows_of
from fiuto.values import dataclass

__all__ = ["DeepParts", "Reading", "read_everything", "remembering"]

_BATCH = 256
"""Chunks looked up at a time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Whether and by what a question's pool is read again, or why it cannot be."""

    deep: Deep | None = None
    warnings: tuple[str, ...] = ()


def remembering(means: Means, cache: VectorCache, reading: Reading) -> Means:
    """``means`` with a memory for questions, where a question is worth one: those read deeply."""
    if means.embedder is None or reading.deep is None:
        return means
    return replace(means, embedder=Remembered(means.embedder, cache), kept=cache)


class DeepParts:
    """Makes the deep tier's parts by the settings; the model is made once, at first use."""

    def __init__(self, settings: Settings, cache: VectorCache) -> None:
        self._settings = settings
        self._cache = cache
        self._embedder: Embedder | None = None

    def asked(self, deep: bool | None, budget: float | None, progress: Progress) -> Reading:
        """
        For one question; ``None`` leaves the choice to the settings.

        A model that is not there is one warning: the answer is what it is without.

        Raises:
            UsageError: a budget that is none.
        """
        if budget is not None and not 0 < budget < float("inf"):
            raise UsageError(f"the deep budget is {budget:g}; it must be seconds, more than 0")
        if not (self._settings.deep if deep is None else deep):
            return Reading()
        try:
            return Reading(self.needed(progress, budget))
        except ModelUnavailable as error:
            return Reading(warnings=(f"not read deeply: {error}",))

    def needed(self, progress: Progress, budget: float | None = None) -> Deep:
        """
        The parts, whatever it takes.

        Raises:
            ModelUnavailable: the model is not there.
        """
        # Two threads may both make it; either serves.
        made: Embedder = self._embedder or make_embedder(
            self._settings.deep_embedder, self._settings
        )
        assert made.identity  # raises where the model is not there
        self._embedder = made
        made = Remembered(made, self._cache)
        return Deep(made, self._cache, budget or self._settings.deep_budget, progress)


def read_everything(reader: Reader, deep: Deep) -> DeepReport:
    """
    Read every window of every chunk, and keep the vectors.

    Raises:
        ModelUnavailable: from the model; what was read before is kept.
    """
    started = time.monotonic()
    total = reader.counts().chunks
    done = windows = read = 0

    def of_all(_stage: str, _done: int, _total: int) -> None:
        deep.progress(DEEP, done, total)

    counting = replace(deep, progress=of_all)
    for chunks in _in_batches(reader):
        texts = dict.fromkeys(
            text for stored in chunks for text in windows_of(stored.path, stored.chunk)
        )
        _, made = read_texts(list(texts), counting)
        read += made
        windows += len(texts)
        done += len(chunks)
    return DeepReport(str(deep.embedder.identity), windows, read, time.monotonic() - started)


def _in_batches(reader: Reader) -> Iterator[list[StoredChunk]]:
    """Every chunk, those of sources first: a run that is stopped has read what is asked most."""
    files = sorted(reader.files().values(), key=lambda f: (f.label != "source", f.path))
    batch: list[StoredChunk] = []
    for record in files:
        batch += reader.chunks_of(record.path)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
