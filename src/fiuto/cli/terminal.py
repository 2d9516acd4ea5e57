"""
The three streams: what they can show, and how to write so that nothing goes wrong.

A pipe may close early, an encoding may not hold a character, a disk may be full,
and a name may hold bytes that are no text.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO
from urllib.parse import quote

import click

from fiuto.config import environment
from fiuto.render.style import PLAIN, Style, printable

__all__ = [
    "abandon_output",
    "flush",
    "give",
    "give_data",
    "is_terminal",
    "prepare",
    "readable",
    "say",
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
    return (
        stream is not None
        and stream.isatty()
        and environment("TERM") not in ("dumb", "")
    )


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

    links = f"file://{os.uname().nodename}{quote(root.rstrip('/'))}/" if root else ""
    return Style(colour=colour, width=shutil.get_terminal_size().columns, links=links)


def give(text: str) -> None:
    """Write an answer, whose escapes are decided already, to standard output."""
    click.echo(text, nl=False, color=True)


def give_data(data: Any) -> None:
    """Write one line of JSON; plain ASCII where the encoding is not UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    give(json.dumps(data, ensure_ascii=encoding != "utf8") + "\n")


def say(text: str, *, dim: bool = False) -> None:
    """Tell the person something that is no part of the answer: one line on standard error."""
    line = printable(" ".join(text.split()))
    click.echo(style_of(sys.stderr).dim(line) if dim else line, err=True, color=True)


def warn(warnings: tuple[str, ...]) -> None:
    """One line each."""
    for warning in warnings:
        say(f"fiuto: warning: {warning}")


def flush() -> None:
    """Find out now whether everything could be written."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not trip over it."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return  # not a real file, so nothing is flushed at exit
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
