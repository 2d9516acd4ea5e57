"""``fiuto watch`` as a process of its own, beside a tree that changes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from fiuto.engine import open_index

FILES = 1_000


class Watched:
    """A tree, the process that watches it, and what the process said."""

    def __init__(self, tmp_path):
        self.root = tmp_path / "tree"
        self.root.mkdir()
        self.home = tmp_path / "home"
        self._tmp_path = tmp_path
        self.out, self.err = tmp_path / "out", tmp_path / "err"
        self.process = None

    def write(self, number, text, suffix="py"):
        path = self.root / f"part{number % 10}" / f"f{number}.{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def git(self, *words):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True)

    def start(self):
        environment = {**os.environ, "FIUTO_HOME": str(self.home)}  # noqa: TID251 - for the child
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "fiuto", "watch", str(self.root)],
                stdout=out, stderr=err, env=environment,
            )  # fmt: skip
        self.until(lambda: self.out.read_text().count("\n") > 0, "the first refresh")

    def until(self, true, what):
        last = time.monotonic() + 180
        while not true():
            assert time.monotonic() < last, f"{what}: {self.out.read_text()}{self.err.read_text()}"
            assert self.process.poll() is None, f"it ended: {self.err.read_text()}"
            time.sleep(0.1)

    def content(self, home):
        """Every chunk that the index in ``home`` holds, without refreshing it."""
        with open_index(self.root, home=home) as index:
            reader = index._store.read()
            return {
                (path, record.digest, chunk.chunk.start, chunk.chunk.end, chunk.chunk.text)
                for path, record in index.files().items()
                for chunk in reader.chunks_of(path)
            }

    def settles(self):
        """It becomes what an index made anew is."""
        fresh_home = self._tmp_path / f"fresh{time.monotonic_ns()}"
        with open_index(self.root, home=fresh_home) as index:
            index.refresh()
        fresh = self.content(fresh_home)
        self.until(lambda: self.content(self.home) == fresh, "an index as a fresh one")
        return fresh


@pytest.fixture
def watched(tmp_path):
    """Killed at the end, if it still runs."""
    made = Watched(tmp_path)
    yield made
    if made.process and made.process.poll() is None:
        made.process.kill()
        made.process.wait()


def test_a_branch_switch_of_a_thousand_files(watched):
    """Changed, added and removed files: in the end the index is that of the other branch."""
    watched.git("init", "-q", "-b", "one")
    for number in range(FILES):
        watched.write(number, f"def first_{number}():\n    return {number}\n")
    watched.git("add", "-A")
    watched.git("commit", "-qm", "one")
    watched.git("switch", "-qc", "two")
    for number in range(FILES):
        watched.write(number, f"def second_{number}():\n    return {number} + 1\n")
    for number in range(50):
        (watched.root / f"part{number % 10}" / f"f{number}.py").unlink()
        watched.write(number, f"func Third{number}() {{}}\n", "go")
    watched.git("add", "-A")
    watched.git("commit", "-qm", "two")
    watched.git("switch", "-q", "one")
    watched.start()
    one = watched.settles()

    watched.git("switch", "-q", "two")
    two = watched.settles()

    assert len(one) == len(two) == FILES
    assert not one & two
    watched.git("switch", "-q", "one")
    watched.git("switch", "-q", "two")
    watched.git("switch", "-q", "one")
    assert watched.settles() == one


def test_a_folder_that_is_deleted_and_comes_back(watched):
    """It is waited for, and watched again."""
    watched.write(1, "def before(): pass\n")
    watched.start()
    shutil.rmtree(watched.root)
    watched.until(lambda: "is gone; waiting for it" in watched.err.read_text(), "it is missed")
    watched.root.mkdir()
    watched.write(2, "def after(): pass\n")
    assert {row[0] for row in watched.settles()} == {"part2/f2.py"}
    watched.write(3, "def later(): pass\n")
    assert {row[0] for row in watched.settles()} == {"part2/f2.py", "part3/f3.py"}


def test_new_rules_are_taken(watched):
    """A settings file that appears counts from then on; one that cannot be read is said."""
    watched.write(1, "def one(): pass\n")
    watched.write(2, "def two(): pass\n")
    watched.start()
    (watched.root / "fiuto.toml").write_text('exclude = ["part2/**", "fiuto.toml"]\n')
    assert {row[0] for row in watched.settles()} == {"part1/f1.py"}
    (watched.root / "fiuto.toml").write_text("exclude = 1 1\n")
    watched.until(lambda: "fiuto.toml cannot be read" in watched.err.read_text(), "a complaint")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_told(watched, number):
    """With success, and without a traceback."""
    watched.write(1, "def one(): pass\n")
    watched.start()
    watched.process.send_signal(number)

    assert watched.process.wait(60) == 0
    assert watched.err.read_text() == ""


def test_no_folder_no_watch(tmp_path):
    """Said at once."""
    done = subprocess.run(
        [sys.executable, "-m", "fiuto", "watch", str(tmp_path / "none")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "is no folder; name the folder to watch" in done.stderr
