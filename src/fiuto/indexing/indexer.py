"""
Runs a plan: read, chunk, embed, commit, in batches of bounded size.

A refresh that fits one batch is one atomic generation.  A longer one commits as it
goes, marked incomplete until the last batch, so that a stop keeps what was done
and a reader can tell.  Where somebody waits, all words are committed before the first
vector is made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path

from fiuto.errors import ModelUnavailable
from fiuto.indexing.crew import Crew, embeds_alone, pays
from fiuto.indexing.embedding import NO_MEANING, Embedded, document_text, embed_chunks
from fiuto.indexing.freshness import Freshness
from fiuto.indexing.plan import settled
from fiuto.indexing.preparing import Prepared, prepare
from fiuto.model import (
    Batch,
    FileRecord,
    Found,
    IndexedChunk,
    IndexedFile,
    Manifest,
    Skipped,
)
from fiuto.protocols import Chunker, Embedder, Progress, Reader, Scanner, Store, VectorCache, Writer

__all__ = ["Indexer", "Outcome"]

_BATCH_CHARS = 32_000_000
"""Text held before a commit: with its vectors some 150 MB, and 40 commits for a kernel."""
_WORDS_CHARS = 2_000_000
"""The same where only words are committed, for somebody to read meanwhile: about two seconds."""


@dataclass(slots=True)
class Outcome:
    """What a refresh did, counted as it went."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    embedded: int = 0
    reused: int = 0
    warnings: list[str] = field(default_factory=list)


class Indexer:
    """Brings one store up to date with one folder."""

    def __init__(
        self,
        *,
        scanner: Scanner,
        chunker: Chunker,
        embedder: Embedder | None,
        store: Store,
        cache: VectorCache,
        instant: bool = False,
        cores: int = 1,
        note: Path | None = None,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._scanner = scanner
        self._instant = instant
        self._cores = cores
        self._chunker = chunker
        self._embedder = embedder
        self._store = store
        self._cache = cache
        self._now_ns = now_ns
        self._freshness = Freshness(scanner, store, now_ns, note)
        self.fallbacks = 0
        """How many texts other processes cut without their syntax."""

    def refresh(
        self,
        fresh: Manifest,
        progress: Progress,
        *,
        rebuild: bool,
        wait: float,
        words_first: int | None = None,
    ) -> Outcome:
        """
        Index what is missing or changed.

        Args:
            fresh: the manifest of an index started now.
            progress: told of each stage.
            rebuild: start over even if an index is there.
            wait: seconds to wait for another writer.
            words_first: with more bytes than this to read, words are committed first and
                vectors follow; None: both together.

        Raises:
            IndexBusy: another process kept the lock.
        """
        outcome = Outcome()
        folder, embeddable = self._freshness, self._embedder is not None
        outcome.warnings = folder.warnings
        if not rebuild and folder.up_to_date(fresh, progress, embeddable=embeddable):
            return outcome
        with self._store.write(wait) as writer:
            reader = None if rebuild else folder.open()
            if reader is None:
                writer.reset(fresh)
            # Whoever held the lock may have done the work.
            todo = folder.plan_again(reader, fresh, progress, embeddable=embeddable)
            known = folder.known(reader) if reader else {}
            size = sum(found.stamp.size for found in todo.read)
            apart = embeddable and words_first is not None and size > words_first
            apart = apart and (reader is not None or self._seen_growing())
            del reader  # or the writer would find it in its way
            run = _Run(self._embedder, self._cache, writer, progress, outcome)
            run.words_only = apart
            run.drop(todo.drop)
            skipped = list(todo.skipped)
            with closing(self._prepared(todo.read)) as coming:
                for done, prepared in enumerate(coming):
                    progress("read", done, len(todo.read))
                    if isinstance(prepared, Skipped):
                        skipped.append(self._lasting(prepared))
                        run.drop((prepared.path,) if prepared.path in known else ())
                    else:
                        run.add(prepared, known.get(prepared.record.path))
            run.finish(tuple(skipped), fresh.scan)
            if apart:
                run.add_vectors(self._store.read())
        folder.keep(self._store.read().manifest.generation, embedded=run.embeds)
        return outcome

    def _prepared(self, files: Sequence[Found]) -> Generator[Prepared | Skipped]:
        """What comes of each of ``files``; by several processes where that is faster."""
        done = 0
        if pays(files, self._cores):
            shared = self._embedder if self._instant else None
            alone = embeds_alone(files, self._cores)
            parts = (self._scanner, self._chunker, shared)
            with Crew(parts, self._cores, embeds_alone=alone) as crew:
                for prepared in crew.prepare(files):
                    yield prepared
                    done += 1
            self.fallbacks += crew.fallbacks
        for found in files[done:]:
            yield prepare(found, self._scanner, self._chunker, self._now_ns)

    def _seen_growing(self) -> bool:
        """Whether readers see what was just begun; not where it grows beside an older index."""
        begun = self._freshness.open()
        return begun is not None and begun.manifest.generation == 0

    def _lasting(self, skipped: Skipped) -> Skipped:
        """A decision on content is kept only if a later change must show in the stamp."""
        if skipped.stamp is None or settled(skipped.stamp, self._now_ns()):
            return skipped
        return replace(skipped, stamp=None)


class _Run:
    """One refresh under the lock: collects files into batches and commits them."""

    def __init__(
        self,
        embedder: Embedder | None,
        cache: VectorCache,
        writer: Writer,
        progress: Progress,
        outcome: Outcome,
    ) -> None:
        self._embedder = embedder
        self._cache = cache
        self._writer = writer
        self._progress = progress
        self._outcome = outcome
        self._files: list[Prepared] = []
        self._dropped: list[str] = []
        self._chars = 0
        self.words_only = False
        """Whether vectors are left for later."""

    @property
    def embeds(self) -> bool:
        """Whether the model was there to the end."""
        return self._embedder is not None

    def drop(self, paths: Iterable[str]) -> None:
        """Take files out of the index."""
        self._dropped += paths

    def add(self, prepared: Prepared, before: FileRecord | None) -> None:
        """Put a file in, or in again."""
        self._outcome.added += before is None
        self._outcome.changed += before is not None and before.digest != prepared.record.digest
        self._put(prepared)

    def _put(self, prepared: Prepared) -> None:
        self._files.append(prepared)
        self._chars += prepared.chars
        if self._chars > (_WORDS_CHARS if self.words_only else _BATCH_CHARS):
            self._commit()

    def finish(self, skipped: tuple[Skipped, ...], scan: str) -> None:
        """Commit what is left and mark the index complete, under the rules ``scan``."""
        self._commit(skipped, scan, complete=not self.words_only)

    def add_vectors(self, reader: Reader) -> None:
        """Embed what ``reader`` holds without vectors, and mark the index complete."""
        self.words_only = False
        for record in list(reader.files().values()):
            if not record.embedded:
                chunks = tuple(stored.chunk for stored in reader.chunks_of(record.path))
                chars = sum(len(chunk.text) for chunk in chunks)
                self._put(Prepared(replace(record, embedded=True), chars, chunks, None))
        self._commit(complete=True)

    def _commit(
        self,
        skipped: tuple[Skipped, ...] | None = None,
        scan: str | None = None,
        *,
        complete: bool = False,
    ) -> None:
        files = self._indexed()
        self._progress("commit", 0, 0)
        self._writer.apply(
            Batch(
                files=files,
                dropped=tuple(self._dropped),
                skipped=skipped,
                complete=complete,
                scan=scan,
            )
        )
        self._outcome.removed += len(self._dropped)
        self._files, self._dropped, self._chars = [], [], 0

    def _indexed(self) -> tuple[IndexedFile, ...]:
        bare = [file for file in self._files if file.vectors is None]
        texts = [document_text(file.record.path, c) for file in bare for c in file.chunks]
        embedded = self._embed(texts) if bare else None
        rows = iter(zip(embedded.vectors, embedded.truncated, strict=True)) if embedded else None
        out = []
        for file in self._files:
            record, vectors = file.record, file.vectors
            if vectors is not None:
                self._outcome.embedded += len(vectors)
            elif rows is None:
                chunks = map(IndexedChunk, file.chunks, repeat(None), file.terms or repeat(None))
                out.append(IndexedFile(replace(record, embedded=False), tuple(chunks)))
                continue
            else:
                pairs = [next(rows) for _ in file.chunks]
                vectors = tuple(vector for vector, _ in pairs)
                record = replace(record, truncated=sum(cut for _, cut in pairs))
            chunks = map(IndexedChunk, file.chunks, vectors, file.terms or repeat(None))
            out.append(IndexedFile(record, tuple(chunks)))
        return tuple(out)

    def _embed(self, texts: list[str]) -> Embedded | None:
        if self._embedder is None or self.words_only:
            return None
        try:
            embedded = embed_chunks(texts, self._embedder, self._cache, self._progress)
        except ModelUnavailable as error:
            # Once is enough: the other batches would only wait for the same refusal.
            self._embedder = None
            self._outcome.warnings.append(f"{NO_MEANING}{error}")
            return None
        self._outcome.embedded += embedded.made
        self._outcome.reused += len(texts) - embedded.made
        return embedded
