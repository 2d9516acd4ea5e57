"""The folders that are served, and the one index of each, opened at first use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.errors import UsageError

if TYPE_CHECKING:
    from fiuto.engine import Index

__all__ = ["Roots"]


class Roots:
    """
    Opens what is asked for, and nothing outside.

    Args:
        folders: the roots; absolute, links resolved.
        opener: makes an index of a folder, for tests and for settings.
    """

    def __init__(
        self, folders: Sequence[Path], opener: Callable[[Path], Index] | None = None
    ) -> None:
        self._folders = tuple(folders)
        self._opener = opener or _open
        self._open: dict[Path, Index] = {}
        self._lock = threading.Lock()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The roots, as they are served."""
        return self._folders

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

    def close(self) -> None:
        """Let every index go."""
        with self._lock:
            for index in self._open.values():
                index.close()
            self._open.clear()

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


def _open(root: Path) -> Index:
    from fiuto.engine import open_index  # noqa: PLC0415 - a server starts without the engine

    return open_index(root)
