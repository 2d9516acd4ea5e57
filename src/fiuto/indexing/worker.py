"""
The other end of a :class:`fiuto.indexing.crew.Crew`: prepares the files it is sent.

For each list of files that comes, an answer goes back: what came of each, and how many of
them were cut without their syntax.
"""

from __future__ import annotations

import marshal
import pickle
import signal
import struct
import sys
import time
from typing import IO

from fiuto.indexing.preparing import plain, prepare, with_vectors
from fiuto.model import Found, Stamp
from fiuto.protocols import Chunker, Embedder, Scanner

__all__ = ["Parts", "main", "receive", "send", "serve"]

_LENGTH = struct.Struct("<Q")

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
            files = marshal.loads(receive(asked))  # noqa: S302 - from our own parent
        except EOFError:
            return
        before = fallbacks(chunker)
        cut = [
            prepare(Found(path, Stamp(*stamp)), scanner, chunker, time.time_ns, apart=True)
            for path, stamp in files
        ]
        done = list(map(plain, with_vectors(cut, embedder)))
        try:
            send(given, marshal.dumps((fallbacks(chunker) - before, done)))
        except BrokenPipeError:
            return


def send(pipe: IO[bytes], data: bytes) -> None:
    """Pass on ``data``, told apart from what follows by its length."""
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """
    What :func:`send` was given: all at once, since reading value by value takes longer.

    Raises:
        EOFError: there is no more.
    """
    head = pipe.read(_LENGTH.size)
    data = pipe.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else b""
    if not data:
        raise EOFError
    return data


def fallbacks(chunker: Chunker) -> int:
    """How many texts were cut without their syntax; only some chunkers have one."""
    found: int = getattr(chunker, "fallbacks", 0)
    return found
