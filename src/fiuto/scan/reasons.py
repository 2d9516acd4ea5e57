"""
Why a file, link or folder is not in the index: one name, one plain sentence.

The names are counted in every status; the sentences answer ``fiuto why FILE``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fiuto.model import Skipped, Stamp

__all__ = ["REASONS", "skip"]

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "binary": "It is not text.",
        "encoding": "Its name or its text is in an encoding that could not be told.",
        "excluded": "An exclude glob or a .fiutoignore file leaves it out.",
        "folder": "Folders of this kind hold dependencies, caches or build products.",
        "ignored": "Git's ignore rules leave it out.",
        "image": "It is an image written as text.",
        "link": "It is a symbolic link; links are not followed.",
        "lockfile": "It is a lockfile, written by a package manager.",
        "missing": "There is no such file, or it went away while it was read.",
        "secret": "It holds a key, a token or a password and is withheld.",
        "special": "It is a pipe, a socket or a device.",
        "submodule-absent": "It is a git submodule that is not checked out.",
        "too-big": "It is larger than the largest size to be read.",
        "unreadable": "The system refused to open it.",
        "worktree": "It is another working tree of a repository, left out as asked.",
    }
)
"""Reason -> sentence."""


def skip(path: str, reason: str, detail: str = "", stamp: Stamp | None = None) -> Skipped:
    """A :class:`Skipped` whose strings are Unicode, whatever bytes a file name was made of."""
    return Skipped(_shown(path), reason, _shown(detail), stamp)


def _shown(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
