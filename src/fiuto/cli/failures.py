"""
Turns whatever ends a command early into one line and an exit code.

0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import click

from fiuto.cli.terminal import abandon_output, flush, say
from fiuto.errors import FiutoError

__all__ = ["ERROR", "FOUND", "NOTHING", "STOPPED", "Ended", "contained", "usage_line"]

FOUND, NOTHING, ERROR, STOPPED = 0, 1, 2, 130


class Ended(Exception):  # noqa: N818 - an ending is not always an error
    """A command ended early; everything was said already."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(code)


@contextmanager
def contained(*, debug: bool) -> Iterator[None]:
    """
    Run a command; whatever it raises is told in one line.

    Args:
        debug: show the traceback too.

    Raises:
        Ended: instead of everything but click's own exceptions.
    """
    try:
        yield
        flush()
    except (click.ClickException, click.exceptions.Exit):
        raise
    except (KeyboardInterrupt, click.Abort) as error:
        say("fiuto: stopped; what was done is kept, and the next run goes on from there")
        raise Ended(STOPPED) from error
    except BrokenPipeError as error:
        # Whoever read the answer has what he wanted.
        abandon_output()
        raise Ended(FOUND) from error
    except Exception as error:  # the border: nothing above would tell it any better
        if debug:
            traceback.print_exc()
        abandon_output()
        say(f"fiuto: {_line(error)}")
        raise Ended(ERROR) from error


def usage_line(error: click.ClickException) -> str:
    """A wrong option or argument, in one line that says where help is."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "fiuto"
    return f"{message}; see '{where} --help'"


def _line(error: Exception) -> str:
    if isinstance(error, FiutoError):
        return str(error)
    if isinstance(error, OSError):
        # Without a path it is a stream: standard output is the one that fills disks.
        place = error.filename if error.filename is not None else "writing the output"
        return f"{place}: {error.strerror or error}"
    return (
        f"unexpected {type(error).__name__}: {error}; "
        "this is a fault in fiuto: 'fiuto --debug …' shows where"
    )
