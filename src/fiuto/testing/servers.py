"""A Milvus to test against: milvus-lite's server on this machine, started and stopped here."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["LiteServer", "available"]

_PATIENCE = 60.0
"""Seconds for it to start: its imports take two on an idle machine."""


def available() -> bool:
    """Whether client and server are installed (the extra ``milvus-tests``)."""
    return all(importlib.util.find_spec(name) for name in ("milvus_lite", "pymilvus"))


class LiteServer:
    """
    One server on one folder, on a free port of 127.0.0.1; it can be killed and started again.

    Args:
        folder: where its data and its log lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """
        Return once it answers.

        Raises:
            AssertionError: it does not; with its log.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        self._port = self._port or _free_port()
        code = "from milvus_lite.cmdline import main; raise SystemExit(main())"
        log = self._folder / "log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code, "server", "--host", "127.0.0.1",
                 "--port", str(self._port), "--data-dir", str(self._folder / "data")],
                stdout=out, stderr=out,
            )  # fmt: skip
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return
            time.sleep(0.05)
        raise AssertionError(log.read_text(errors="replace"))

    def kill(self) -> None:
        """End it as a power cut would."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def url(self, name: str) -> str:
        """The address of a collection."""
        return f"milvus://127.0.0.1:{self._port}/{name}"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
