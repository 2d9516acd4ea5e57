"""A Milvus to test against: milvus-lite's server on this machine, started and stopped here."""

import importlib.util
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fiuto.config import environment

REASON = "the tests of the store on Milvus need pip install 'fiuto[milvus-tests]'"


def needed():
    """Skip where the server is not installed; fail where the run says that it must be."""
    if importlib.util.find_spec("milvus_lite") and importlib.util.find_spec("pymilvus"):
        return
    if environment("FIUTO_TESTS_NEED_MILVUS"):
        pytest.fail(REASON)
    pytest.skip(REASON)


class Server:
    """One server on one folder; it can be killed and started again."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process = None

    def start(self):
        """Returns once it answers."""
        code = "from milvus_lite.cmdline import main; main()"
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code, "server", "--host", "127.0.0.1",
                 "--port", str(self.port), "--data-dir", str(self.folder / "data")],
                stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def kill(self):
        """As a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def url(self, name):
        """The address of a collection."""
        return f"milvus://127.0.0.1:{self.port}/{name}"
