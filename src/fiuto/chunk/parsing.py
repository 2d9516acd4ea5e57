"""
Parses what is worth parsing, within bounds.

A parser that meets text it was not made for may need time and memory far beyond
the size of the text.  Such files are not understood anyway: they are turned away
before, or given up on the way.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from time import thread_time
from typing import TYPE_CHECKING, TypeVar

from fiuto.chunk.grammars import load

if TYPE_CHECKING:
    from tree_sitter import Tree

__all__ = ["parse"]

_T = TypeVar("_T")

_STEP_BYTES = 32
"""
Progress demanded between two calls of the parser, on average.  Real files of all
languages gave 65 or more; text that the parser cannot make sense of gives 10 to 30.
"""
_STEPS_FREE = 64
"""Calls before progress is looked at."""

_STEPS_UNTIMED = 8
"""Calls for each look at the clock, which takes longer than a step."""

_SECONDS = 0.25
_SECONDS_PER_BYTE = 2e-6
"""
Processor time that the way so far may have taken: some five times what the slowest
grammar needs.  It catches grammars that crawl in few, ever longer steps.
"""

_NESTING = 5000
"""
Open brackets at once that are refused.  At the end of the text the parser tries to close
them all, which takes memory that grows with their square: 400 MB for this many in Java.
"""

_WINDOW = 1 << 14
"""Bytes that the parser sees at once."""

_STACK_BYTES = 128
"""
Machine stack for each byte of source.  Releasing the parser's own stack recurses
once per entry, 96 bytes each, and nesting can make an entry of every byte.
"""
_USUAL_STACK = 6 << 20
"""Machine stack that a thread has to spare: eight megabytes are usual."""

_ALONE = rb"[A-Z][A-Z0-9_]{3,}[ \t]*(?=(?:/[/*].*)?\r?$)"
_BEFORE = rb"(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*[ \t]+)+"
_MACROS = {
    "c": re.compile(
        rb"\n[ \t]*(?:" + _ALONE + b"|" + _BEFORE + rb"(?=\w+[ \t*]+\w))", re.MULTILINE
    ),
    "cpp": re.compile(
        rb"\n[ \t]*(?:" + _ALONE + b"|" + _BEFORE + rb"(?=[a-z]\w*(?:[ \t*&:<]+\w|\()))",
        re.MULTILINE,
    ),
}
_MACRO_OF_POINTER = re.compile(rb"\([ \t]*[A-Z_]{3,}[ \t]+(?=\*)")
"""
Macros that the parser would take for types: alone on a line, or before a declarator.
They are blanked, since what they expand to is seldom more than an attribute.  Each pattern
begins with a character of its own, which ``re`` looks for ten times as fast as for a place.
"""


def _blanked(match: re.Match[bytes]) -> bytes:
    return match[0][:1] + b" " * (len(match[0]) - 1)


def parse(source: bytes, language: str) -> Tree | None:
    """
    The syntax tree, or None where parsing is pointless or was given up.

    Its rows and bytes are those of ``source``, though not all of it was read.
    """
    if language in _MACROS:
        source = _MACROS[language].sub(_blanked, b"\n" + source)[1:]
        source = _MACRO_OF_POINTER.sub(_blanked, source)
    if b"\0" in source or _is_nested(source, b"([{", b")]}") or _is_nested(source, b"<", b">"):
        return None
    room = len(source) * _STACK_BYTES
    if room <= _USUAL_STACK:
        return _parse(source, language)
    return _with_stack(room, lambda: _parse(source, language))


def _is_nested(source: bytes, opening: bytes, closing: bytes) -> bool:
    """Whether more brackets are open at once than the parser can bear."""
    if sum(source.count(sign) for sign in opening) <= _NESTING:
        return False
    depth = 0
    for bracket in re.finditer(b"[" + re.escape(opening + closing) + b"]", source):
        depth = depth + 1 if bracket[0] in opening else max(0, depth - 1)
        if depth > _NESTING:
            return True
    return False


def _parse(source: bytes, language: str) -> Tree | None:
    from tree_sitter import Parser  # noqa: PLC0415 - only who parses pays for it

    steps = 0
    started = thread_time()
    window = _idle.pop() if _idle else _Window()

    def gives_up(offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        if steps > _STEPS_FREE + offset / _STEP_BYTES:
            return True
        if steps % _STEPS_UNTIMED:
            return False
        return thread_time() - started > _SECONDS + offset * _SECONDS_PER_BYTE

    def read(offset: int, _point: object) -> memoryview:
        return window.show(source[offset : offset + _WINDOW])

    try:
        # A parser of our own: one that gave up, or that two threads share, is in no good state.
        return Parser(load(language)).parse(read, progress_callback=gives_up)
    except (ValueError, ImportError):  # given up, or no wheel of this grammar for this machine
        return None
    finally:
        _idle.append(window)


class _Window:
    """
    Shows a source piece by piece, in memory that is used again and again.

    tree-sitter's binding never lets go of what a read returned (0.25.0 to 0.26.1):
    handing out the source itself would keep every parsed file in memory.
    """

    __slots__ = ("_memory", "_views")

    def __init__(self) -> None:
        self._memory = memoryview(bytearray(_WINDOW))
        self._views: dict[int, memoryview] = {}

    def show(self, piece: bytes) -> memoryview:
        """The piece, until the next one is shown."""
        size = len(piece)
        self._memory[:size] = piece
        view = self._views.get(size)
        if view is None:
            view = self._views[size] = self._memory[:size]
        return view


_idle: list[_Window] = []
"""Windows that no parse is using."""


def _with_stack(size: int, work: Callable[[], _T]) -> _T | None:
    """Do the work in a thread that has this much machine stack; None where there is none."""
    results: list[_T] = []
    thread = threading.Thread(target=lambda: results.append(work()), name="fiuto-parse")
    before = threading.stack_size(-(-size // 65536) * 65536)
    try:
        thread.start()
    except RuntimeError:  # the system grants no further thread
        return None
    finally:
        threading.stack_size(before)
    thread.join()
    return results[0]
