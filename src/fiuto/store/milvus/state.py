"""
What is visible: the state of each repository, one small row a generation.

The row of a generation goes out after every other row of it, so it is the commit.  It
names the generation, the one that the index was last started over with, and the files
that have been replaced or dropped since; their rows stay for readers of the generations
before, until :data:`GRACE` has passed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fiuto.model import Counts, EmbedderIdentity, Manifest
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.rows import pieces_of
from fiuto.store.milvus.schema import Build, meta_row

__all__ = [
    "GRACE",
    "State",
    "forget_before",
    "listed",
    "load_states",
    "quoted",
    "read_blob",
    "save",
    "write_blob",
]

GRACE = 600.0
"""Seconds that rows of a generation outlive it: longer than any question takes."""


@dataclass(frozen=True, slots=True)
class State:
    """One repository at one generation."""

    repository: str
    manifest: Manifest
    counts: Counts
    revision: str = ""
    floor: int = 0
    """Rows of generations before this one do not count: the index was started over."""
    dead: Mapping[int, int] = field(default_factory=dict)
    """File id -> the generation that replaced or dropped it."""
    times: tuple[tuple[int, float], ...] = ()
    """Generations of late, with the second (since 1970) at which each was committed."""
    skipped: tuple[int, int] = (0, 0)
    """The generation whose rows hold what was left out, and how many they are."""

    @property
    def generation(self) -> int:
        """The newest one that counts."""
        return self.manifest.generation

    def shows(self, file: int, born: int) -> bool:
        """Whether a row of ``file`` that generation ``born`` brought belongs to this state."""
        return self.floor <= born <= self.generation and file not in self.dead

    def settled(self, now: float) -> int:
        """The oldest generation that somebody may still be reading."""
        oldest = self.generation
        for (generation, _), (_, ended) in reversed(
            list(zip(self.times, self.times[1:], strict=False))
        ):
            if ended < now - GRACE:
                break
            oldest = generation
        return oldest

    def committed(self, now: float) -> State:
        """The same with this moment noted, and moments that no longer matter forgotten."""
        times = (*self.times, (self.generation, now))
        oldest = replace(self, times=times).settled(now)
        return replace(self, times=tuple(t for t in times if t[0] >= oldest))


def quoted(text: str) -> str:
    """A literal of Milvus' filter language; only for names that hold no quotes."""
    return json.dumps(text, ensure_ascii=False)


def listed(values: Sequence[str] | Sequence[int]) -> str:
    """A list of Milvus' filter language."""
    return "[" + ",".join(quoted(v) if isinstance(v, str) else str(v) for v in values) + "]"


def load_states(
    link: Link, build: Build, repositories: Sequence[str] | None = None
) -> dict[str, State]:
    """The newest state of each repository by name; of all where ``repositories`` is None."""
    where = 'kind == "state"'
    if repositories is not None:
        where += f" and repo in {listed(repositories)}"
    newest: dict[str, tuple[int, str]] = {}
    for row in link.rows(build.meta, where, ["repo", "born", "data"]):
        if row["born"] >= newest.get(row["repo"], (-1, ""))[0]:
            newest[row["repo"]] = (row["born"], row["data"])
    return {
        repository: _state(link, build, repository, json.loads(data))
        for repository, (_, data) in sorted(newest.items())
    }


def _state(link: Link, build: Build, repository: str, data: dict[str, Any]) -> State:
    embedder = data["manifest"].pop("embedder")
    identity = EmbedderIdentity(**embedder) if embedder else None
    manifest = Manifest(embedder=identity, **data["manifest"])
    dead: dict[int, int] = {}
    if pieces := data["dead"]:
        where = (manifest.generation, pieces)
        text = read_blob(link, build, "dead", repository, where)
        dead = {int(file): died for file, died in json.loads(text)}
    return State(
        repository,
        manifest,
        Counts(**data["counts"]),
        revision=data["revision"],
        floor=data["floor"],
        dead=dead,
        times=tuple((generation, moment) for generation, moment in data["times"]),
        skipped=(data["skipped"][0], data["skipped"][1]),
    )


def save(link: Link, build: Build, state: State) -> None:
    """Make ``state`` the newest of its repository; after every row that it speaks of."""
    dead = write_blob(
        link, build, "dead", state, json.dumps(list(state.dead.items())) if state.dead else ""
    )
    data = {
        "manifest": asdict(state.manifest), "counts": asdict(state.counts),
        "revision": state.revision, "floor": state.floor, "dead": dead, "times": state.times,
        "skipped": state.skipped,
    }  # fmt: skip
    key = f"state/{state.repository}/{state.generation:012}"
    row = meta_row(key, state.repository, born=state.generation, data=json.dumps(data))
    link.call("upsert", build.meta, [row])


def write_blob(link: Link, build: Build, kind: str, state: State, text: str) -> int:
    """Store a text of any length under the state's generation; in how many rows."""
    pieces = pieces_of(text)
    rows = [
        meta_row(f"{kind}/{state.repository}/{state.generation:012}/{i:04}", state.repository,
                 born=state.generation, data=piece)
        for i, piece in enumerate(pieces)
    ]  # fmt: skip
    link.put(build.meta, rows, list(map(len, pieces)))
    return len(rows)


def read_blob(link: Link, build: Build, kind: str, repository: str, where: tuple[int, int]) -> str:
    """The text that :func:`write_blob` stored at ``where``, a generation and a count of rows."""
    generation, pieces = where
    if not pieces:
        return ""
    clause = f"kind == {quoted(kind)} and repo == {quoted(repository)} and born == {generation}"
    rows = link.rows(build.meta, clause, ["key", "data"])
    return "".join(row["data"] for row in sorted(rows, key=lambda row: row["key"])[:pieces])


def forget_before(link: Link, build: Build, state: State) -> None:
    """Remove the small rows of generations that nobody reads any more."""
    oldest = state.settled(time.time())
    mine = f"repo == {quoted(state.repository)}"
    link.call(
        "delete", build.meta, filter=f'{mine} and kind in ["state","dead"] and born < {oldest}'
    )
    kept = min(oldest, state.skipped[0])
    link.call("delete", build.meta, filter=f'{mine} and kind == "skipped" and born < {kept}')
