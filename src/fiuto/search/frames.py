"""
Places that a pasted text points at: stack traces of many languages, ``path:line``.

Pure: text in, frames out, the innermost first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from fiuto.values import dataclass

__all__ = ["Frame", "frames_of", "message_of", "resolve"]

_MOST = 60
"""Frames kept: the innermost of a recursion that overflowed say it all."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One place in a trace."""

    path: str
    """As written, with ``/``; often absolute, on another machine."""
    line: int
    """1-based; 0 where none is given."""
    function: str = ""


_PATH = r"(?P<path>[^\s:()'\"<>|]+\.[A-Za-z]\w{0,9})"
_PYTHON = r"File \"(?P<path>[^\"\n]+)\", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?"
_FRAMES: tuple[str, ...] = (
    # Java, Kotlin, Scala, with the package before the name.
    (
        r"\bat (?P<qualified>[\w$.]+)\.(?P<function>[\w$<>]+)"
        r"\((?P<path>[\w$-]+\.\w+):(?P<line>\d+)\)"
    ),
    # C# and F#.
    r"\bin (?P<path>[^\n]+?\.\w+):line (?P<line>\d+)",
    # JavaScript, with a column after the line.
    (rf"\bat (?:(?P<function>[\w$.<>]+)[^\n(]* \()?(?:file://)?{_PATH}:(?P<line>\d+)(?::\d+)?"),
    # PHP numbers its frames.
    rf"#\d+ {_PATH}\((?P<line>\d+)\)(?:: (?P<function>[\w\\:>-]+))?",
    # Ruby.
    rf"{_PATH}:(?P<line>\d+):in [`'](?P<function>[^'`]+)['`]",
    # Go, Rust, compilers, editors.
    rf"(?<![\w/.-]){_PATH}:(?P<line>\d+)\b",
)
_ALONE = r"(?:\.{0,2}/)?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)*(?:\.\w+)(?::(?P<line>\d+))?"
_SLASHED = r"/|:\d+$|\.(?:py|js|ts|go|rs|rb|java|kt|c|h|cc|cpp|cs|php|md|toml|json)$"


_compiled = cache(re.compile)
"""Compiled when first needed: few questions point at a place, and all would wait."""


def frames_of(text: str) -> tuple[Frame, ...]:
    """
    The frames of ``text``, the innermost first.

    Python prints the innermost last, every other language first.

    >>> frames_of('File "/x/requests/api.py", line 59, in request')
    (Frame(path='/x/requests/api.py', line=59, function='request'),)
    >>> frames_of("src/a.py:3"), frames_of("how it works")
    ((Frame(path='src/a.py', line=3, function=''),), ())
    """
    text = text[:200_000]
    if "." not in text and "File" not in text:  # every shape has the one or the other
        return ()
    alone = _compiled(_ALONE).fullmatch(text.strip())
    if alone and _compiled(_SLASHED).search(text.strip()):
        line = int(alone["line"] or 0)
        return (Frame(text.strip().removeprefix("./").removesuffix(f":{alone['line']}"), line),)
    python = [_frame(found) for found in _compiled(_PYTHON).finditer(text)]
    if python:
        return tuple(python[::-1][:_MOST])
    for shape in _FRAMES:
        found = [_frame(one) for one in _compiled(shape).finditer(text)]
        if found:
            return tuple(found[:_MOST])
    return ()


def message_of(text: str) -> str:
    r"""
    The line of a trace that says what went wrong, empty where the text is one line.

    >>> message_of('Traceback:\n  File "a.py", line 1, in f\nValueError: no scheme')
    'ValueError: no scheme'
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return ""
    plain = [line.strip() for line in lines if not line[:1].isspace() and not _is_frame(line)]
    if not plain:
        return ""
    return plain[-1] if _compiled(_PYTHON).search(text) else plain[0]


def resolve(frames: Sequence[Frame], paths: Sequence[str]) -> list[tuple[str, int]]:
    """
    Which of ``paths`` each frame means, innermost first; those of other code are left out.

    A path fits by its last parts: all of the frame's, or all of its own, or at least two.
    """
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    out = []
    for frame in frames:
        wanted = [part for part in frame.path.replace("\\", "/").split("/") if part]
        best = ("", 0)
        for path in by_name.get(wanted[-1], ()) if wanted else ():
            parts = path.split("/")
            same = _common_end(wanted, parts)
            enough = same >= 2 or same == len(wanted) or same == len(parts)
            if enough and (same, -len(parts)) > (best[1], -len(best[0].split("/"))):
                best = (path, same)
        if best[0]:
            out.append((best[0], frame.line))
    return out


def _frame(found: re.Match[str]) -> Frame:
    groups = found.groupdict()
    path = groups["path"].strip()
    if groups.get("qualified"):
        package = groups["qualified"].split(".")[:-1]
        path = "/".join((*package, path))
    return Frame(path, int(groups["line"]), (groups.get("function") or "").strip("<>"))


def _is_frame(line: str) -> bool:
    return bool(
        _compiled(_PYTHON).search(line) or any(_compiled(shape).search(line) for shape in _FRAMES)
    )


def _common_end(a: Sequence[str], b: Sequence[str]) -> int:
    same = 0
    for x, y in zip(reversed(a), reversed(b), strict=False):
        if x != y:
            break
        same += 1
    return same
