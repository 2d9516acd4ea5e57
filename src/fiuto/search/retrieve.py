"""Asks an index every question that may find candidates, and keeps the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from struct import pack

from fiuto.errors import ModelUnavailable
from fiuto.filters import admitting
from fiuto.model import Query, Scored, TermQuery
from fiuto.protocols import Comparing, Embedder, Reader, VectorCache
from fiuto.search.asked import Asked
from fiuto.search.frames import resolve
from fiuto.search.profile import Profile
from fiuto.search.remembered import key_of
from fiuto.search.vectors import cosine, values
from fiuto.values import dataclass

__all__ = ["FUSED", "Lists", "Means", "nearness", "retrieve"]

FUSED: tuple[str, ...] = ("lexical", "semantic")
"""The lists whose places are fused; the others bring candidates and evidence."""

_FILES = 100
"""Files that the keyword side ranks as wholes."""


@dataclass(frozen=True, slots=True)
class Means:
    """What questions are answered with."""

    embedder: Embedder | None
    missing: str = ""
    """Why there is no embedder, for the warning."""
    instant: bool = False
    """Whether the embedder reads a hundred short texts in no time worth speaking of."""
    kept: VectorCache | None = None
    """Where the cards of a question are kept, so that asking it again loads no model."""


@dataclass(frozen=True, slots=True)
class Lists:
    """Scores by name of the list and chunk id, best first, and what could not be asked."""

    scores: Mapping[str, Mapping[int, float]]
    vector: bytes | None = None
    """The question's row, where there is a model."""
    warnings: tuple[str, ...] = ()

    @property
    def cosines(self) -> Mapping[int, float]:
        """How near each chunk of the semantic list is to the question."""
        return self.scores.get("semantic", {})

    @property
    def fused(self) -> dict[str, list[int]]:
        """The ids of the lists whose places count, the keyword list first."""
        return {name: list(self.scores[name]) for name in FUSED if name in self.scores}


def retrieve(
    query: Query, asked: Asked, reader: Reader, means: Means, profile: Profile, *, wide: bool
) -> Lists:
    """
    The best ``profile.pool`` chunks of each list that ``query.mode`` asks for.

    One list alone may be longer: its order does not depend on where it is cut, as
    that of two fused lists does.  Where the model is missing the keyword list answers
    alone, with one warning.

    Args:
        query: what is asked.
        asked: the same, understood.
        reader: one generation of an index.
        means: what it is answered with.
        profile: constants of the pipeline.
        wide: ask for candidates by symbol, path, file and frame too.
    """
    limit = profile.pool if query.mode == "hybrid" else max(profile.pool, query.k)
    semantic: Sequence[Scored] = ()
    vector: bytes | None = None
    warnings: tuple[str, ...] = ()
    if query.mode != "lexical":
        try:
            vector = _vector(asked, means)
            semantic = reader.match_vector(vector, query.where, limit)
        except ModelUnavailable as error:
            warnings = (f"keyword results only: {error}",)
    scores: dict[str, Sequence[Scored]] = {}
    if query.mode != "semantic" or vector is None:
        scores = _by_terms(query, asked, reader, profile, limit, wide=wide)
    if vector is not None:
        scores["semantic"] = semantic
    if wide and asked.frames:
        scores["frames"] = _framed(asked, reader, query)
    by_name = {name: {s.id: s.score for s in found} for name, found in scores.items()}
    return Lists(by_name, vector, warnings)


def _by_terms(
    query: Query, asked: Asked, reader: Reader, profile: Profile, limit: int, *, wide: bool
) -> dict[str, Sequence[Scored]]:
    words = TermQuery(
        asked.terms,
        symbol=0.0 if "symbol" in query.without else profile.symbol,
        path=0.0 if "path" in query.without else profile.path,
        unit=query.unit,
    )
    scores = {"lexical": reader.match_terms(words, query.where, limit)}
    if wide:
        only = replace(words, body=0.0, symbol=0.0, path=0.0, unit="chunk")
        more = {
            "symbol": (replace(only, symbol=1.0), limit),
            "path": (replace(only, path=1.0), limit),
            "file": (replace(only, body=1.0, symbol=1.0, path=1.0, unit="file"), _FILES),
        }
        for name, (asking, most) in more.items():
            scores[name] = reader.match_terms(asking, query.where, most)
    return scores


def _vector(asked: Asked, means: Means) -> bytes:
    if means.embedder is None:
        raise ModelUnavailable(means.missing or "the index has no vectors of this model")
    return means.embedder.embed([asked.text], "query").row(0)


def _framed(asked: Asked, reader: Reader, query: Query) -> list[Scored]:
    """The chunks that a trace points at, 1 for the innermost and less for each further out."""
    admits = admitting(query.where)
    admitted = [f.path for f in reader.files().values() if admits(f.path, f.language, f.label)]
    found: dict[int, float] = {}
    for nth, (path, line) in enumerate(resolve(asked.frames, admitted)):
        for i, stored in enumerate(reader.chunks_of(path)):
            chunk = stored.chunk
            if chunk.start <= line <= chunk.end:
                found.setdefault(stored.id, 1 / (1 + nth))
            elif not line:  # a file without a line is read from its beginning
                found.setdefault(stored.id, 1 / (1 + nth + i))
    return [Scored(id_, score) for id_, score in found.items()]


def nearness(
    vector: bytes | None, means: Means
) -> Callable[[Sequence[str]], tuple[float, ...]] | None:
    """
    What tells the cosine of some short texts to the question, None where nothing can.

    Only where the model is instant: a transformer would take seconds for it.

    Args:
        vector: the question's row.
        means: the model that made it.
    """
    if vector is None or means.embedder is None or not means.instant:
        return None
    return partial(_known, vector=vector, embedder=means.embedder, kept=means.kept)


def _known(
    texts: Sequence[str], vector: bytes, embedder: Embedder, kept: VectorCache | None
) -> tuple[float, ...]:
    """How near each text is to ``vector``: a row of their cosines is kept, not theirs."""
    if kept is None:
        return _near(texts, vector, embedder)
    identity = replace(embedder.identity, recipe=f"{embedder.identity.recipe}; cards")
    # Lengths first, or other texts might join to the same.
    key = key_of("\n".join([vector.hex(), *(f"{len(text)} {text}" for text in texts)]))
    row = kept.get(identity, [key]).get(key)
    if row is not None and len(row) == 4 * len(texts):
        return values(row)
    near = _near(texts, vector, embedder)
    row = pack(f"<{len(near)}f", *near)
    kept.put(identity, {key: row})
    return values(row)  # rounded already: the same question has the same scores again


def _near(texts: Sequence[str], vector: bytes, embedder: Embedder) -> tuple[float, ...]:
    if isinstance(embedder, Comparing):
        return tuple(embedder.nearness(texts, vector))
    vectors = embedder.embed(texts, "document")
    asked = values(vector)
    return tuple(cosine(asked, vectors.row(i)) for i in range(len(texts)))
