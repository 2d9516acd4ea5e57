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

_SECONDS = 0.25
_SECONDS_PER_BYTE = 2e-6
"""Processor time that parsing may take, some five times what the slowest grammar needs."""

_NESTING = 5000
"""
Open brackets at once that are refused.  At the end of the text the parser tries to close
them all, which takes memory that grows with their square: 400 MB for this many in Java.
"""

_STACK_BYTES = 128
"""
Machine stack for each byte of source.  Releasing the parser's own stack recurses
once per entry, 96 bytes each, and nesting can make an entry of every byte.
"""
_USUAL_STACK = 6 << 20
"""Machine stack that a thread has to spare: eight megabytes are usual."""


_MACRO = rb"^[ \t]*[A-Z][A-Z0-9_]{3,}[ \t]*(?=(?:/[/*].*)?\r?$)|(?<=\()[ \t]*[A-Z_]{3,}[ \t]+(?=\*)"
_MACROS_BEFORE = rb"^[ \t]*(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*[ \t]+)+"
_MACROS = {
    "c": re.compile(_MACRO + b"|" + _MACROS_BEFORE + rb"(?=\w+[ \t*]+\w)", re.MULTILINE),
    "cpp": re.compile(
        _MACRO + b"|" + _MACROS_BEFORE + rb"(?=[a-z]\w*(?:[ \t*&:<]+\w|\())", re.MULTILINE
    ),
}
"""
Macros that the parser would take for types: alone on a line, or before a declarator.
They are blanked, since what they expand to is seldom more than an attribute.
"""


def parse(source: bytes, language: str) -> Tree | None:
    """
    The syntax tree, or None where parsing is pointless or was given up.

    Its rows and bytes are those of ``source``, though not all of it was read.
    """
    if language in _MACROS:
        source = _MACROS[language].sub(lambda macro: b" " * len(macro[0]), source)
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
    allowed = _SECONDS + _SECONDS_PER_BYTE * len(source)

    def gives_up(offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        too_slow = steps > _STEPS_FREE + offset / _STEP_BYTES
        return too_slow or thread_time() - started > allowed

    def read(offset: int, _point: object) -> bytes:
        return source[offset:]

    try:
        # A parser of our own: one that gave up, or that two threads share, is in no good state.
        return Parser(load(language)).parse(read, progress_callback=gives_up)
    except ValueError:  # "Parsing failed": given up
        return None
    except ImportError:  # no wheel of this grammar for this machine
        return None


def _with_stack(size: int, work: Callable[[], _T]) -> _T:
    """Do the work in a thread that has this much machine stack."""
    results: list[_T] = []
    thread = threading.Thread(target=lambda: results.append(work()), name="fiuto-parse")
    before = threading.stack_size(-(-size // 65536) * 65536)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return results[0]
