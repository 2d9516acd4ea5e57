"""A warm process answers like a cold one, to whom it belongs, as long as the code is the same."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fiuto.cli.commands import COMMANDS
from fiuto.cli.start import COLD, identity, is_private


@pytest.fixture
def place(tmp_path):
    """A folder to search in, and an environment with a runtime folder of its own."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "limits.py").write_text("def block_user(user):\n    user.cooldown = True\n")
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    source = str(Path(__file__).parents[2] / "src")
    more = {"XDG_RUNTIME_DIR": str(runtime), "FIUTO_HOME": str(tmp_path / "home"),
            "PYTHONPATH": source}  # fmt: skip
    return root, {**os.environ, **more}  # noqa: TID251


@pytest.fixture
def warm(place):
    """A warm process that listens."""
    root, environment = place
    process = subprocess.Popen(
        [sys.executable, "-m", "fiuto", "warm"], cwd=root.parent, env=environment,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert "warm until" in process.stderr.readline()
    yield process
    process.terminate()
    process.wait(60)
    process.stderr.close()


def ask(place, *words, **more):
    """A command in the folder."""
    root, environment = place
    return subprocess.run(
        [sys.executable, "-m", "fiuto", *words], cwd=root, env={**environment, **more},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def socket_of(place):
    """Where the warm process listens."""
    return Path(place[1]["XDG_RUNTIME_DIR"], "fiuto", "warm.sock")


def modules_asked(place, *words):
    """The modules that were imported in the process that was started."""
    program = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
        "from fiuto.cli.start import main\nmain()\n"
    )
    root, environment = place
    alone = {k: v for k, v in environment.items() if not k.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=root, env=alone,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done, set(done.stderr.splitlines()[-1].split())


def test_the_answer_is_that_of_a_cold_process(place, warm):
    """Streams, exit codes, folder and environment are those of who asked."""
    lines = [("block user",), ("block user", "--json"), ("nothing-at-all-zzz",), ("", ".")]
    warm_ones = [ask(place, *words) for words in lines]
    warm.terminate()
    warm.wait(60)
    cold = [ask(place, *words) for words in lines]

    assert [w.returncode for w in warm_ones] == [c.returncode for c in cold]
    assert [w.stdout for w in warm_ones] == [c.stdout for c in cold]
    assert warm_ones[3].stderr == cold[3].stderr


def test_who_asks_imports_next_to_nothing(place, warm):
    """Neither click nor an engine; with nobody to ask, all of it."""
    ask(place, "block user")  # the index is made
    done, modules = modules_asked(place, "block user")

    assert done.stdout.startswith("limits.py:1-2")
    assert not modules & {"click", "dataclasses", "fiuto.engine", "fiuto.model"}

    warm.terminate()
    warm.wait(60)
    done, modules = modules_asked(place, "block user")

    assert done.stdout.startswith("limits.py:1-2")
    assert "fiuto.engine" in modules


def test_a_change_is_seen(place, warm):
    """Each answer is refreshed first, as ever."""
    ask(place, "block user")
    (place[0] / "limits.py").write_text("def release_user(user):\n    user.cooldown = False\n")

    assert "release_user" in ask(place, "release user").stdout


def test_nobody_else_may_listen_or_ask(place, warm):
    """The socket and its folder are the user's alone; an open folder is not trusted."""
    where = socket_of(place)

    assert stat.S_IMODE(where.stat().st_mode) == 0o600
    assert stat.S_IMODE(where.parent.stat().st_mode) == 0o700
    assert is_private(str(where.parent))

    where.parent.chmod(0o755)

    assert not is_private(str(where.parent))
    _, modules = modules_asked(place, "block user")
    assert "fiuto.engine" in modules


def test_another_version_is_not_asked(place, warm, tmp_path):
    """Code that changed since answers by itself."""
    ask(place, "block user")
    source = Path(place[1]["PYTHONPATH"])
    other = tmp_path / "other"
    other.mkdir()
    (other / "fiuto").symlink_to(source / "fiuto")
    place[1]["PYTHONPATH"] = str(other)
    done, modules = modules_asked(place, "block user")

    assert done.stdout.startswith("limits.py:1-2")
    assert "fiuto.engine" in modules


def test_only_one_listens_and_it_leaves_nothing(place, warm):
    """A second one is refused by name; the socket goes with the first."""
    second = ask(place, "warm")

    assert second.returncode == 2
    assert "listens at" in second.stderr

    warm.terminate()
    assert warm.wait(60) == 0
    assert not socket_of(place).exists()


def test_a_killed_one_is_not_missed(place, warm):
    """What it left behind is no obstacle to an answer, nor to the next one."""
    warm.kill()
    warm.wait(60)
    assert socket_of(place).exists()

    assert ask(place, "block user").returncode == 0

    root, environment = place
    again = subprocess.Popen(
        [sys.executable, "-m", "fiuto", "warm"], cwd=root, env=environment,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert "warm until" in again.stderr.readline()
    again.send_signal(signal.SIGTERM)
    assert again.wait(60) == 0
    again.stderr.close()


def test_whoever_says_nothing_is_not_waited_for(place, warm):
    """A connection without a request does not keep others out for long."""
    import socket  # noqa: PLC0415 - only here

    ask(place, "block user")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as idle:
        idle.connect(str(socket_of(place)))
        time.sleep(0.1)
        assert ask(place, "block user").stdout.startswith("limits.py:1-2")


def test_every_other_command_runs_by_itself():
    """The list of who stays away is complete."""
    assert set(COMMANDS) - COLD == {"search", "related"}
    assert identity() == identity()


def test_code_at_any_depth_makes_another_version(tmp_path, monkeypatch):
    """Packages inside packages too: their old code would answer otherwise."""
    deep = tmp_path / "chunk" / "naming" / "typed.py"
    deep.parent.mkdir(parents=True)
    deep.touch()
    monkeypatch.setattr("fiuto.cli.start.__file__", str(tmp_path / "cli" / "start.py"))
    before = identity()
    os.utime(deep, ns=(1, 1))
    assert identity() != before
