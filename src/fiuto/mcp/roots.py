"""The folders that are served, and the one index of each, opened at first use."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.errors import IndexCorrupt, IndexMissing, UsageError
from fiuto.mcp.building import Build

if TYPE_CHECKING:
    from fiuto.engine import Index

__all__ = ["Roots"]

_IDLE = 600.0
"""Seconds without a call after which indexes and their models are let go; the next call opens
them again in a few tenths of a second."""


class Roots:
    """
    Opens what is asked for, and nothing outside.

    Args:
        folders: the roots; absolute, links resolved.
        opener: makes an index of a folder, for tests and for settings.
        idle: seconds without a call after which memory is given back.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        opener: Callable[[Path], Index] | None = None,
        *,
        idle: float = _IDLE,
    ) -> None:
        self._folders = tuple(folders)
        self._opener = opener or _open
        self._idle = idle
        self._open: dict[Path, Index] = {}
        self._builds: dict[Path, Build] = {}
        self._lock = threading.Lock()
        self._calls = 0
        self._timer: threading.Timer | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        """The roots, as they are served."""
        return self._folders

    @contextmanager
    def call(self) -> Iterator[None]:
        """Around each call: what it opens stays open until it is over."""
        with self._lock:
            self._calls += 1
            self._still()
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
                if self._calls == 0:
                    self._timer = threading.Timer(self._idle, self._rest)
                    self._timer.daemon = True
                    self._timer.start()

    def index(self, path: str | None) -> tuple[Index, str]:
        """
        The index of the root that holds the folder ``path``, and ``path`` below that root.

        Raises:
            UsageError: outside of the roots, or no such folder.
        """
        root, below = self._locate(path)
        if below and not (root / below).is_dir():
            raise UsageError(f"{path} is no folder of {root}")
        return self._opened(root), below

    def file(self, path: str) -> tuple[Index, str]:
        """
        The index of the root that holds the file ``path``, and its path below that root.

        Raises:
            UsageError: outside of the roots.
        """
        root, below = self._locate(path, file=True)
        return self._opened(root), below

    def building(self, index: Index) -> Build | None:
        """The run that makes the first index, begun now where it must be; None: it is there."""
        with self._lock:
            build = self._builds.get(index.root)
            if build is not None:
                if not build.over:
                    return build
                del self._builds[index.root]
                return None
        try:
            if index.status().manifest.complete:
                return None
        except (IndexMissing, IndexCorrupt):
            pass
        with self._lock:
            if index.root not in self._builds:
                self._builds[index.root] = Build(self._opener(index.root))
                self._builds[index.root].start()
            return self._builds[index.root]

    def close(self) -> None:
        """Let every index go; one that is being built is left as it is."""
        with self._lock:
            self._still()
            builds, self._builds = list(self._builds.values()), {}
        for build in builds:
            build.stop()
        with self._lock:
            self._let_go()

    def _rest(self) -> None:
        """Give memory back, unless a call came in between."""
        with self._lock:
            if self._calls == 0:
                self._let_go()
                gc.collect()  # indexes and their parts know each other
                _give_back()

    def _let_go(self) -> None:
        for index in self._open.values():
            index.close()
        self._open.clear()

    def _still(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _locate(self, path: str | None, *, file: bool = False) -> tuple[Path, str]:
        if path is None or path in ("", "."):
            return self._folders[0], ""
        places = [Path(path)] if Path(path).is_absolute() else [f / path for f in self._folders]
        # A relative path means the first root that has it.
        places.sort(key=lambda place: not (place.is_file() if file else place.is_dir()))
        for place in places:
            resolved = place.parent.resolve() / place.name if file else place.resolve()
            for root in self._folders:
                if resolved.is_relative_to(root):
                    below = resolved.relative_to(root).as_posix()
                    return root, "" if below == "." else below
        served = ", ".join(map(str, self._folders))
        raise UsageError(f"{path} is outside of what is served here: {served}")

    def _opened(self, root: Path) -> Index:
        with self._lock:
            if not root.is_dir():
                index = self._open.pop(root, None)
                if index is not None:
                    index.close()
                raise UsageError(f"{root} is not there any more")
            if root not in self._open:
                self._open[root] = self._opener(root)
            return self._open[root]


def _give_back() -> None:
    """Freed memory to the system, where the C library would keep it: glibc."""
    import ctypes  # noqa: PLC0415 - only who rests needs it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _open(root: Path) -> Index:
    from fiuto.engine import open_index  # noqa: PLC0415 - a server starts without the engine

    return open_index(root)
