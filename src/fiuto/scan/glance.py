"""
Whether a folder is still as a walk found it, for a fraction of what the walk costs.

A walk's outcome depends on the names in the folders it opened, on the files it found and
the ignore files it read, and on what git lists.  Names cannot change without the stamp of
their folder, content not without the stamp of its file, and git is asked again: by another
process, while the stamps are compared.
"""

from __future__ import annotations

import json
import os
import threading
from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from fiuto.model import Found, Skipped, Stamp
from fiuto.scan import git

__all__ = ["Seen", "is_unchanged", "packed", "stamp_of"]

_VERSION = 1
_BY_NAME = frozenset({"ignored", "lockfile", "image", "binary", "secret", "excluded", "link"})
"""Reasons that a change of the content does not take away; a change of the kind of thing
that has the name shows in the folder."""
_INODES = (1 << 63) - 1
"""Some file systems number in 64 bits."""


def stamp_of(status: os.stat_result) -> Stamp:
    """The part of ``stat`` that tells whether a file was touched."""
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Seen:
    """What one walk went by, as it goes."""

    def __init__(self) -> None:
        self.folders: dict[str, Stamp] = {}
        """Each folder that was opened, as it was before; with a ``/`` at its end."""
        self.outcomes: list[Found | Skipped] = []
        """What became of each file."""
        self.read: dict[str, Stamp] = {}
        """Each ignore file, the same way."""
        self.listings: dict[str, bytes] = {}
        """Folders that git was asked about, and the digest of its answer."""
        self.lasting = True
        """False where something decided that no stamp tells."""

    def look(self, root: str, path: str, among: dict[str, Stamp]) -> None:
        """Note the stamp of ``path`` before it is opened."""
        try:
            among[path] = stamp_of(os.lstat(root + path))
        except OSError:
            self.lasting = False


def packed(seen: Seen, root: str, key: str, settled: Callable[[Stamp], bool]) -> bytes | None:
    """
    What :func:`is_unchanged` needs, or None where a later change might not show.

    Args:
        seen: a walk that came to its end.
        root: of the walk, with a ``/`` at its end.
        key: of what else decided, the rules.
        settled: whether a change from now on must show in a stamp.
    """
    for outcome in seen.outcomes:
        if isinstance(outcome, Skipped) and outcome.reason not in _BY_NAME:
            seen.look(root, outcome.path, seen.read)
    found = {outcome.path: outcome.stamp for outcome in seen.outcomes if isinstance(outcome, Found)}
    stamps = list(chain(seen.folders.values(), seen.read.values(), found.values()))
    if not seen.lasting or not all(map(settled, stamps)):
        return None
    head = {
        "version": _VERSION, "key": key, "top": git.work_tree(root),
        "listings": {folder: digest.hex() for folder, digest in seen.listings.items()},
    }  # fmt: skip
    paths = "\0".join(chain(seen.folders, seen.read, found))
    numbers = array("q", chain.from_iterable(map(_numbers, stamps)))
    names = paths.encode("utf-8", "surrogateescape")
    return b"\n".join((json.dumps(head).encode(), b"%d" % len(names), names + numbers.tobytes()))


def _numbers(stamp: Stamp) -> tuple[int, int, int, int]:
    return (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode & _INODES)


def is_unchanged(data: bytes, root: str, key: str, hidden: Iterable[str]) -> bool:
    """
    Whether a walk would find just what the one behind ``data`` found.

    Args:
        data: as :func:`packed` made it; what cannot be read tells nothing.
        root: with a ``/`` at its end.
        key: as it was given then.
        hidden: names of folders whose untracked content git does not list.
    """
    try:
        head, size, rest = data.split(b"\n", 2)
        told = json.loads(head)
        paths = rest[: int(size)].decode("utf-8", "surrogateescape").split("\0")
        numbers = array("q", rest[int(size) :])
        listings: Mapping[str, str] = told["listings"]
        same = (told["version"], told["key"], told["top"]) == (_VERSION, key, git.work_tree(root))
    except (ValueError, KeyError, TypeError):
        return False
    if not same or len(numbers) != 4 * len(paths):
        return False
    now: dict[str, str] = {}

    def ask() -> None:
        for folder in listings:
            now[folder] = git.digest_of(root + folder, hidden).hex()

    asking = threading.Thread(target=ask, name="fiuto-git")
    asking.start()
    same = _are_untouched(root, paths, numbers)
    asking.join()
    return same and now == listings


def _are_untouched(root: str, paths: Iterable[str], numbers: array[int]) -> bool:
    lstat, columns = os.lstat, (numbers[i::4] for i in range(4))
    try:
        for path, size, mtime, ctime, inode in zip(paths, *columns, strict=True):
            now = lstat(root + path)
            if (
                now.st_mtime_ns != mtime
                or now.st_ctime_ns != ctime
                or now.st_size != size
                or now.st_ino & _INODES != inode
            ):
                return False
    except (OSError, ValueError):  # gone; or a name with a NUL, where the notes are damaged
        return False
    return True
