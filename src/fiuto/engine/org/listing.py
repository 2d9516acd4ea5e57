"""
The list of repositories: one a line, a path or a git address, and perhaps words about it.

::

    # what our teams write
    ~/src/billing
    https://git.example.org/web/shop.git
    https://git.example.org/web/shop.git  name=shop-next  ref=next
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fiuto.errors import UsageError

__all__ = ["Entry", "read_list", "shard_of"]

_ADDRESS = re.compile(r"(https?|ssh|git|file)://\S+|[\w.-]+@[\w.-]+:\S+")
_NAME = re.compile(r"[\w.@+~-]+(/[\w.@+~-]+)*")
_REF = re.compile(r"(?!-)[^\s:~^?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One repository."""

    name: str
    """What hits call it; no other of the list has it."""
    source: str
    """An absolute path, or a git address."""
    ref: str = ""
    """Branch or tag of an address; empty for its default branch."""

    @property
    def remote(self) -> bool:
        """Whether it must be fetched."""
        return _ADDRESS.fullmatch(self.source) is not None


def read_list(path: Path) -> list[Entry]:
    """
    The entries of a list, in its order; paths are relative to the list's own folder.

    Raises:
        UsageError: it cannot be read, or a line means nothing; with the line's number.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(f"the list {path} cannot be read: {error}") from error
    entries: dict[str, Entry] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(f"{where}: {error}") from error
        if not words:
            continue
        entry = _entry(words, path.parent, where)
        if entry.name in entries:
            raise UsageError(f"{where}: {entry.name!r} is there already; add name=…")
        entries[entry.name] = entry
    if not entries:
        raise UsageError(f"the list {path} names no repository")
    return list(entries.values())


def _entry(words: Sequence[str], folder: Path, where: str) -> Entry:
    source, *rest = words
    about: dict[str, str] = {}
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals or key not in ("name", "ref"):
            raise UsageError(f"{where}: {word!r} means nothing here; known: name=…, ref=…")
        about[key] = value
    if _ADDRESS.fullmatch(source):
        parts = [part for part in re.split(r"[/:]", source.removesuffix(".git")) if part]
        name = "/".join(parts[-2:])
    elif "://" in source or "::" in source:
        raise UsageError(f"{where}: {source!r} is no address that git is given here; "
                         "use https, ssh, git or file")  # fmt: skip
    else:
        place = (folder / Path(source).expanduser()).resolve()
        if not place.is_dir():
            raise UsageError(f"{where}: {place} is not a folder")
        if "ref" in about:
            raise UsageError(f"{where}: ref= is for addresses; a folder is taken as it is")
        source, name = str(place), place.name
    name = about.get("name", name)
    if _NAME.fullmatch(name) is None:
        raise UsageError(f"{where}: {name!r} cannot be a name; add name=… of letters and digits")
    ref = about.get("ref", "")
    if ref and _REF.fullmatch(ref) is None:
        raise UsageError(f"{where}: {ref!r} is no branch or tag")
    return Entry(name, source, ref)


def shard_of(entries: Sequence[Entry], shard: str) -> list[Entry]:
    """
    The entries that are the share of ``shard``, written as ``i/n`` with i from 1 to n.

    By a hash of the name, so that a longer list moves nothing from one shard to another.

    Raises:
        UsageError: it is not of that form.
    """
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", shard)
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"{shard!r} is no shard; write the second of three as 2/3")
    i, n = int(found[1]), int(found[2])
    return [entry for entry in entries if _hash(entry.name) % n == i - 1]


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")
