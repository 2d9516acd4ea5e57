"""The scanner behind :class:`fiuto.protocols.Scanner`: walk, read, and say why."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from fiuto.errors import UsageError
from fiuto.globs import compile_globs
from fiuto.languages import PROSE, language_of, language_of_shebang
from fiuto.model import Content, Found, Glimpse, Label, Skipped, SourceFile, Stamp
from fiuto.scan import git
from fiuto.scan.attributes import Attributes, read_attributes
from fiuto.scan.decode import HEAD, Undecodable, decode
from fiuto.scan.glance import Seen, glimpse, packed, stamp_of
from fiuto.scan.label import TABLE, label_of
from fiuto.scan.reasons import skip
from fiuto.scan.rules import HIDDEN_FROM_GIT, ScanRules
from fiuto.scan.secrets import secret_text
from fiuto.scan.walk import walk

__all__ = ["FileScanner"]

_VERSION = 1
"""Raise it when the same bytes and rules give another text, language or verdict."""


class FileScanner:
    """
    Finds and reads the files of one folder; safe to use from several threads.

    Nothing is touched before the first call.
    """

    def __init__(self, root: str | os.PathLike[str], rules: ScanRules | None = None) -> None:
        self._root = str(Path(root).absolute()).rstrip("/") + "/"
        self._rules = rules or ScanRules()
        self._attributes: Attributes | None = None
        self._worktrees: dict[str, bool] = {}
        self._seen = Seen()

    @property
    def identity(self) -> str:
        """
        Equal exactly when the rules that decide on content are.

        ``include`` and ``exclude`` are not among them: they decide which files
        the walk finds, and a file that comes or goes is noticed by its path.
        ``.gitattributes`` is read anew each time.
        """
        self._attributes = read_attributes(self._root)
        rules = replace(self._rules, include=(), exclude=(), worktrees=True)
        told = repr((_VERSION, rules, TABLE, self._attributes))
        return f"scan-{_VERSION}:{hashlib.blake2b(told.encode(), digest_size=8).hexdigest()}"

    def walk(self) -> Iterator[Found | Skipped]:
        """
        Every file once, in path order, by name and ``stat`` alone.

        A folder that is skipped whole ends in ``/`` and stands for all below it.

        Raises:
            UsageError: the root is not a folder, or a glob of the rules means nothing.
        """
        self._worktrees.clear()
        self._seen = Seen()
        return walk(self._root, self._rules, seen=self._seen)

    def glance(self, settled: Callable[[Stamp], bool]) -> bytes | None:
        """
        What :meth:`glimpse` needs to know of the last walk, once it came to its end.

        Args:
            settled: whether a change after the walk began must show in a stamp.

        Returns:
            None where a change might pass unseen.
        """
        seen, self._seen = self._seen, Seen()
        return packed(seen, self._root, self._key, settled) if seen.folders else None

    def glimpse(self, glance: bytes, settled: Callable[[Stamp], bool]) -> Glimpse | None:
        """
        How a walk would differ from an earlier one; None where only a walk can tell.

        Args:
            glance: of the earlier walk.
            settled: whether a change after this look began must show in a stamp.
        """
        rules = self._rules
        hidden = () if rules.include else HIDDEN_FROM_GIT
        return glimpse(glance, self._root, self._key, hidden, rules.max_bytes, settled)

    @property
    def _key(self) -> str:
        told = repr((_VERSION, self._root, self._rules))
        return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def read(self, found: Found) -> SourceFile | Skipped:
        """Read, decode and judge one file; never raises on odd content."""
        try:
            data, stamp = self._bytes(found.path)
        except FileNotFoundError:
            return skip(found.path, "missing")
        except PermissionError as error:  # granting it would change the stamp
            return skip(found.path, "unreadable", error.strerror or "", found.stamp)
        except OSError as error:
            return skip(found.path, "unreadable", error.strerror or "")
        if data is None:
            return skip(found.path, "special")
        return self._judged(found.path, data, stamp)

    def content(self, path: str) -> Content | None:
        """One file as it is now, decoded and not judged; None where that cannot be had."""
        try:
            data, _ = self._bytes(path)
        except OSError:
            return None
        decoded = None if data is None else decode(data, article=self._rules.article)
        if data is None or decoded is None or isinstance(decoded, Undecodable):
            return None
        return Content(decoded.text, digest_of(data))

    def _judged(self, path: str, data: bytes, stamp: Stamp) -> SourceFile | Skipped:
        if len(data) > self._rules.max_bytes:
            return skip(path, "too-big", f"{stamp.size:,} bytes")
        decoded = decode(data, article=self._rules.article)
        if isinstance(decoded, Undecodable):
            return skip(path, decoded.reason, decoded.detail, stamp)
        text = decoded.text
        language = language_of(path) or language_of_shebang(text[:HEAD])
        if self._rules.withhold_secrets:
            what = secret_text(path, text, prose=language in PROSE)
            if what:
                return skip(path, "secret", what, stamp)
        return SourceFile(
            path=path,
            text=text,
            stamp=stamp,
            digest=digest_of(data),
            language=language,
            label=self._label(path, language, text),
            encoding=decoded.encoding,
        )

    def why(self, path: str | os.PathLike[str]) -> Found | Skipped:
        """
        What becomes of one path, and by which rule; content is looked at too.

        Args:
            path: relative to the root, or absolute.  A folder that is walked is
                found as well.

        Raises:
            UsageError: the path lies outside the root.
        """
        relative = self._relative(path)
        for outcome in walk(self._root, self._rules, only=relative):
            if isinstance(outcome, Found):
                read = self.read(outcome)
                return read if isinstance(read, Skipped) else outcome
            return self._explained(outcome, relative)
        if relative.split("/")[0] == ".git" or "/.git/" in f"{relative}/":
            return skip(relative, "folder", ".git")
        try:
            return Found(relative, stamp_of(os.lstat(self._root + relative)))
        except OSError:
            return skip(relative, "missing")

    def _explained(self, outcome: Skipped, asked: str) -> Skipped:
        """The verdict on ``asked``, which may lie in a folder that is skipped whole."""
        details = [outcome.detail] if outcome.detail else []
        if outcome.reason == "ignored" and not details:
            ignored = Path(self._root, outcome.path)
            pattern = git.explain(str(ignored.parent), ignored.name)
            details = [pattern] if pattern else []
        if outcome.path.rstrip("/") != asked:
            details.insert(0, outcome.path)
        return replace(outcome, path=asked, detail=", ".join(details))

    def _relative(self, path: str | os.PathLike[str]) -> str:
        # Taken as written: what a link points at is not what was asked about.
        absolute = os.path.normpath(Path(self._root, path))
        relative = os.path.relpath(absolute, self._root)
        if relative.split("/")[0] == "..":
            raise UsageError(f"{path} lies outside {self._root}; ask about a path inside it")
        return relative

    def _bytes(self, path: str) -> tuple[bytes | None, Stamp]:
        """The content, one byte more than allowed at most, and the stamp it had before."""
        # No waiting for the writer of a pipe, and no link that took the file's place.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(self._root + path, flags)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None, stamp_of(status)
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                return stream.read(self._rules.max_bytes + 1), stamp_of(status)
        finally:
            os.close(descriptor)

    def _label(self, path: str, language: str, text: str) -> Label:
        for glob, label in self._rules.labels:
            if compile_globs((glob,)).match(path):
                return label
        if self._attributes is None:
            self._attributes = read_attributes(self._root)
        linguist = self._attributes.of(path)
        if self._in_linked_worktree(path):
            linguist.setdefault("vendored", True)
        return label_of(path, language, text, linguist)

    def _in_linked_worktree(self, path: str) -> bool:
        """A second checkout inside the root is a copy, like vendored code."""
        folder = path.rpartition("/")[0]
        if not folder:
            return False
        if folder not in self._worktrees:
            here = git.is_linked_worktree(self._root + folder)
            self._worktrees[folder] = here or self._in_linked_worktree(folder)
        return self._worktrees[folder]


def digest_of(data: bytes) -> str:
    """BLAKE2b-128, hexadecimal: 1 GB a second, and no two files of a root will share one."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
