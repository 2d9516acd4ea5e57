"""
The deep tier: the best of the pool are read again by a model that is too slow for all.

Only as long as the question has time.  What was read is kept in the shared vector
store, by model and text, so the next question about the same code finds it there.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from operator import mul

from fiuto.errors import ModelUnavailable, PluginFailed
from fiuto.model import EmbedderIdentity, Role, StoredChunk
from fiuto.protocols import Embedder, Progress, VectorCache
from fiuto.search.asked import bare_identifier
from fiuto.search.fuse import K
from fiuto.search.remembered import key_of
from fiuto.search.windows import WINDOWS, windows_of

__all__ = ["CANDIDATES", "DEEP", "Deep", "DeepRead", "candidates", "deepen", "read_texts"]

DEEP = "deep"
"""What the list is called in the ranks and the parts of a hit."""
CANDIDATES = 50
"""Chunks read: 0.82 of the right ones are among them on grep-proof questions, and two windows of
each fit the usual three seconds."""
WEIGHT = 4.0
"""Times a place in one list, so that signals still count: at 16 and more, tests and docs come
before the code again: docs/decisions.md."""
_MOST = 16
"""Texts a call at most: a stop or the end of the time waits for one call."""
_CALL_SECONDS = 0.25


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
    """A third list: 1-based ranks by chunk id, and what each place is worth."""

    ranks: Mapping[int, int] = field(default_factory=dict)
    weight: float = 0.0
    warnings: tuple[str, ...] = ()

    def share(self, id_: int) -> dict[str, float]:
        """What the list adds to the score of one chunk; nothing where it does not hold it."""
        rank = self.ranks.get(id_)
        return {} if rank is None else {DEEP: self.weight / (K + rank)}


def candidates(*lists: Sequence[int], most: int | None = CANDIDATES) -> list[int]:
    """
    The ids to read, most promising first: of each list in turn, each once, ``most`` at most.

    >>> candidates([1, 2, 3], [3, 4])
    [1, 3, 2, 4]
    """
    turns = [id_ for row in zip_longest(*lists) for id_ in row if id_ is not None]
    return list(dict.fromkeys(turns))[:most]


def deepen(
    question: str, chunks: Sequence[StoredChunk], cosines: Mapping[int, float], deep: Deep
) -> DeepRead:
    """
    Rank ``chunks``, which come most promising first, by what two models think of them.

    A chunk is as near as the nearest of its windows, plus its cosine by the index's own model
    in ``cosines``: each reads what the other overlooks, a few lines in order here, all words
    of the chunk there.  One without a cosine was farther than all that have one.

    First windows are read before second ones.  Where the time ends first, chunks that were
    not read are in no place of the list, and the list counts less by their share: the one
    chunk that a slow model could read is not the best one for that.
    """
    if bare_identifier(question):  # a model of sentences knows no names
        return DeepRead()
    until = deep.now() + deep.budget
    cut = {stored.id: windows_of(stored.path, stored.chunk) for stored in chunks}
    rounds = zip_longest(*cut.values())
    texts = [text for nth in rounds for text in nth if text is not None]
    try:
        asked = _values(_embed([question], deep.embedder, "query")[question])
        rows, _ = read_texts(texts, deep, until)
    except ModelUnavailable as error:
        return DeepRead(warnings=(f"not read deeply: {error}",))
    farthest = min(cosines.values(), default=0.0)
    scores = {
        id_: max(_cosine(asked, rows[text]) for text in windows if text in rows)
        + cosines.get(id_, farthest)
        for id_, windows in cut.items()
        if any(text in rows for text in windows)
    }
    order = sorted(scores, key=lambda id_: -scores[id_])  # ties stay most promising first
    said = (
        f"the deep tier read {len(scores)} of {len(cut)} chunks in {deep.budget:g} s; "
        "ask again to read on, or give it more with --deep-budget"
    )
    return DeepRead(
        ranks={id_: rank for rank, id_ in enumerate(order, start=1)},
        weight=WEIGHT * len(scores) / max(len(cut), 1),
        warnings=(said,) if len(scores) < len(cut) else (),
    )


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


def _values(row: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(row) // 4}f", row)


def _cosine(asked: tuple[float, ...], row: bytes) -> float:
    return sum(map(mul, asked, _values(row)), 0.0)
