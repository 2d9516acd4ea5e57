"""
Several indexes as one, so that one question is asked of all and answered in one order.

Lists are merged by score.  Cosines of one embedder mean the same everywhere.  BM25 weighs
a word by how rare it is in its own index; a word that is rare in one and common in another
counts more where it is rare, which is what it would tell there.  Weighing it by its
rarity in all of them finds no more: docs/scale.md.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice

from fiuto.model import (
    Counts,
    FileRecord,
    Manifest,
    Scored,
    Skipped,
    StoredChunk,
    TermQuery,
    Where,
)
from fiuto.protocols import Reader
from fiuto.store.several import repository_of, summed

__all__ = ["JoinedReader"]

_SHIFT = 64
"""Bits of an id that are its index's own: those of a server are hashes of 63."""
_AHEAD = 2
"""Times its even share that each index is asked for at first: of twelve, few hold more of the
best than that, and only those are asked again."""


class JoinedReader:
    """
    Implements :class:`fiuto.protocols.JointReader`.

    Args:
        readers: by name; not empty.
        revision: tells what of one was indexed, by its name.
    """

    def __init__(self, readers: Mapping[str, Reader], revision: Callable[[str], str]) -> None:
        self._names = list(readers)
        self._readers = list(readers.values())
        self._revision = cache(revision)  # hits share repositories

    @property
    def manifest(self) -> Manifest:
        manifests = [reader.manifest for reader in self._readers]
        return replace(manifests[0], complete=all(m.complete for m in manifests))

    def files(self) -> Mapping[str, FileRecord]:
        return {
            f"{name}/{path}": replace(record, path=f"{name}/{path}")
            for name, reader in zip(self._names, self._readers, strict=True)
            for path, record in reader.files().items()
        }

    def skipped(self) -> Sequence[Skipped]:
        return [
            replace(skipped, path=f"{name}/{skipped.path}")
            for name, reader in zip(self._names, self._readers, strict=True)
            for skipped in reader.skipped()
        ]

    def counts(self) -> Counts:
        return summed([reader.counts() for reader in self._readers])

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> Sequence[Scored]:
        return self._merged(lambda reader, most: reader.match_terms(query, where, most), limit)

    def match_vector(self, vector: bytes, where: Where, limit: int) -> Sequence[Scored]:
        return self._merged(lambda reader, most: reader.match_vector(vector, where, most), limit)

    def chunks(self, ids: Sequence[int]) -> Mapping[int, StoredChunk]:
        own: dict[int, list[int]] = {}
        for id_ in ids:
            own.setdefault(id_ >> _SHIFT, []).append(id_ & ((1 << _SHIFT) - 1))
        found = {}
        for nth, some in own.items():
            for stored in self._readers[nth].chunks(some).values():
                named = self._named(nth, stored)
                found[named.id] = named
        return {id_: found[id_] for id_ in ids if id_ in found}

    def chunks_of(self, path: str) -> Sequence[StoredChunk]:
        name = self.repository_of(path)
        if not name:
            return []
        nth = self._names.index(name)
        below = path.removeprefix(f"{name}/")
        return [self._named(nth, stored) for stored in self._readers[nth].chunks_of(below)]

    def repository_of(self, path: str) -> str:
        return repository_of(path, self._names)

    def revision_of(self, repository: str) -> str:
        return self._revision(repository)

    def _named(self, nth: int, stored: StoredChunk) -> StoredChunk:
        return replace(
            stored, id=(nth << _SHIFT) | stored.id, path=f"{self._names[nth]}/{stored.path}"
        )

    def _merged(self, ask: Callable[[Reader, int], Sequence[Scored]], limit: int) -> list[Scored]:
        share = min(limit, _AHEAD * -(-limit // len(self._readers)))
        lists = [
            _listed(nth, partial(ask, reader), share, limit)
            for nth, reader in enumerate(self._readers)
        ]
        best = islice(heapq.merge(*lists), max(limit, 0))
        return [Scored(id_, -lost) for lost, id_ in best]


def _listed(
    nth: int, ask: Callable[[int], Sequence[Scored]], share: int, limit: int
) -> Iterator[tuple[float, int]]:
    """
    The list of one index as (score below zero, id), asked for more only where that is read.

    Of equal scores at the end of a short list any may be there, so these wait for the long one.
    """
    found = ask(share)
    given: set[int] = set()
    if len(found) == share < limit:
        sure = [scored for scored in found if scored.score > found[-1].score]
        yield from ((-scored.score, (nth << _SHIFT) | scored.id) for scored in sure)
        given.update(scored.id for scored in sure)
        found = ask(limit)
    for scored in found:
        if scored.id not in given:
            yield -scored.score, (nth << _SHIFT) | scored.id
