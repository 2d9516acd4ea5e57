"""
The first code of the command: asks a warm process, where one runs, before anything is loaded.

A search in a process of its own spends most of its time on importing and on loading the
model.  ``fiuto warm`` keeps a process that has done both; it forks a copy of itself for a
command, which writes to this process's own streams and reads its environment and folder,
so that nothing else is different.  Where none runs, or it is of another version, or it may
not be trusted, the command runs here, in silence.
"""

# Importing pathlib takes as long as all of this.
# ruff: noqa: PTH109, PTH110, PTH116, PTH120
from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # importing typing takes as long as the rest of this, too
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["COLD", "address", "identity", "main"]

COLD = frozenset(
    "index status why models mcp setup serve list forget eval warm doctor watch org".split()  # noqa: SIM905
)
"""Commands that never go to a warm process; what is no command is a question."""


_GARBAGE = 100_000
"""Objects between two looks for cycles, which one question never makes: looking for them
while modules are imported takes as long as a question."""


def main() -> None:
    """Run the command line of this process."""
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:  # while importing: later ones are told by the command itself
        sys.stderr.write("fiuto: stopped\n")
        sys.exit(130)


def _run(words: list[str]) -> None:
    if words and not words[0].startswith("-") and words[0] not in COLD:
        gc.set_threshold(_GARBAGE)
        where = address()
        if os.path.exists(where):
            code = _asked(words, where)
            if code is not None:
                sys.exit(code)
    from fiuto.cli.main import cli  # noqa: PLC0415 - what the above is there to avoid

    _leave(cli.main(standalone_mode=False))


def _leave(code: int) -> NoReturn:
    """
    End the process with ``code``, and leave it to the system to take memory back.

    Python would take apart every module first, which takes as long as a question.
    """
    import atexit  # noqa: PLC0415 - nor is it needed where a warm process answered
    import threading  # noqa: PLC0415

    if threading.active_count() > 1:  # somebody is at work still
        sys.exit(code)
    atexit._run_exitfuncs()  # noqa: SLF001 - as multiprocessing ends its processes
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):  # cut off: the interpreter knows what to say
        sys.exit(code)
    os._exit(code)


def address() -> str:
    """Where this user's warm process listens: in the runtime folder, or in one like it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")  # noqa: TID251 - config.py loads too much
    folder = f"{runtime}/fiuto" if runtime else f"/tmp/fiuto-{os.getuid()}"  # noqa: S108
    return f"{folder}/warm.sock"


def is_private(folder: str) -> bool:
    """Whether ``folder`` is this user's, and nobody else can put a socket there."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return status.st_uid == os.getuid() and status.st_mode & 0o170077 == 0o040000


def identity() -> str:
    """Equal exactly when two processes would run the same code by the same interpreter."""
    package = os.path.dirname(os.path.dirname(__file__))
    stamps = sorted(
        f"{folder}/{name} {os.stat(f'{folder}/{name}').st_mtime_ns}"
        for folder, _, names in os.walk(package)
        for name in names
        if name.endswith(".py")
    )
    return "\n".join((sys.version, sys.executable, sys.getfilesystemencoding(), *stamps))


def _asked(words: list[str], where: str) -> int | None:
    """What the warm process answers; None where it cannot be had."""
    import json  # noqa: PLC0415 - only where there is somebody to ask
    import socket  # noqa: PLC0415

    if not is_private(os.path.dirname(where)):
        return None
    try:
        here = os.getcwd()
        streams = [sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno()]
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except (OSError, ValueError, AttributeError):  # closed, or replaced by no real file
        return None
    with line:
        mask = os.umask(0o077)
        os.umask(mask)
        request = {
            "identity": identity(), "words": words, "folder": here, "umask": mask,
            "environment": dict(os.environ),  # noqa: TID251 - handed on, not read
            "encodings": [stream.encoding for stream in (sys.stdin, sys.stdout, sys.stderr)],
        }  # fmt: skip
        try:
            line.connect(where)
            socket.send_fds(line, [b"\n"], streams)
            line.sendall(json.dumps(request).encode("ascii") + b"\n")
            with line.makefile("rb") as said:
                pid = int(said.readline() or 0)
                return _awaited(said, pid) if pid else None
        except (OSError, ValueError):
            return None


def _awaited(said: object, pid: int) -> int:
    """The exit code of the copy ``pid``; a Ctrl-C is handed to it."""
    import signal  # noqa: PLC0415

    while True:
        try:
            told = said.readline()  # type: ignore[attr-defined] # a stream
        except KeyboardInterrupt:
            os.kill(pid, signal.SIGINT)
            continue
        if not told:
            sys.stderr.write("fiuto: error: the warm process died; ask again\n")
        return int(told or 2)
