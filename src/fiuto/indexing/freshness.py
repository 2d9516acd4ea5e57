"""
Whether an index still tells the truth about its folder.

Apart from the indexer, because most searches end here: nothing changed, so neither
chunker nor model is needed, and neither is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from fiuto.errors import IndexBusy, IndexCorrupt, IndexMissing
from fiuto.indexing.glances import Glances
from fiuto.indexing.plan import Plan, plan, settled
from fiuto.model import Batch, Changes, FileRecord, Manifest, Skipped, SourceFile
from fiuto.protocols import Progress, Reader, Scanner, Store

__all__ = ["Freshness"]

_FRESH_NS = 1_000_000_000
"""Age of a plan from which on it is made again rather than followed."""


class Freshness:
    """Compares one folder with its index."""

    def __init__(
        self,
        scanner: Scanner,
        store: Store,
        now_ns: Callable[[], int],
        note: Path | None = None,
    ) -> None:
        """Keep a note of the last walk in the file ``note``, if any."""
        self._scanner = scanner
        self._glances = Glances(scanner, note)
        self._planned: tuple[Manifest, bool, int, Plan] | None = None
        self._known: tuple[Manifest, Mapping[str, FileRecord]] | None = None
        self._seen: Callable[[], bytes | None] = lambda: None
        self._store = store
        self._now_ns = now_ns
        self.warnings: list[str] = []
        """What was found wrong with the index, once each."""

    def open(self) -> Reader | None:
        """The newest generation, or None where there is none that can be read."""
        try:
            return self._store.read()
        except IndexMissing:
            return None
        except IndexCorrupt as error:
            warning = f"{error}; indexed anew"
            if warning not in self.warnings:
                self.warnings.append(warning)
            return None

    def up_to_date(self, fresh: Manifest, progress: Progress, *, embeddable: bool) -> bool:
        """
        Whether the index is whole and nothing changed; uses neither chunker nor model.

        Fresh stamps are noted if that is free.
        """
        reader = self.open()
        if reader is None or not reader.manifest.complete or reader.manifest.scan != fresh.scan:
            return False
        todo = self._look(reader, embeddable=embeddable)
        if todo is None:
            todo = self.plan(reader, fresh, progress, embeddable=embeddable)
        self._planned = (reader.manifest, embeddable, self._now_ns(), todo)
        skips = set(map(_reason, todo.skipped))
        if todo.drop or skips != set(map(_reason, reader.skipped())):
            return False
        touched = []
        for found in todo.read:
            record = self.known(reader).get(found.path)
            if record is None or (embeddable and not record.embedded):
                return False
            source = self._scanner.read(found)
            if isinstance(source, Skipped) or not _same(source, record):
                return False
            touched.append(replace(record, stamp=source.stamp, checked_ns=self._now_ns()))
        generation = reader.manifest.generation
        del reader  # a writer is to find nobody in its way
        self._touch([r for r in touched if settled(r.stamp, r.checked_ns)])
        self.keep(generation, embedded=embeddable or self._glances.embedded)
        return True

    def _look(self, reader: Reader, *, embeddable: bool) -> Plan | None:
        """A plan without a walk, where only files have changed since the last one."""
        began = self._now_ns()
        generation = reader.manifest.generation
        seen = self._glances.look(
            generation, lambda stamp: settled(stamp, began), embeddable=embeddable
        )
        if seen is None:
            return None
        self._seen = lambda: seen.glance
        changed = {found.path for found in seen.changed}
        skipped = tuple(s for s in reader.skipped() if s.path not in changed)
        return Plan(read=seen.changed, drop=(), skipped=skipped, total=seen.total)

    def keep(self, generation: int, *, embedded: bool) -> None:
        """Note that the index of ``generation`` has all as it was found last."""
        glance = self._seen()
        if glance is not None:
            self._glances.keep(generation, glance, embedded=embedded)

    def plan_again(
        self, reader: Reader | None, fresh: Manifest, progress: Progress, *, embeddable: bool
    ) -> Plan:
        """The plan that was just made, if it was for this generation; else another."""
        if reader is not None and self._planned is not None:
            manifest, same, made_ns, todo = self._planned
            age = self._now_ns() - made_ns
            if (manifest, same) == (reader.manifest, embeddable) and 0 <= age < _FRESH_NS:
                return todo
        return self.plan(reader, fresh, progress, embeddable=embeddable)

    def changes(self, fresh: Manifest) -> Changes:
        """
        How the folder differs from its index; reads only files whose stamps do.

        Raises:
            IndexMissing: there is no index.
        """
        reader = self._store.read()
        todo = self.plan(reader, fresh, lambda *_: None, embeddable=False)
        known = self.known(reader)
        added = changed = 0
        for found in todo.read:
            source = self._scanner.read(found)
            record = known.get(found.path)
            if isinstance(source, Skipped):
                changed += record is not None
            elif record is None:
                added += 1
            else:
                changed += not _same(source, record)
        return Changes(added, changed, len(todo.drop))

    def _touch(self, records: list[FileRecord]) -> None:
        """Spare the next refresh the reading; not worth waiting for."""
        if not records:
            return
        try:
            with self._store.write(0) as writer:
                writer.apply(Batch(touched=tuple(records)))
        except IndexBusy:
            return

    def known(self, reader: Reader) -> Mapping[str, FileRecord]:
        """The files of the index, read once for each generation."""
        if self._known is None or self._known[0] != reader.manifest:
            self._known = (reader.manifest, reader.files())
        return self._known[1]

    def plan(
        self, reader: Reader | None, fresh: Manifest, progress: Progress, *, embeddable: bool
    ) -> Plan:
        """What brings the index of ``reader`` up to date; everything where it is None."""
        progress("scan", 0, 0)
        known = self.known(reader) if reader else {}
        skipped = {s.path: s for s in (reader.skipped() if reader else ()) if s.stamp}
        if reader is not None and reader.manifest.scan != fresh.scan:
            # Other rules: every decision on content is taken anew.
            known = {path: replace(record, checked_ns=0) for path, record in known.items()}
            skipped = {}
        began = self._now_ns()
        todo = plan(self._scanner.walk(), known, skipped, embeddable=embeddable)
        self._seen = lambda: self._glances.of_walk(todo.total, lambda stamp: settled(stamp, began))
        return todo


def _reason(skipped: Skipped) -> tuple[str, str, str]:
    return (skipped.path, skipped.reason, skipped.detail)


def _same(source: SourceFile, record: FileRecord) -> bool:
    """Whether indexing ``source`` again would change nothing."""
    return (source.digest, source.language, source.label) == (
        record.digest,
        record.language,
        record.label,
    )
