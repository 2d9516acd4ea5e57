"""
The three streams: what they can show, and how to write so that nothing goes wrong.

A pipe may close early, an encoding may not hold a character, a disk may be full,
and a name may hold bytes that are no text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from fiuto.config import environment
from fiuto.render.style import PLAIN, Style, printable

__all__ = [
    "abandon",
    "give",
    "give_data",
    "is_terminal",
    "named_output",
    "prepare",
    "readable",
    "say",
    "settle",
    "style_of",
    "warn",
]


def prepare() -> None:
    """Write what an encoding cannot hold as an escape, instead of failing on it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def readable(argument: str) -> str:
    """An argument as text, where the locale could not decode its bytes."""
    if argument.isascii():
        return argument
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at ``stream`` through something that understands escapes."""
    return stream is not None and stream.isatty() and environment("TERM") not in ("dumb", "")


def style_of(stream: TextIO | None, root: str = "") -> Style:
    """
    How to draw on ``stream``.

    ``NO_COLOR`` (https://no-color.org) turns colours off, ``FORCE_COLOR`` on.

    Args:
        stream: where the drawing goes.
        root: the folder that paths of links are relative to; empty for no links.
    """
    terminal = is_terminal(stream)
    colour = (terminal or bool(environment("FORCE_COLOR"))) and not environment("NO_COLOR")
    if not terminal:
        return Style(colour=True) if colour else PLAIN
    import shutil  # noqa: PLC0415 - no pipe has a width
    from urllib.parse import quote  # noqa: PLC0415 - nor links

    links = f"file://{os.uname().nodename}{quote(os.fsencode(root.rstrip('/')))}/" if root else ""
    return Style(colour=colour, width=shutil.get_terminal_size().columns, links=links)


@contextmanager
def named_output() -> Iterator[None]:
    """Say which stream it was that could not be written to; the system does not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def give(text: str) -> None:
    """
    Write an answer, whose escapes are decided already, to standard output.

    Raises:
        OSError: it could not be written, with the name of the stream.
    """
    if sys.stdout is not None:
        with named_output():
            sys.stdout.write(text)
            sys.stdout.flush()


def give_data(data: Any) -> None:
    """Write one line of JSON; plain ASCII where the encoding is not UTF-8."""
    import json  # noqa: PLC0415 - text needs none

    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    give(json.dumps(data, ensure_ascii=encoding != "utf8") + "\n")


def say(text: str, *, dim: bool = False) -> None:
    """Tell the person something that is no part of the answer: one line on standard error."""
    if sys.stderr is None:
        return
    line = printable(" ".join(text.split()))
    try:
        sys.stderr.write(f"{style_of(sys.stderr).dim(line) if dim else line}\n")
        sys.stderr.flush()
    except BrokenPipeError:
        abandon(sys.stderr)  # nobody listens; the exit code still tells


def warn(warnings: Iterable[str]) -> None:
    """One line for each that is not empty."""
    for warning in filter(None, warnings):
        say(f"fiuto: warning: {warning}")


def settle() -> None:
    """
    Write out what is buffered, or drop it, so that the interpreter does not trip over it.

    Raises:
        OSError: it was dropped.
    """
    if sys.stdout is None:
        return
    try:
        with named_output():
            sys.stdout.flush()
    except OSError:
        abandon(sys.stdout)
        raise


def abandon(stream: TextIO) -> None:
    """Send what is still buffered, and whatever follows, nowhere."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return  # not a real file, so nothing is flushed at exit
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
