"""The one writer of a repository: adds the rows of a generation, then its state."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fiuto.errors import IndexMismatch, IndexMissing
from fiuto.model import Batch, Counts, Manifest, Skipped
from fiuto.store.milvus import schema
from fiuto.store.milvus.files import FileRow, file_rows
from fiuto.store.milvus.lease import Lease
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.rows import file_id, record_text, rows_of, skipped_text, skips_of
from fiuto.store.milvus.schema import Build, meta_row
from fiuto.store.milvus.state import (
    State,
    forget_before,
    listed,
    load_states,
    quoted,
    read_blob,
    save,
    write_blob,
)
from fiuto.store.rows import printable

__all__ = ["MilvusWriter", "remove"]

_FILES = 1000
"""File ids a delete."""
_MOST_DEAD = 10_000
"""Replaced files that wait for their readers to finish; beyond it they go at once."""


class MilvusWriter:
    """Implements :class:`fiuto.protocols.Writer`; made by the store."""

    def __init__(self, link: Link, lease: Lease, repository: str, revision: str) -> None:
        self._link = link
        self._lease = lease
        self._repository = repository
        self._revision = revision
        self._build: Build | None = None
        self._state: State | None = None
        self._files: dict[str, FileRow] = {}
        self._skipped: tuple[Skipped, ...] = ()
        self._growing = False
        self._moving = False

    def start(self, wait: float, into: Build | None = None) -> None:
        """
        Take the lease and see what is there; ``into`` stands in for the current build.

        Raises:
            IndexBusy: another writer kept it.
        """
        self._build = into or schema.current(self._link)
        if self._build is None:
            return
        self._lease.take(self._build, wait)
        state = load_states(self._link, self._build, [self._repository]).get(self._repository)
        if state is not None:
            self._adopt(state)

    def reset(self, manifest: Manifest) -> None:
        present = self._state if not self._growing else None
        self._choose_build(manifest)
        self._files, self._skipped = {}, ()
        fresh = replace(manifest, generation=0, complete=False)
        if present is None or self._moving:
            self._state = State(self._repository, fresh, _counts({}, ()), self._revision)
            self._growing = self._moving
            self._sweep(-1)
            if not self._moving:
                save(self._link, self._at, self._state)
            return
        # The generation before stays in sight until this one is complete.
        self._growing = True
        after = replace(fresh, generation=present.generation)
        self._state = replace(
            present, manifest=after, floor=present.generation + 1, dead={}, skipped=(0, 0)
        )

    def apply(self, batch: Batch) -> int:
        state = self._state
        if state is None:
            raise IndexMissing(f"no index of {self._repository} in {self._link.target.url}")
        self._lease.keep()
        before = state.manifest
        generation = before.generation + 1
        scan = before.scan if batch.scan is None else batch.scan
        after = replace(before, complete=batch.complete, scan=scan)
        skipped = self._skipped if batch.skipped is None else batch.skipped
        told = _reasons(skipped) != _reasons(self._skipped)
        self._touch(batch)
        if not (batch.files or batch.dropped or told or after != before):
            self._skipped = tuple(skipped)
            return before.generation
        dead = self._replace(batch, generation, dict(state.dead))
        state = replace(
            state, manifest=replace(after, generation=generation), dead=dead,
            revision=self._revision or state.revision,
        )  # fmt: skip
        if batch.skipped is not None:
            text = skipped_text(skipped)
            pieces = write_blob(self._link, self._at, "skipped", state, text)
            state = replace(state, skipped=(generation, pieces))
        self._skipped = tuple(skipped)
        self._commit(state, batch)
        return generation

    def _commit(self, state: State, batch: Batch) -> None:
        state = replace(state, counts=_counts(self._files, self._skipped)).committed(time.time())
        self._state = state
        if self._growing and not batch.complete:
            return  # still out of sight
        save(self._link, self._at, state)
        if self._moving:
            schema.switch(self._link, self._at)
        self._growing = self._moving = False
        self._collect()

    @property
    def _at(self) -> Build:
        assert self._build is not None
        return self._build

    def _adopt(self, state: State) -> None:
        self._state = state
        self._files = file_rows(self._link, self._at, state)
        text = read_blob(self._link, self._at, "skipped", self._repository, state.skipped)
        self._skipped = tuple(skips_of(text))
        self._sweep(state.generation)
        self._collect()

    def _choose_build(self, manifest: Manifest) -> None:
        """The collections that hold vectors of the manifest's embedder, made where needed."""
        if self._build is None:
            self._build = Build(f"{self._link.name}__1")
            schema.create(self._link, self._build, manifest.embedder)
            schema.switch(self._link, self._build)
            self._lease.take(self._build, 0)
            return
        held = schema.identity(self._link, self._build)
        if manifest.embedder is None or held == manifest.embedder:
            return
        others = set(load_states(self._link, self._build)) - {self._repository}
        if others:
            raise IndexMismatch(
                f"{self._link.target.url} holds vectors of {held or 'no embedder'} for "
                f"{len(others)} more repositories, not of {manifest.embedder}: "
                "rebuild all of them with 'fiuto org --rebuild', or name another collection"
            )
        number = max(build.number for build in schema.builds(self._link)) + 1
        self._lease.give()
        self._build = Build(f"{self._link.name}__{number}")
        schema.create(self._link, self._build, manifest.embedder)
        self._lease.take(self._build, 0)
        self._moving = True

    def _touch(self, batch: Batch) -> None:
        """Keep fresh stamps in rows of their own: losing one costs a look at the file."""
        rows = []
        for record in batch.touched:
            path = printable(record.path)
            row = self._files.get(path)
            if row is not None:
                stamped = replace(row.record, stamp=record.stamp, checked_ns=record.checked_ns)
                self._files[path] = replace(row, record=stamped)
                rows.append(meta_row(f"stamp/{row.id}", self._repository, file=row.id,
                                     data=record_text(stamped)))  # fmt: skip
        self._link.put(self._at.meta, rows, [len(row["data"]) for row in rows])

    def _replace(self, batch: Batch, generation: int, dead: dict[int, int]) -> dict[int, int]:
        """Add the rows of the batch; returns which files do not count any more."""
        embedder = schema.identity(self._link, self._at)
        dimension = embedder.dimension if embedder else schema.NO_MODEL
        chunks, files, rests = [], [], []
        for path in (*batch.dropped, *(file.record.path for file in batch.files)):
            if (row := self._files.pop(printable(path), None)) is not None:
                dead[row.id] = generation
        for file in batch.files:
            path = printable(file.record.path)
            id_ = file_id(self._repository, path, generation)
            self._files[path] = FileRow(id_, generation, len(file.chunks), file.record)
            of_chunks, of_file, of_rests = rows_of(self._repository, file, generation, dimension)
            chunks.append(of_chunks)
            files.append(of_file)
            rests.append(of_rests)
        for name, parts in (
            (self._at.meta, rests), (self._at.chunks, chunks), (self._at.files, files),
        ):  # fmt: skip
            rows = [row for some, _ in parts for row in some]
            self._link.put(name, rows, [size for _, sizes in parts for size in sizes])
        return dead

    def _sweep(self, generation: int) -> None:
        """Remove what a writer left that died before its commit."""
        mine = f"repo == {quoted(self._repository)} and born > {generation}"
        for name in (self._at.chunks, self._at.files):
            self._link.call("delete", name, filter=mine)
        kinds = listed(["text", "dead", "skipped", "state"])
        self._link.call("delete", self._at.meta, filter=f"{mine} and kind in {kinds}")

    def _collect(self) -> None:
        """Remove rows that nobody can be reading any more."""
        state = self._state
        assert state is not None
        oldest = state.settled(time.time())
        if len(state.dead) > _MOST_DEAD:
            oldest = state.generation
        gone = [file for file, died in state.dead.items() if died <= oldest]
        for i in range(0, len(gone), _FILES):
            self._remove_files(gone[i : i + _FILES])
        if 0 < state.floor <= oldest:
            old = f"repo == {quoted(self._repository)} and born < {state.floor}"
            for name in (self._at.chunks, self._at.files):
                self._link.call("delete", name, filter=old)
            self._link.call("delete", self._at.meta, filter=f'{old} and kind == "text"')
        if gone:
            left = {file: died for file, died in state.dead.items() if file not in set(gone)}
            self._state = replace(state, dead=left)  # told with the next commit
        forget_before(self._link, self._at, state)

    def _remove_files(self, ids: Sequence[int]) -> None:
        mine = f"repo == {quoted(self._repository)}"
        self._link.call("delete", self._at.chunks, filter=f"{mine} and file in {listed(ids)}")
        self._link.call("delete", self._at.files, filter=f"{mine} and id in {listed(ids)}")
        kinds = listed(["text", "stamp"])
        self._link.call(
            "delete", self._at.meta, filter=f"kind in {kinds} and file in {listed(ids)}"
        )


def remove(link: Link, build: Build, repository: str) -> None:
    """Delete every row of one repository, its state first, so that nobody sees a part."""
    mine = f"repo == {quoted(repository)}"
    for name in (build.meta, build.files, build.chunks):
        link.call("delete", name, filter=mine)


def _reasons(skipped: Sequence[Skipped]) -> set[tuple[str, str, str]]:
    return {(s.path, s.reason, s.detail) for s in skipped}


def _counts(files: dict[str, FileRow], skipped: Sequence[Skipped]) -> Counts:
    rows = files.values()
    return Counts(
        files=len(rows),
        chunks=sum(row.chunks for row in rows),
        bytes=sum(row.record.stamp.size for row in rows),
        skipped=dict(sorted(Counter(s.reason for s in skipped).items())),
        truncated=sum(row.record.truncated for row in rows),
        unembedded=sum(not row.record.embedded for row in rows),
    )
