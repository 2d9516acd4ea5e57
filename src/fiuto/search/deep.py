"""
The deep tier: the best of the pool are read again by a model that is too slow for all.

Only as long as the question has time.  What was read is kept in the shared vector
store, by model and text, so the next question about the same code finds it there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import zip_longest
from math import sqrt

from fiuto.errors import ModelUnavailable, PluginFailed
from fiuto.model import EmbedderIdentity, Role, StoredChunk
from fiuto.protocols import Embedder, Progress, VectorCache
from fiuto.search.asked import bare_identifier
from fiuto.search.fuse import K
from fiuto.search.remembered import key_of
from fiuto.search.vectors import cosine, values
from fiuto.search.windows import WINDOWS, windows_of
from fiuto.values import dataclass

__all__ = ["CANDIDATES", "DEEP", "WEIGHT", "Deep", "DeepRead", "candidates", "deepen", "read_texts"]

DEEP = "deep"
"""What the list is called in the ranks and the parts of a hit."""
CANDIDATES = 50
"""Chunks read: 0.82 of the right ones are among them on grep-proof questions, and two windows of
each fit the usual three seconds."""
WEIGHT = 0.5
"""First places in one list that a deviation is worth; signals still count.  From 1 up, tests and
docs come before the code again: docs/decisions.md."""
_MOST = 16
"""Texts a call at most: a stop or the end of the time waits for one call."""
_CALL_SECONDS = 0.25
_ALIKE = 1e-6
"""A spread of cosines that is nothing but the rounding of float32."""


@dataclass(frozen=True, slots=True)
class Deep:
    """What the tier works with."""

    embedder: Embedder
    cache: VectorCache
    budget: float
    """Seconds a question has, from the moment its reading begins."""
    progress: Progress
    now: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class DeepRead:
    """By chunk id: 1-based ranks by the reader alone, and what a score gains or pays for it."""

    ranks: Mapping[int, int] = field(default_factory=dict)
    shares: Mapping[int, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def candidates(*lists: Sequence[int], most: int | None = CANDIDATES) -> list[int]:
    """
    The ids to read, most promising first: of each list in turn, each once, ``most`` at most.

    >>> candidates([1, 2, 3], [3, 4])
    [1, 3, 2, 4]
    """
    turns = [id_ for row in zip_longest(*lists) for id_ in row if id_ is not None]
    return list(dict.fromkeys(turns))[:most]


def deepen(question: str, chunks: Sequence[StoredChunk], deep: Deep) -> DeepRead:
    """
    Judge ``chunks``, which come most promising first, by what the model thinks of them.

    A chunk is as near as the nearest of its windows.  What counts is how far that lies from
    the mean of those that were read, in standard deviations: so models whose cosines spread
    little serve as well, and a chunk that was not read stands where the mean does.

    First windows are read before second ones.  Where the time ends first, everything counts
    less by the share of the chunks that was read: the nearest of the two that a slow model
    could read is not the best one for that.
    """
    if bare_identifier(question):  # a model of sentences knows no names
        return DeepRead()
    until = deep.now() + deep.budget
    cut = {stored.id: windows_of(stored.path, stored.chunk) for stored in chunks}
    rounds = zip_longest(*cut.values())
    texts = [text for nth in rounds for text in nth if text is not None]
    try:
        asked = values(_embed([question], deep.embedder, "query")[question])
        rows, _ = read_texts(texts, deep, until)
    except ModelUnavailable as error:
        return DeepRead(warnings=(f"not read deeply: {error}",))
    near = {
        id_: max(cosine(asked, rows[text]) for text in windows if text in rows)
        for id_, windows in cut.items()
        if any(text in rows for text in windows)
    }
    order = sorted(near, key=lambda id_: -near[id_])  # ties stay most promising first
    worth = WEIGHT * len(near) / max(len(cut), 1) / (K + 1)
    said = (
        f"the deep tier read {len(near)} of {len(cut)} chunks in {deep.budget:g} s; "
        "ask again to read on, or give it more with --deep-budget"
    )
    return DeepRead(
        ranks={id_: rank for rank, id_ in enumerate(order, start=1)},
        shares={id_: worth * value for id_, value in _standard(near).items()},
        warnings=(said,) if len(near) < len(cut) else (),
    )


def _standard(values: Mapping[int, float]) -> dict[int, float]:
    """Each in standard deviations from the mean; all 0 where they are alike."""
    if not values:
        return {}
    mean = sum(values.values()) / len(values)
    off = {id_: value - mean for id_, value in values.items()}
    deviation = sqrt(sum(value * value for value in off.values()) / len(off))
    if deviation < _ALIKE:
        return dict.fromkeys(values, 0.0)
    return {id_: value / deviation for id_, value in off.items()}


def read_texts(
    texts: Sequence[str], deep: Deep, until: float = float("inf")
) -> tuple[dict[str, bytes], int]:
    """
    Float32 rows of the texts that are known or could be read in time, and how many were read.

    At least one call is made, so that however slow the model, every question gets on.

    Raises:
        ModelUnavailable: from the embedder; what was read before it is kept.
    """
    identity = _identity(deep.embedder)
    keys = {text: key_of(text) for text in texts}
    known = deep.cache.get(identity, list(keys.values()))
    missing = [text for text in keys if keys[text] not in known]
    rows = {text: known[key] for text, key in keys.items() if key in known}
    made = 0
    for some in _timed(missing, deep, until):
        fresh = _embed(some, deep.embedder, "document")
        deep.cache.put(identity, {keys[text]: row for text, row in fresh.items()})
        rows |= fresh
        made += len(fresh)
    return rows, made


def _timed(texts: Sequence[str], deep: Deep, until: float) -> Iterator[list[str]]:
    """Runs of ``texts`` that take the model a moment each, until the time is over."""
    done, size = 0, 2
    while done < len(texts):
        deep.progress(DEEP, done, len(texts))
        started = deep.now()
        # Of like length together: whatever pads a batch pads it little.
        yield sorted(texts[done : done + size], key=len)
        done += size
        now = deep.now()
        each = (now - started) / size
        room = min(_CALL_SECONDS, until - now)
        if room <= 0:
            return
        size = max(1, min(_MOST, int(room / each) if each > 0 else _MOST))


def _embed(texts: Sequence[str], embedder: Embedder, role: Role) -> dict[str, bytes]:
    vectors = embedder.embed(texts, role)
    if len(vectors) != len(texts) or vectors.dimension != embedder.identity.dimension:
        raise PluginFailed(
            f"embedder {embedder.identity.name} gave {len(vectors)} vectors of "
            f"{vectors.dimension} for {len(texts)} texts and "
            f"{embedder.identity.dimension} dimensions"
        )
    return {text: vectors.row(i) for i, text in enumerate(texts)}


def _identity(embedder: Embedder) -> EmbedderIdentity:
    """Under which its rows are kept: apart from those of whole chunks."""
    identity = embedder.identity
    return replace(identity, recipe=f"{identity.recipe}; {WINDOWS}")
