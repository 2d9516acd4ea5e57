"""Nothing leaves the machine: no network is needed, and no socket is opened."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

WHOLE_WAY = """
import sys
from fiuto.cli.main import cli
code = 0
for line in (
    ["index", "."], ["user on cooldown", "."], ["search", "cooldown", "--mode", "semantic"],
    ["status"], ["why", "README.md"], ["related", "src/limits.py:1"], ["doctor"], ["models"],
    ["forget", "."],
):
    code = max(code, cli.main(line, standalone_mode=False))
sys.exit(code)
"""

WATCHED = """
import sys
def watch(event, arguments):
    if event.startswith("socket."):
        sys.stderr.write(f"SOCKET {event} {arguments}\\n")
sys.addaudithook(watch)
"""


def run(tree, home, code, *prefix):
    """The whole way of a person at a terminal, in a process of its own."""
    inherited = os.environ.items()  # noqa: TID251 - handed on
    kept = {k: v for k, v in inherited if not k.startswith("FIUTO_")}
    paths = {"FIUTO_HOME": str(home), "PYTHONPATH": str(SOURCE), "HOME": str(home)}
    return subprocess.run(
        [*prefix, sys.executable, "-c", code],
        cwd=tree, env=kept | paths, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_no_socket_is_opened(tree, tmp_path):
    """From the first index to the last command, with the model that ships."""
    done = run(tree, tmp_path / "home", WATCHED + WHOLE_WAY)
    assert "SOCKET" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert "src/limits.py:1-" in done.stdout


def test_the_watcher_sees_sockets(tree, tmp_path):
    """A test that could not fail would prove nothing."""
    code = WATCHED + "import socket\nsocket.socket().close()\n"
    assert "SOCKET socket.__new__" in run(tree, tmp_path / "home", code).stderr


def test_everything_works_without_a_network(tree, tmp_path):
    """In a namespace that has none, not even loopback."""
    alone = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    able = shutil.which("unshare") and subprocess.run(
        [*alone, "true"], capture_output=True, check=False
    )
    if not able or able.returncode:
        pytest.skip("no right to make a network namespace here")
    done = run(tree, tmp_path / "home", WHOLE_WAY, *alone)
    assert done.returncode == 0, done.stderr
    assert "src/limits.py:1-" in done.stdout
    assert "warning" not in done.stderr


def test_the_cache_is_for_its_user_alone(opened, tmp_path):
    """What fiuto makes nobody else may enter; what was there keeps its rights."""
    before = os.umask(0o022)
    try:
        opened().refresh()
        assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
        (tmp_path / "home").chmod(0o755)
        opened().search("cooldown")
    finally:
        os.umask(before)
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o755


def test_only_the_cache_folder_is_written_to(opened, tree, tmp_path):
    """The tree is as it was, to the byte and the time."""
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in tree.rglob("*") if p.is_file()}
    index = opened()
    index.search("cooldown")
    index.related("src/limits.py", 1)
    after = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in tree.rglob("*") if p.is_file()}
    assert after == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "shop"]
