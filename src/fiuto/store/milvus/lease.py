"""
The right to write one repository, held in a row of the cluster.

Milvus has no locks.  A writer puts its name into the repository's row, waits a moment and
looks whether the name still stands; every commit looks again.  Two writers that start
within the same moment on two machines can pass that; the work is meant to be split by
repository, so that nobody does.
"""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from contextlib import suppress

from fiuto.errors import IndexBusy
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.schema import Build, meta_row
from fiuto.store.milvus.state import quoted

__all__ = ["Lease"]

_HELD = 300.0
"""Seconds without a commit after which another machine may take over."""
_SETTLE = 0.05
"""Seconds between writing one's name and looking whether it still stands."""
_AGAIN = 0.5

_ACTIVE: set[str] = set()
"""Names of the claims that this process holds: one that it could not give back is not."""


class Lease:
    """One writer's claim to one repository."""

    def __init__(self, link: Link, repository: str) -> None:
        self._link = link
        self._repository = repository
        self._name = uuid.uuid4().hex
        self._build: Build | None = None

    def take(self, build: Build, wait: float) -> None:
        """
        Claim it, waiting up to ``wait`` seconds.

        Raises:
            IndexBusy: another writer kept it.
        """
        until = time.monotonic() + wait
        while True:
            holder = self._holder(build)
            if holder is None or _gone(holder):
                _ACTIVE.add(self._name)
                self._write(build)
                time.sleep(_SETTLE)
                if (self._holder(build) or {}).get("name") == self._name:
                    self._build = build
                    return
            elif time.monotonic() >= until:
                raise IndexBusy(
                    f"{holder['host']}, process {holder['pid']}, is writing {self._repository} "
                    f"in {self._link.target.url}; try again in a moment"
                )
            time.sleep(min(_AGAIN, max(0.0, until - time.monotonic())))

    def keep(self) -> None:
        """
        Before a commit: it must still be ours, and is for some time more.

        Raises:
            IndexBusy: another writer took over.
        """
        assert self._build is not None
        if (self._holder(self._build) or {}).get("name") != self._name:
            raise IndexBusy(
                f"another writer took over {self._repository} in {self._link.target.url}, "
                "as this one was silent for too long; run it again"
            )
        self._write(self._build)

    def give(self) -> None:
        """Let go; a claim that is not held any more stays whose it is."""
        build, self._build = self._build, None
        _ACTIVE.discard(self._name)
        if build is not None and (self._holder(build) or {}).get("name") == self._name:
            self._link.call("delete", build.meta, filter=f"key == {quoted(self._key)}")

    @property
    def _key(self) -> str:
        return f"lease/{self._repository}"

    def _holder(self, build: Build) -> dict[str, object] | None:
        rows = self._link.rows(build.meta, f"key == {quoted(self._key)}", ["data"])
        return json.loads(rows[0]["data"]) if rows else None

    def _write(self, build: Build) -> None:
        data = {"name": self._name, "host": socket.gethostname(), "pid": os.getpid(),
                "until": time.time() + _HELD}  # fmt: skip
        row = meta_row(self._key, self._repository, data=json.dumps(data))
        self._link.call("upsert", build.meta, [row])


def _gone(holder: dict[str, object]) -> bool:
    """Whether a claim has run out, or its process on this machine has ended."""
    if float(str(holder["until"])) < time.time():
        return True
    if holder["host"] != socket.gethostname():
        return False
    if holder["pid"] == os.getpid():
        return holder["name"] not in _ACTIVE
    with suppress(PermissionError):
        try:
            os.kill(int(str(holder["pid"])), 0)
        except ProcessLookupError:
            return True
    return False
