"""One folder's index, as every surface and every Python caller sees it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from fiuto.config import Settings
from fiuto.engine.answering import answer, relate
from fiuto.engine.deepening import DeepParts, Reading, read_everything
from fiuto.engine.parts import make_scanner, profile_named
from fiuto.engine.places import Place
from fiuto.engine.questions import make_query
from fiuto.engine.sources import source_of
from fiuto.engine.upkeep import WAIT_COLD, Ready, Upkeep, silent
from fiuto.errors import IndexCorrupt
from fiuto.model import (
    Changes,
    DeepReport,
    FileRecord,
    Found,
    Mode,
    Query,
    RefreshReport,
    Results,
    Skipped,
    SourceFile,
    Status,
    Unit,
)
from fiuto.protocols import Embedder, Progress, Scanner, Store, VectorCache

__all__ = ["Index"]


class Index:
    """
    The index of one folder: refresh it, search it, ask about it.

    A context manager; safe to use from several threads.  Made by :func:`fiuto.open`.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        place: Place,
        store: Store,
        cache: VectorCache,
        embedder: Embedder | None = None,
    ) -> None:
        self.root = root
        self.place = place
        self._settings = settings
        self._store = store
        self._cache = cache
        self._profile = profile_named(settings.profile)
        self._scanner = make_scanner(root, settings, self._profile)
        self._deep = DeepParts(settings, cache)
        self._lock = threading.RLock()
        self._upkeep = Upkeep(settings, self._profile, place, self._scanner, store, cache, embedder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let files go; the index stays on disk."""
        self._store.close()
        self._cache.close()

    def refresh(
        self, *, progress: Progress | None = None, rebuild: bool = False, words_first: bool = False
    ) -> RefreshReport:
        """
        Index what is missing or changed, and nothing else.

        Args:
            progress: called with (stage, done, total).
            rebuild: start over; also done where another embedder or chunker was asked for.
            words_first: commit all words before the first vector, where that takes a while.

        Raises:
            IndexBusy: another process is writing and did not finish in time.
            UsageError: a setting that cannot be used.
        """
        with self._lock:
            parts = self._upkeep.choose(may_rebuild=True)
            return self._upkeep.refresh(
                parts, progress or silent, rebuild=rebuild, wait=WAIT_COLD, words_first=words_first
            )

    def search(
        self,
        question: str,
        *,
        k: int | None = None,
        mode: str | None = None,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        only: Sequence[str] = (),
        no: Sequence[str] = (),
        lexical_unit: Unit = "chunk",
        without: Sequence[str] = (),
        weights: Mapping[str, float] | None = None,
        deep: bool | None = None,
        deep_budget: float | None = None,
        refresh: bool = True,
        verify: bool = True,
        progress: Progress | None = None,
    ) -> Results:
        """
        Answer a question, after indexing what is missing or changed.

        Args:
            question: plain words, an identifier, anything.
            k: hits at most.
            mode: ``hybrid``, ``lexical`` or ``semantic``.
            paths: globs; any of them may match.
            languages: names as in :data:`fiuto.languages.LANGUAGES`.
            only: labels that may answer.
            no: labels that may not.
            lexical_unit: rank chunks, or whole files carried to their first chunk.
            without: signals to leave out, for measuring what each is worth.
            weights: of lists and signals by name instead of the table's, for learning them.
            deep: have the best of the pool read again by a slower model; the settings' choice
                where it is None.
            deep_budget: seconds for that; what was read by then counts.
            refresh: False answers from the index as it is.
            verify: False skips the look at each hit's file, for measuring at depth.
            progress: called with (stage, done, total) while indexing and reading.

        Raises:
            UsageError: an empty question, an unknown label, language or mode, a bad glob.
            IndexMissing: ``refresh`` is False and there is no index.
            IndexMismatch: the index was built by another embedder or chunker than asked for.
        """
        query = make_query(
            question,
            k=self._settings.k if k is None else k,
            mode=mode or self._settings.mode,
            paths=paths,
            languages=languages,
            only=only,
            no=no,
            unit=lexical_unit,
            without=without,
            weights=weights,
        )
        reading = self._deep.asked(deep, deep_budget, progress or silent)
        try:
            return self._answer(query, progress or silent, reading, refresh=refresh, verify=verify)
        except IndexCorrupt as error:
            # Found while reading rows, after the index had looked sound.
            if not refresh:
                raise
            self.refresh(progress=progress, rebuild=True)
            results = self._answer(query, silent, reading, refresh=False, verify=verify)
            return replace(results, warnings=(f"{error}; indexed anew", *results.warnings))

    def related(
        self,
        path: str | Path,
        line: int,
        *,
        k: int | None = None,
        mode: str | None = None,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        only: Sequence[str] = (),
        no: Sequence[str] = (),
        refresh: bool = True,
        progress: Progress | None = None,
    ) -> Results:
        """
        The chunks most like the one at ``path:line``; those of the same file come last.

        ``path`` is relative or absolute, ``line`` any of it, from 1; the rest as in :meth:`search`.

        Raises:
            UsageError: the file is not in the index or has no such line, or a filter that
                means nothing.
            IndexMissing: ``refresh`` is False and there is no index.
            IndexMismatch: the index was built by another embedder or chunker than asked for.
        """
        query = make_query(
            f"{path}:{line}",
            k=self._settings.k if k is None else k,
            mode=mode or self._settings.mode,
            paths=paths,
            languages=languages,
            only=only,
            no=no,
        )
        ready = self.ready(query.mode, progress or silent, refresh=refresh)
        place = (path, line)
        return relate(query, place, ready, self._profile, self._scanner, self._cache)

    def _answer(
        self, query: Query, progress: Progress, reading: Reading, *, refresh: bool, verify: bool
    ) -> Results:
        ready = self.ready(query.mode, progress, refresh=refresh)
        scanner = self._scanner if verify else None
        return answer(query, ready, self._profile, scanner, self._cache, reading)

    def ready(self, mode: Mode, progress: Progress, *, refresh: bool) -> Ready:
        """What an answer is made from, as :meth:`search` makes it."""
        with self._lock:
            return self._upkeep.ready(mode, progress, refresh=refresh)

    def deepen(self, *, progress: Progress | None = None) -> DeepReport:
        """
        Have every chunk of the index read by the deep tier's model, sources first.

        Stopped at any point, it keeps what was done and goes on from there next time.

        Raises:
            IndexMissing: there is no index.
            ModelUnavailable: the model is not there; the message says how to get it.
        """
        return read_everything(self._store.read(), self._deep.needed(progress or silent))

    def status(self) -> Status:
        """
        The index in figures, as it stands.

        Raises:
            IndexMissing: there is none.
        """
        reader = self._store.read()
        return Status(reader.manifest, reader.counts())

    def skipped(self) -> Sequence[Skipped]:
        """
        Every file and folder that was left out, with the reason.

        Raises:
            IndexMissing: there is no index.
        """
        return self._store.read().skipped()

    def why(self, path: str | Path) -> Skipped | Found:
        """
        Whether a file would be indexed now, and why not.

        Raises:
            UsageError: the path is outside the root, or there is no such file.
        """
        return self._scanner.why(path)

    def source(self, path: str) -> SourceFile | Skipped:
        """
        One file as it would be indexed now, or why it would not.

        Args:
            path: relative to the root; absolute paths, and paths through a link, lead nowhere.

        Raises:
            UsageError: the path is outside the root, or there is no such file.
        """
        return source_of(self._scanner, self.root, path)

    def changes(self) -> Changes:
        """
        What a refresh would find, without doing it; reads only files whose stamps changed.

        Raises:
            IndexMissing: there is no index.
        """
        return self._upkeep.changes()

    def files(self) -> Mapping[str, FileRecord]:
        """
        Every indexed file by path.

        Raises:
            IndexMissing: there is no index.
        """
        return self._store.read().files()

    @property
    def scanner(self) -> Scanner:
        """Finds and reads files as a refresh does."""
        return self._scanner

    @property
    def profile(self) -> str:
        """The name of the profile that answers."""
        return self._profile.name

    def size(self) -> int:
        """Bytes the index takes on disk."""
        return self._store.size()
