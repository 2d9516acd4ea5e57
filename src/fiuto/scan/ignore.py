"""
Ignore files as git reads them, for where git itself cannot be asked.

pathspec translates one pattern at a time, and each is asked about one file or
folder *as such*, never about what lies above it: a walk from the root down has
already dealt with that.  So ``!custom/static/`` after ``custom/*`` and ``!*/``
after ``*`` come out as in git, where matching whole paths at once cannot tell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "IgnoreFile",
    "compile_pattern",
    "ignore_files_above",
    "ignored_by",
    "read_ignore_file",
]

_BOM = "\ufeff"
_MANY_STARS = re.compile(r"(?<![^/!])\*{3,}(?![^/ ])")
_ALL_BELOW = re.compile(r"/\*\*(/?) *$")
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")


class Pattern(NamedTuple):
    """One line of an ignore file."""

    regex: re.Pattern[str]
    ignores: bool
    """False for a line that begins with ``!``."""
    where: str
    """``file:line: text``, as ``git check-ignore -v`` says it."""


class IgnoreFile(NamedTuple):
    """The patterns of one file, which speak about what is below ``folder``."""

    folder: str
    """Relative to the root, with a ``/`` at its end; empty for the root or above it."""
    above: str
    """The way from the ignore file's folder down to the root, where it stands above."""
    patterns: tuple[Pattern, ...]
    any: re.Pattern[str]
    """All patterns at once: most paths match none."""

    def decide(self, path: str) -> Pattern | None:
        """The last pattern that matches ``path``; a folder ends in ``/``."""
        return self._last(self.above + path[len(self.folder) :])

    def decide_above(self, levels: int) -> Pattern | None:
        """The last pattern that matches the folder so many levels above the root."""
        parts = self.above.split("/")[:-1]
        way = parts[: len(parts) - levels]
        return self._last("/".join(way) + "/") if way else None

    def _last(self, asked: str) -> Pattern | None:
        if not self.any.search(asked):
            return None
        return next((p for p in reversed(self.patterns) if p.regex.search(asked)), None)


def read_ignore_file(file: str, shown: str, folder: str = "", above: str = "") -> IgnoreFile | None:
    """
    Parse an ignore file; None where it cannot be read, as git does.

    Args:
        file: where it is.
        shown: what to call it in an explanation.
        folder: the folder it stands in, relative to the root, with a ``/`` at its end.
        above: the way from its folder down to the root, for a file above the root.
    """
    try:
        text = Path(file).read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None
    patterns = []
    for number, line in enumerate(text.removeprefix(_BOM).split("\n"), 1):
        pattern = line.removesuffix("\r")
        compiled = compile_pattern(pattern)
        if compiled is not None:
            patterns.append(Pattern(*compiled, f"{shown}:{number}: {pattern}"))
    together = "|".join(f"(?:{p.regex.pattern})" for p in patterns) or r"(?!)"
    return IgnoreFile(folder, above, tuple(patterns), re.compile(together, re.DOTALL))


@lru_cache(maxsize=4096)
def compile_pattern(line: str) -> tuple[re.Pattern[str], bool] | None:
    """
    A gitignore pattern as an expression to *search*, and whether it ignores.

    None for blank lines, comments, and what git discards as malformed.
    """
    # pathspec costs tens of milliseconds to import, and a scan by git needs none of it.
    from pathspec.patterns.gitignore.base import GitIgnorePatternError  # noqa: PLC0415
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    line = _MANY_STARS.sub("**", line)  # as git takes them
    line = _ALL_BELOW.sub(r"/**/*\1", line)  # the same, said of what it matches
    try:
        regex, ignores = GitIgnoreSpecPattern.pattern_to_regex(line)
    except GitIgnorePatternError:
        return None
    if regex is None or ignores is None:
        return None
    return re.compile(_NAMED_GROUP.sub("(?:", regex) + r"\Z", re.DOTALL), ignores


def ignored_by(files: Sequence[IgnoreFile], path: str) -> str:
    """The pattern that ignores ``path``, or an empty string; the last file to decide wins."""
    if not files:  # as nearly always where git answers
        return ""
    return _first_word(file.decide(path) for file in reversed(files))


def ignore_files_above(root: str, top: str) -> tuple[IgnoreFile, ...]:
    """
    The ignore files of a work tree that speak about ``root`` from outside it.

    Empty where they ignore ``root`` itself: whoever names such a folder wants it.
    The user's global excludes file is git's own business and not read.
    """
    way = os.path.relpath(os.path.realpath(root), top).split("/")
    way = [] if way == ["."] else way
    found = [read_ignore_file(f"{top}/.git/info/exclude", ".git/info/exclude", above=_join(way))]
    for depth in range(len(way)):
        file = _join(way[:depth]) + ".gitignore"
        found.append(read_ignore_file(f"{top}/{file}", file, above=_join(way[depth:])))
    files = tuple(file for file in found if file is not None)
    levels = range(len(way))
    ignored = any(_first_word(f.decide_above(n) for f in reversed(files)) for n in levels)
    return () if ignored else files


def _join(way: Iterable[str]) -> str:
    return "".join(f"{part}/" for part in way)


def _first_word(decisions: Iterable[Pattern | None]) -> str:
    decided = next((pattern for pattern in decisions if pattern is not None), None)
    return decided.where if decided is not None and decided.ignores else ""
