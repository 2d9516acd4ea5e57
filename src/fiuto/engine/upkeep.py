"""Keeps an index in step with its folder: with which parts, how patiently, and what was said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from fiuto import terms
from fiuto.config import UNSET, Settings, cores
from fiuto.engine.parts import Parts, choose
from fiuto.engine.places import Place
from fiuto.errors import FiutoError, IndexBusy, IndexCorrupt, IndexMissing
from fiuto.indexing.embedding import NO_MEANING
from fiuto.indexing.freshness import Freshness
from fiuto.model import Changes, Manifest, Mode, RefreshReport, Status
from fiuto.protocols import Embedder, Progress, Reader, Scanner, Store, VectorCache
from fiuto.search.profile import Profile
from fiuto.search.retrieve import Means
from fiuto.values import dataclass

__all__ = ["INCOMPLETE", "WAIT_COLD", "Ready", "Upkeep", "said_once", "silent"]

WAIT_COLD = 600.0
"""Seconds to wait for another process that is making the first index."""
_WAIT_WARM = 5.0
"""Seconds to wait for one that is refreshing; then the last whole generation answers."""
_AT_ONCE = 2_000_000
"""Bytes that the shipped model's index is made of in a few seconds, words and vectors together;
with another model, or more, words come first where that is asked for."""
INCOMPLETE = "the index is not complete yet: run 'fiuto index' to finish it"
"""The warning with an answer from a part of an index."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What one answer is made from."""

    reader: Reader
    means: Means
    warnings: Sequence[str]


class Upkeep:
    """The refreshing half of :class:`fiuto.engine.index.Index`; callers hold its lock."""

    def __init__(
        self,
        settings: Settings,
        profile: Profile,
        place: Place,
        scanner: Scanner,
        store: Store,
        cache: VectorCache,
        own: Embedder | None,
    ) -> None:
        self._settings = settings
        self._profile = profile
        self._place = place
        self._scanner = scanner
        self._store = store
        self._cache = cache
        self._own = own
        self._parts: tuple[tuple[Manifest | None, bool], Parts] | None = None

    def still_fresh(self, progress: Progress) -> bool:
        """
        Whether words can be looked up at once, with neither chunker nor model loaded.

        Not where one was asked for by name: then they must be compared first.
        """
        asked = (self._settings.embedder, self._settings.chunker)
        if self._own is not None or asked != (UNSET, UNSET):
            return False
        with suppress(IndexMissing, IndexCorrupt):
            present = self._store.read().manifest
            now = replace(present, scan=self._scanner.identity)
            folder = Freshness(self._scanner, self._store, time.time_ns, self._place.walk)
            return present.terms == terms.IDENTITY and folder.up_to_date(
                now, progress, embeddable=False
            )
        return False

    def choose(self, *, may_rebuild: bool) -> Parts:
        """
        The parts for the index as it is.

        Raises:
            IndexMismatch: it was built by others than asked for, and ``may_rebuild`` is False.
        """
        present: Manifest | None = None
        with suppress(IndexMissing, IndexCorrupt):
            present = self._store.read().manifest
        key = (present, may_rebuild)
        if self._parts is None or self._parts[0] != key:
            parts = choose(
                self._place.root, self._scanner.identity, self._settings, self._profile,
                present, self._own, may_rebuild=may_rebuild,
            )  # fmt: skip
            if parts.embedder is None:  # it may turn up: ask again next time
                return parts
            self._parts = (key, parts)
        return self._parts[1]

    def refresh_to_search(self, parts: Parts, progress: Progress) -> list[str]:
        """Refresh with little patience where there is something to answer from."""
        readable = False
        with suppress(IndexMissing, IndexCorrupt):
            readable = self._store.read().manifest.complete and not parts.rebuild
        try:
            wait = _WAIT_WARM if readable else WAIT_COLD
            report = self.refresh(parts, progress, rebuild=False, wait=wait)
        except (IndexBusy, OSError) as error:
            if not readable:
                raise
            why = "another process is indexing"
            if isinstance(error, OSError):
                why = f"the index cannot be refreshed ({error.filename}: {error.strerror})"
            return [f"{why}; these are results of the last whole index"]
        return list(report.warnings)

    def refresh(
        self,
        parts: Parts,
        progress: Progress,
        *,
        rebuild: bool,
        wait: float,
        words_first: bool = False,
    ) -> RefreshReport:
        """
        Index what is missing or changed.

        Raises:
            IndexBusy: another process kept the lock for ``wait`` seconds.
        """
        from fiuto.indexing.indexer import Indexer  # noqa: PLC0415 - a fresh index needs none

        started = time.monotonic()
        # Only some chunkers have a syntax to fall back from.
        given_up = getattr(parts.chunker, "fallbacks", 0)
        indexer = Indexer(
            scanner=self._scanner,
            chunker=parts.chunker,
            embedder=parts.embedder,
            store=self._store,
            cache=self._cache,
            instant=parts.instant,
            cores=cores(),
            note=self._place.walk,
        )
        try:
            outcome = indexer.refresh(
                parts.fresh, progress, rebuild=rebuild or bool(parts.rebuild), wait=wait,
                words_first=(_AT_ONCE if parts.instant else 0) if words_first else None,
            )  # fmt: skip
        except BaseException:
            self._note_if_written()
            raise
        warnings = list(outcome.warnings)
        missing = [f"{NO_MEANING}{parts.missing}"] if parts.missing else []
        if parts.rebuild:
            warnings.insert(0, f"the index was built anew: {parts.rebuild}")
        self._place.note()
        reader = self._store.read()
        return RefreshReport(
            status=Status(reader.manifest, reader.counts()),
            added=outcome.added,
            changed=outcome.changed,
            removed=outcome.removed,
            embedded=outcome.embedded,
            reused=outcome.reused,
            seconds=time.monotonic() - started,
            warnings=tuple(dict.fromkeys((*missing, *self.repairs(), *warnings))),
            fallbacks=getattr(parts.chunker, "fallbacks", 0) - given_up + indexer.fallbacks,
        )

    def changes(self) -> Changes:
        """
        What a refresh would find.

        Raises:
            IndexMissing: there is no index.
        """
        fresh = replace(self._store.read().manifest, scan=self._scanner.identity)
        return Freshness(self._scanner, self._store, time.time_ns).changes(fresh)

    def _note_if_written(self) -> None:
        """A refresh that was stopped may have committed a part, which must stay in the list."""
        with suppress(FiutoError, OSError):
            self._store.read()
            self._place.note()

    def repairs(self) -> list[str]:
        """What was damaged and mended since the last call."""
        said = list(self._store.repairs())
        told = getattr(self._cache, "repairs", None)
        return said + list(told() if told else ())

    def ready(self, mode: Mode, progress: Progress, *, refresh: bool) -> Ready:
        """
        What there is to answer with, after a refresh if that is wanted.

        A keyword question on an index that is still fresh needs neither chunker nor model.
        """
        means = Means(None)
        warnings: list[str] = []
        if not (mode == "lexical" and refresh and self.still_fresh(progress)):
            parts = self.choose(may_rebuild=False)
            means = Means(None, parts.missing)
            if refresh:
                warnings += self.refresh_to_search(parts, progress)
            if self._store.read().manifest.embedder == parts.fresh.embedder:
                means = Means(parts.embedder, parts.missing, instant=parts.instant)
        reader = self._store.read()
        warnings += self.repairs()
        if not reader.manifest.complete:
            warnings.append(INCOMPLETE)
        return Ready(reader, means, warnings)


def said_once(of_refresh: Sequence[str], of_search: Sequence[str]) -> tuple[str, ...]:
    """Each thing said once: a model that is missing hurts the refresh and the answer alike."""
    if of_search:
        of_refresh = [said for said in of_refresh if not said.startswith(NO_MEANING)]
    return tuple(dict.fromkeys((*of_refresh, *of_search)))


def silent(_stage: str, _done: int, _total: int) -> None:
    """Progress for nobody."""
