"""One writer at a time: between processes, between threads, and after one that died."""

import signal
import subprocess
import sys
import threading

import pytest

from fiuto.errors import IndexBusy
from fiuto.store.lock import locked

_HOLDER = """
import sys, time
from pathlib import Path
from fiuto.store.lock import locked
with locked(Path(sys.argv[1]), 0):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock."""
    command = [sys.executable, "-c", _HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_another_process_keeps_it(tmp_path, holder):
    """Who does not want to wait is told at once, with the folder."""
    with (
        pytest.raises(IndexBusy, match=f"another process is writing {tmp_path}"),
        locked(tmp_path / "lock", 0.1),
    ):
        pass


def test_a_process_that_is_killed_lets_it_go(tmp_path, holder):
    """By the system, with no trace to clear away."""
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with locked(tmp_path / "lock", 0):
        assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_another_thread_waits_until_it_is_free(tmp_path):
    """Threads of one process exclude each other too, and take turns."""
    held, order = threading.Event(), []

    def second():
        held.wait()
        with locked(tmp_path / "lock", 30):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with locked(tmp_path / "lock", 0):
        held.set()
        with pytest.raises(IndexBusy), locked(tmp_path / "lock", 0):
            pass
        order.append("first")
    thread.join()

    assert order == ["first", "second"]


def test_it_is_free_again_after_an_error(tmp_path):
    """Whatever happened under it."""
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "lock", 0):
        raise ZeroDivisionError
    with locked(tmp_path / "lock", 0):
        pass


def test_a_folder_that_takes_no_file_is_named(tmp_path):
    """With the system's own error."""
    with pytest.raises(PermissionError) as caught, locked(tmp_path / "gone" / "lock", 0):
        pass

    assert caught.value.filename == str(tmp_path / "gone" / "lock")
