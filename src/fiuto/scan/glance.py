"""
How a folder differs from what a walk found in it, for a fraction of what the walk costs.

A walk's outcome depends on the names in the folders it opened, on the files it found and
the ignore files it read, and on what git lists.  Names cannot change without the stamp of
their folder, content not without the stamp of its file, and git is asked again: by another
process, while the stamps are compared.  Where only files have changed, they are named;
whatever else has is left to a walk.
"""

from __future__ import annotations

import json
import os
import stat
import threading
from array import array
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from fiuto.model import Found, Glimpse, Skipped, Stamp
from fiuto.scan import git
from fiuto.scan.entries import is_folder, is_special, path_order

__all__ = ["Seen", "glimpse", "names_of", "packed", "stamp_of"]

_VERSION = 1
_DIGEST = 8
"""Bytes of the digest of a folder's names."""
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
        self.folders: dict[str, tuple[Stamp, bytes]] = {}
        """Each folder that was opened, as it was before, with a ``/`` at its end; and its names."""
        self.outcomes: list[Found | Skipped] = []
        """What became of each file."""
        self.read: dict[str, Stamp] = {}
        """Each ignore file, as it was before."""
        self.listings: dict[str, bytes] = {}
        """Folders that git was asked about, and the digest of its answer."""
        self.lasting = True
        """False where something decided that no stamp tells."""

    def look(self, absolute: str) -> Stamp:
        """The stamp of what is about to be opened."""
        try:
            return stamp_of(os.lstat(absolute))
        except OSError:
            self.lasting = False
            return Stamp(0, 0, 0, 0)


def names_of(entries: Iterable[os.DirEntry[str]]) -> bytes:
    """Equal as long as a folder has the same names, each for the same kind of thing."""
    told = [f"{path_order(entry)}\0{_kind(entry)}" for entry in entries]
    text = "\0".join(told).encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=_DIGEST).digest()


def _kind(entry: os.DirEntry[str]) -> str:
    return "/" if is_folder(entry) else "?" if is_special(entry) else "@" * entry.is_symlink()


class _Notes(NamedTuple):
    """What is kept of a walk: three kinds of paths, their stamps, and the rest."""

    head: dict[str, Any]
    folders: Sequence[str]
    read: Sequence[str]
    found: Sequence[str]
    numbers: array[int]
    """Four for each path, in the same order."""
    names: Sequence[bytes]
    """A digest for each folder."""

    def written(self) -> bytes:
        """Three lines and what they measure."""
        paths = "\0".join(chain(self.folders, self.read, self.found))
        text = paths.encode("utf-8", "surrogateescape")
        counts = (len(text), len(self.folders), len(self.read))
        lines = (json.dumps(self.head).encode(), b"%d %d %d" % counts)
        return b"\n".join((*lines, text + b"".join(self.names) + self.numbers.tobytes()))

    @classmethod
    def parsed(cls, data: bytes) -> _Notes:
        """
        What :meth:`written` gave.

        Raises:
            ValueError, TypeError: it did not.
        """
        head, counts, rest = data.split(b"\n", 2)
        size, folders, read = map(int, counts.split())
        paths = rest[:size].decode("utf-8", "surrogateescape").split("\0")
        start = size + folders * _DIGEST
        numbers = array("q", rest[start:])
        if len(numbers) != 4 * len(paths):
            raise ValueError("cut off")
        names = [rest[i : i + _DIGEST] for i in range(size, start, _DIGEST)]
        parts = paths[:folders], paths[folders : folders + read], paths[folders + read :]
        return cls(json.loads(head), *parts, numbers, names)


def packed(seen: Seen, root: str, key: str, settled: Callable[[Stamp], bool]) -> bytes | None:
    """
    What :func:`glimpse` needs, or None where a later change might not show.

    Args:
        seen: a walk that came to its end.
        root: of the walk, with a ``/`` at its end.
        key: of what else decided, the rules.
        settled: whether a change after the walk began must show in a stamp.
    """
    read = dict(seen.read)
    for outcome in seen.outcomes:
        if isinstance(outcome, Skipped) and outcome.reason not in _BY_NAME:
            read[outcome.path] = seen.look(root + outcome.path)
    found = {outcome.path: outcome.stamp for outcome in seen.outcomes if isinstance(outcome, Found)}
    stamps = [*(stamp for stamp, _ in seen.folders.values()), *read.values(), *found.values()]
    if not seen.lasting or not all(map(settled, stamps)):
        return None
    listings = {folder: digest.hex() for folder, digest in seen.listings.items()}
    return _Notes(
        _head(root, key) | {"listings": listings},
        list(seen.folders), list(read), list(found),
        array("q", chain.from_iterable(map(_numbers, stamps))),
        [names for _, names in seen.folders.values()],
    ).written()  # fmt: skip


def _head(root: str, key: str) -> dict[str, Any]:
    return {"version": _VERSION, "key": key, "top": git.work_tree(root)}


def _numbers(stamp: Stamp) -> tuple[int, int, int, int]:
    return (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode & _INODES)


def glimpse(
    data: bytes,
    root: str,
    key: str,
    hidden: Iterable[str],
    most: int,
    settled: Callable[[Stamp], bool],
) -> Glimpse | None:
    """
    How a walk now would differ from the one behind ``data``; None where only a walk can tell.

    Args:
        data: as :func:`packed` made it; what cannot be read tells nothing.
        root: with a ``/`` at its end.
        key: as it was given then.
        hidden: names of folders whose untracked content git does not list.
        most: bytes of a file that is not too big.
        settled: whether a change after this look began must show in a stamp.
    """
    try:
        notes = _Notes.parsed(data)
        listings = notes.head.pop("listings")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if notes.head != _head(root, key):
        return None
    now: dict[str, str] = {}

    def ask() -> None:
        for folder in listings:
            now[folder] = git.digest_of(root + folder, hidden).hex()

    asking = threading.Thread(target=ask, name="fiuto-git")
    asking.start()
    changed = _changed(notes, root, most)
    asking.join()
    if changed is None or now != listings:
        return None
    notes.head["listings"] = listings
    for i, stamp in changed.items():
        notes.numbers[4 * i : 4 * i + 4] = array("q", _numbers(stamp))
    first = len(notes.folders) + len(notes.read)
    files = [Found(notes.found[i - first], stamp) for i, stamp in changed.items() if i >= first]
    lasting = changed and all(map(settled, changed.values()))
    return Glimpse(tuple(files), len(notes.found), notes.written() if lasting else None)


def _changed(notes: _Notes, root: str, most: int) -> dict[int, Stamp] | None:
    """The stamps that are others now, by position; None where names or rules may be others."""
    lstat, columns = os.lstat, (notes.numbers[i::4] for i in range(4))
    folders, others = len(notes.folders), len(notes.folders) + len(notes.read)
    paths = chain(notes.folders, notes.read, notes.found)
    changed: dict[int, Stamp] = {}
    try:
        for i, (path, size, mtime, ctime, inode) in enumerate(zip(paths, *columns, strict=True)):
            now = lstat(root + path)
            if (
                now.st_mtime_ns == mtime
                and now.st_ctime_ns == ctime
                and now.st_size == size
                and now.st_ino & _INODES == inode
            ):
                continue
            if i < folders:
                with os.scandir(root + path) as entries:
                    same = names_of(sorted(entries, key=path_order)) == notes.names[i]
            else:
                same = i >= others and stat.S_ISREG(now.st_mode) and now.st_size <= most
            if not same:
                return None
            changed[i] = stamp_of(now)
    except (OSError, ValueError):  # gone; or a name with a NUL, where the notes are damaged
        return None
    return changed
