"""Asks an index both questions and returns ranked lists of chunk ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fiuto.errors import ModelUnavailable
from fiuto.model import Query, Scored, TermQuery
from fiuto.protocols import Embedder, Reader
from fiuto.search.profile import Profile
from fiuto.terms import terms

__all__ = ["Lists", "retrieve"]


@dataclass(frozen=True, slots=True)
class Lists:
    """Ranked chunk ids by name of the list, and what could not be asked."""

    ids: dict[str, list[int]]
    warnings: tuple[str, ...] = ()
    cosines: dict[int, float] = field(default_factory=dict)
    """How near each chunk of the semantic list is to the question."""


def retrieve(
    query: Query, reader: Reader, embedder: Embedder | None, profile: Profile, missing: str = ""
) -> Lists:
    """
    The best ``profile.pool`` chunks of each list that ``query.mode`` asks for.

    One list alone may be longer: its order does not depend on where it is cut, as
    that of two fused lists does.  Where the model is missing the keyword list answers
    alone, with one warning.
    """
    limit = profile.pool if query.mode == "hybrid" else max(profile.pool, query.k)
    ids: dict[str, list[int]] = {}
    cosines: dict[int, float] = {}
    warnings: tuple[str, ...] = ()
    if query.mode != "lexical":
        try:
            if embedder is None:
                raise ModelUnavailable(missing or "the index has no vectors of this model")
            found = _semantic(query, reader, embedder, limit)
            cosines = {scored.id: scored.score for scored in found}
            ids["semantic"] = list(cosines)
        except ModelUnavailable as error:
            warnings = (f"keyword results only: {error}",)
    if query.mode != "semantic" or "semantic" not in ids:
        words = TermQuery(
            tuple(terms(query.text)),
            symbol=0.0 if "symbol" in query.without else profile.symbol,
            path=0.0 if "path" in query.without else profile.path,
            unit=query.unit,
        )
        found = reader.match_terms(words, query.where, limit)
        # The keyword list comes first wherever lists are shown.
        ids = {"lexical": [scored.id for scored in found], **ids}
    return Lists(ids, warnings, cosines)


def _semantic(query: Query, reader: Reader, embedder: Embedder, limit: int) -> Sequence[Scored]:
    vector = embedder.embed([query.text], "query").row(0)
    return reader.match_vector(vector, query.where, limit)
