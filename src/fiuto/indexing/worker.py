"""
The other end of a :class:`fiuto.indexing.crew.Crew`: prepares the files it is sent.

For each list of files that comes, an answer goes back: what came of each, and how many of
them were cut without their syntax.
"""

from __future__ import annotations

import marshal
import pickle
import signal
import sys
import time
from typing import IO

from fiuto.indexing.preparing import plain, prepare
from fiuto.model import Found, Stamp
from fiuto.protocols import Chunker, Embedder, Scanner

__all__ = ["Parts", "main", "serve"]

Parts = tuple[Scanner, Chunker, Embedder | None]
"""What files are prepared with."""


def main() -> None:
    """A command of its own: the parts come first, pickled, by its standard input."""
    asked, given = sys.stdin.buffer, sys.stdout.buffer
    serve(pickle.load(asked), asked, given)  # noqa: S301 - from our own parent


def serve(parts: Parts, asked: IO[bytes], given: IO[bytes]) -> None:
    """Work until the input ends, which it does when the parent is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what a Ctrl-C means
    scanner, chunker, embedder = parts
    while True:
        try:
            files = marshal.load(asked)  # noqa: S302 - from our own parent
        except EOFError:
            return
        before = fallbacks(chunker)
        done = [
            plain(prepare(Found(path, Stamp(*stamp)), scanner, chunker, embedder, time.time_ns))
            for path, stamp in files
        ]
        try:
            marshal.dump((fallbacks(chunker) - before, done), given)
            given.flush()
        except BrokenPipeError:
            return


def fallbacks(chunker: Chunker) -> int:
    """How many texts were cut without their syntax; only some chunkers have one."""
    found: int = getattr(chunker, "fallbacks", 0)
    return found
