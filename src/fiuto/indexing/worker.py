"""
The other end of a :class:`fiuto.indexing.crew.Crew`: prepares the files it is sent.

Speaks over its standard input and output with the process that started it: first a pickled
(scanner, chunker, embedder), then for each list of files a list of what came of them.
"""

from __future__ import annotations

import marshal
import pickle
import signal
import sys
import time

from fiuto.indexing.preparing import plain, prepare
from fiuto.model import Found, Stamp

__all__ = ["main"]


def main() -> None:
    """Work until the input ends, which it does when the parent is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what a Ctrl-C means
    asked, given = sys.stdin.buffer, sys.stdout.buffer
    scanner, chunker, embedder = pickle.load(asked)  # noqa: S301 - from our own parent
    while True:
        try:
            files = marshal.load(asked)  # noqa: S302 - the same
        except EOFError:
            return
        done = [
            plain(prepare(Found(path, Stamp(*stamp)), scanner, chunker, embedder, time.time_ns))
            for path, stamp in files
        ]
        try:
            marshal.dump(done, given)
            given.flush()
        except BrokenPipeError:
            return
