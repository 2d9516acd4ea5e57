r"""
What a path glob means, said once for the scan and for the path filter.

Globs speak about paths relative to the root, with ``/`` between parts:

1. ``*``, ``?`` and ``[...]`` stay inside one part; ``**`` crosses parts.
2. Without a slash, a glob matches the last part of a path at any depth, and
   everything below a folder of that name: ``*.py``, ``test_*``, ``docs``.
3. With a slash anywhere it starts at the root: ``src/*.c``, ``/Makefile``,
   ``./src``.  Where its last part is a plain name, everything below a folder of
   that name matches too: ``src/net`` is also ``src/net/tcp.c``.
4. ``src/`` and ``src/**`` are all that lies below ``src``; ``src/*`` only what
   lies directly in it; ``.`` is everything.
5. ``[!a]`` and ``[^a]`` are "anything but a"; a backslash takes the next
   character as it is (on Windows it separates parts instead).  Case counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fiuto.errors import UsageError

__all__ = ["compile_globs", "compile_parents"]

_BELOW = r"(?:/.*)?"
_NOTHING = r"(?!)"
_TOKEN = re.compile(
    r"\*+|\?|\[(?P<negated>[!^]?)(?P<set>\]?[^\]]*)\]|\\(?P<escaped>.)|.", re.DOTALL
)
_WILD = re.compile(r"(?<!\\)[*?\[]")


def compile_globs(globs: Sequence[str]) -> re.Pattern[str]:
    """
    One expression whose ``match`` tells whether any of ``globs`` selects a path.

    A folder is asked about with a ``/`` at its end.  No globs select nothing.

    Raises:
        UsageError: a glob is empty or has a ``[`` that is never closed.
    """
    return _compile(tuple(globs))


def compile_parents(globs: Sequence[str]) -> re.Pattern[str]:
    """
    One expression that matches each folder a rooted glob must pass through.

    ``build/keep/*.py`` passes through ``build/`` and ``build/keep/``; a glob
    that may match at any depth passes through no folder in particular.
    """
    return _compile_parents(tuple(globs))


@lru_cache(maxsize=256)
def _compile(globs: tuple[str, ...]) -> re.Pattern[str]:
    return _alternatives(_expression(glob) for glob in globs)


@lru_cache(maxsize=256)
def _compile_parents(globs: tuple[str, ...]) -> re.Pattern[str]:
    return _alternatives(_parents(glob) for glob in globs)


def _alternatives(expressions: Iterable[str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{e})" for e in expressions) or _NOTHING
    return re.compile(rf"(?:{joined})\Z", re.DOTALL)


def _expression(glob: str) -> str:
    parts, rooted = _parts(glob)
    if not parts:
        return ".*"
    folder_only = parts[-1] in ("", "**")
    while parts and parts[-1] in ("", "**"):
        parts.pop()
    if not parts:
        return ".*"
    body = _join(parts, glob)
    if folder_only:
        return f"{body}/.*"
    if rooted:
        return body if _WILD.search(parts[-1]) else body + _BELOW
    return f"(?:.*/)?{body}{_BELOW}"


def _parents(glob: str) -> str:
    parts, rooted = _parts(glob)
    if not rooted:
        return _NOTHING
    above = []
    for part in parts[:-1]:
        if "**" in part:
            break
        above.append(part)
    prefixes = (_join(above[: i + 1], glob) + "/" for i in range(len(above)))
    return "|".join(prefixes) or _NOTHING


def _parts(glob: str) -> tuple[list[str], bool]:
    """The parts of a glob (a last empty one means "a folder"), and whether it is rooted."""
    if not glob:
        raise UsageError("an empty glob selects nothing; leave it out, or write '**' for all")
    text = glob.replace("\\", "/") if os.sep == "\\" else glob
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise UsageError(f"glob {glob!r} leaves the root; paths are relative to the root")
    if parts and text.endswith(("/", "/.")):
        parts.append("")
    return parts, "/" in text or text == "."


def _join(parts: Sequence[str], glob: str) -> str:
    """``a/**/b`` also spans no folder at all, so the slash belongs to the ``**``."""
    out = []
    for i, part in enumerate(parts):
        if part == "**":
            out.append("(?:.*/)?")
        else:
            out.append("".join(_translate(part, glob)) + ("/" if i + 1 < len(parts) else ""))
    return "".join(out)


def _translate(part: str, glob: str) -> Iterator[str]:
    for token in _TOKEN.finditer(part):
        text = token.group()
        if text.startswith("**"):
            yield ".*"
        elif text == "*":
            yield "[^/]*"
        elif text == "?":
            yield "[^/]"
        elif text == "[":
            raise UsageError(f"glob {glob!r} has an open '['; close it, or write '\\['")
        elif token["set"] is not None:
            yield _character_set(token["set"], negated=bool(token["negated"]), glob=glob)
        else:
            yield re.escape(token["escaped"] or text)


def _character_set(members: str, *, negated: bool, glob: str) -> str:
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
    expression = f"(?!/)[{'^' if negated else ''}{escaped}]"
    try:
        re.compile(expression)
    except re.error as error:
        raise UsageError(f"glob {glob!r} has a set that means nothing: {error.msg}") from error
    return expression
