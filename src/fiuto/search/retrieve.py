"""Asks an index every question that may find candidates, and keeps the scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul
from struct import unpack

from fiuto.errors import ModelUnavailable
from fiuto.globs import compile_globs
from fiuto.model import FileRecord, Query, Scored, StoredChunk, TermQuery, Where
from fiuto.protocols import Embedder, Reader
from fiuto.search.asked import Asked
from fiuto.search.frames import resolve
from fiuto.search.profile import Profile
from fiuto.search.words import symbols_of

__all__ = ["FUSED", "Lists", "Means", "cards", "retrieve"]

FUSED: tuple[str, ...] = ("lexical", "semantic")
"""The lists whose places are fused; the others bring candidates and evidence."""

_FILES = 100
"""Files that the keyword side ranks as wholes, and files that get a card."""


@dataclass(frozen=True, slots=True)
class Means:
    """What questions are answered with."""

    embedder: Embedder | None
    missing: str = ""
    """Why there is no embedder, for the warning."""
    instant: bool = False
    """Whether the embedder reads a hundred short texts in no time worth speaking of."""


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
    files = reader.files()
    admitted = [path for path, record in files.items() if _admits(query.where, record)]
    found: dict[int, float] = {}
    for nth, (path, line) in enumerate(resolve(asked.frames, admitted)):
        for i, stored in enumerate(reader.chunks_of(path)):
            chunk = stored.chunk
            if chunk.start <= line <= chunk.end:
                found.setdefault(stored.id, 1 / (1 + nth))
            elif not line:  # a file without a line is read from its beginning
                found.setdefault(stored.id, 1 / (1 + nth + i))
    return [Scored(id_, score) for id_, score in found.items()]


def _admits(where: Where, record: FileRecord) -> bool:
    return (
        (not where.paths or bool(compile_globs(where.paths).match(record.path)))
        and (not where.languages or record.language in where.languages)
        and (not where.only or record.label in where.only)
        and record.label not in where.no
    )


def cards(chunks: Iterable[StoredChunk], vector: bytes | None, means: Means) -> dict[str, float]:
    """
    How near in meaning each file's name and symbols are to the question, by path.

    Only where the model is instant: a transformer would take seconds for it.

    Args:
        chunks: candidates, most promising first; the files of the first ones get a card.
        vector: the question's row.
        means: the model that made it.
    """
    if vector is None or means.embedder is None or not means.instant:
        return {}
    names: dict[str, dict[str, None]] = {}
    for stored in chunks:
        if stored.path in names or len(names) < _FILES:
            names.setdefault(stored.path, {}).update(dict.fromkeys(symbols_of(stored.chunk.symbol)))
    texts = [
        f"{path.replace('/', ' ')} {path.rpartition('/')[2]}\n{' '.join(symbols)}"
        for path, symbols in names.items()
    ]
    vectors = means.embedder.embed(texts, "document")
    asked = _values(vector)
    return {path: sum(map(mul, asked, _values(vectors.row(i)))) for i, path in enumerate(names)}


def _values(row: bytes) -> tuple[float, ...]:
    return unpack(f"<{len(row) // 4}f", row)
