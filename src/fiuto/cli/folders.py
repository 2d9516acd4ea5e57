"""Folders as people type them; apart, because a server must start before the engine does."""

from __future__ import annotations

import os

__all__ = ["folder_of"]


def folder_of(path: str) -> str:
    """A folder as typed; a quoted ``~`` means the home folder too."""
    return path if os.path.lexists(path) else os.path.expanduser(path)  # noqa: PTH111
