"""
``fiuto warm``: a process that has everything loaded, and lends itself to commands.

It opens no index and starts no thread: each command is run by a forked copy, which finds
modules and model in memory and opens the index as any process does.  So an answer cannot be
staler than that of a cold command.  The socket lies in a folder that only its user can
enter, and who connects must be that user.
"""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from fiuto.cli.commands import load
from fiuto.cli.start import address, identity, is_private
from fiuto.cli.terminal import say
from fiuto.engine.warming import warm_up
from fiuto.errors import UsageError

__all__ = ["warm"]

_PATIENCE = 5.0
"""Seconds that a client has to say what it wants."""
_LARGEST = 4_000_000
"""Bytes of a request: arguments and environment, which the system limits to about as much."""


@click.command()
def warm() -> int:
    """
    Keep a process ready that answers searches in a tenth of a second, until Ctrl-C.

    Searches of this user find it by themselves; without it they run as ever.  It takes
    some 120 MB, and ends by itself when fiuto is upgraded.
    """
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell's background job ignores the first
        signal.signal(stop, signal.default_int_handler)
    where = Path(address())
    listening = _bound(where)
    try:
        for name in ("search", "related"):
            load(name)
        warm_up()
        gc.collect()
        gc.freeze()  # the copies share this memory as long as nobody touches it
        say("fiuto: warm until Ctrl-C")
        _serve(listening, identity())
    except KeyboardInterrupt:
        return 0
    finally:
        where.unlink(missing_ok=True)
        listening.close()
    say("fiuto: another version is installed now; start 'fiuto warm' again")
    return 0


def _bound(where: Path) -> socket.socket:
    """
    Listen at ``where``.

    Raises:
        UsageError: the folder belongs to somebody else, or another process listens there.
    """
    folder = where.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(str(folder)):
        raise UsageError(f"{folder} is not yours alone; remove it, or set XDG_RUNTIME_DIR")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        if trial.connect_ex(str(where)) == 0:
            listening.close()
            raise UsageError(f"a warm process listens at {where} already")
    where.unlink(missing_ok=True)  # left by one that was killed
    before = os.umask(0o177)
    try:
        listening.bind(str(where))
    finally:
        os.umask(before)
    listening.listen()
    return listening


def _serve(listening: socket.socket, ours: str) -> None:
    """Fork for one command after the other, until the code on disk is another."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    while identity() == ours:
        line, _ = listening.accept()
        with line:
            line.settimeout(_PATIENCE)
            streams: list[int] = []
            with suppress(OSError, ValueError, KeyError):
                asked, streams = _received(line)
                if asked["identity"] == ours and os.fork() == 0:
                    listening.close()
                    os._exit(_run(asked, streams, line))
            for stream in streams:
                os.close(stream)


def _received(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """
    What a client of this user wants, and its three streams.

    Raises:
        ValueError: it is another user, or said something else.
    """
    if hasattr(socket, "SO_PEERCRED"):  # elsewhere the folder alone keeps others out
        told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        if struct.unpack("3i", told)[1] != os.getuid():
            raise ValueError("another user")
    _, streams, _, _ = socket.recv_fds(line, 1, 3)
    try:
        data = bytearray()
        while not data.endswith(b"\n") and len(data) < _LARGEST:
            part = line.recv(1 << 16)
            if not part:
                break
            data += part
        asked: dict[str, Any] = json.loads(data)
        if len(streams) != 3:
            raise ValueError("no streams")
    except (OSError, ValueError):
        for stream in streams:
            os.close(stream)
        raise
    return asked, streams


def _run(asked: dict[str, Any], streams: list[int], line: socket.socket) -> int:
    """In the copy: become what the client would have been, run its command, tell the code."""
    from fiuto.cli.main import cli  # noqa: PLC0415 - loaded long ago

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # this one waits for git
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    line.settimeout(None)
    line.sendall(f"{os.getpid()}\n".encode())
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    encodings = asked["encodings"]
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding=encodings[0])
    sys.stdout = _writer(1, encodings[1])
    sys.stderr = _writer(2, encodings[2])
    os.environ.clear()  # noqa: TID251 - the client's instead of ours
    os.environ.update(asked["environment"])  # noqa: TID251
    os.umask(asked["umask"])
    os.chdir(asked["folder"])
    code = cli.main(asked["words"], standalone_mode=False)
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    with suppress(OSError):
        line.sendall(f"{code}\n".encode())
    return code


def _writer(number: int, encoding: str) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding=encoding, line_buffering=os.isatty(number))
