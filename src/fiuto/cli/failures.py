"""
Turns whatever ends a command early into one line and an exit code.

0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from fiuto.cli.terminal import say, settle
from fiuto.config import user_home
from fiuto.errors import FiutoError

__all__ = ["ERROR", "FOUND", "NOTHING", "STOPPED", "Ended", "contained"]

FOUND, NOTHING, ERROR, STOPPED = 0, 1, 2, 130


class Ended(Exception):
    """A command ended early; everything was said already."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(code)


@contextmanager
def contained(*, debug: bool = False) -> Iterator[None]:
    """
    Run a command; whatever it raises is told in one line.

    Args:
        debug: show the traceback of an error too.

    Raises:
        Ended: in place of every exception but click's order to exit.
    """
    try:
        yield
        settle()
    except (click.exceptions.Exit, Ended):
        raise
    except click.ClickException as error:
        say(f"fiuto: {_usage_line(error)}")
        raise Ended(ERROR) from error
    except (KeyboardInterrupt, click.Abort) as error:
        say("fiuto: stopped; what was done is kept, and the next run goes on from there")
        raise Ended(STOPPED) from error
    except BrokenPipeError as error:
        _settle_quietly()
        raise Ended(FOUND) from error  # whoever read the answer has what he wanted
    except Exception as error:  # the border: nothing above would tell it any better
        _settle_quietly()
        if debug:
            import traceback  # noqa: PLC0415 - brings textwrap and more

            traceback.print_exc()
        say(f"fiuto: {_line(error)}")
        raise Ended(ERROR) from error


def _settle_quietly() -> None:
    with suppress(OSError):
        settle()


def _usage_line(error: click.ClickException) -> str:
    """A wrong option or argument, in one line that says where help is."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "fiuto"
    return f"{message}; see '{where} --help'"


def _line(error: Exception) -> str:
    if isinstance(error, FiutoError):
        return str(error)
    if isinstance(error, OSError):
        # Where the system names no path, it was a file of an index: all others are named.
        place = user_home() if error.filename is None else error.filename
        return f"{place}: {error.strerror or error}"
    return (
        f"unexpected {type(error).__name__}: {error}; "
        "this is a fault in fiuto: 'fiuto --debug …' shows where"
    )
