"""What the system does to an index: full disks, locked folders, signals, clocks."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fiuto
from fiuto.engine.places import place_of
from fiuto.errors import IndexMismatch
from fiuto.store.database import connect

SOURCE = Path(__file__).parents[2] / "src"
QUESTION = "cooldown user"


@pytest.fixture
def filled(opened, tree, tmp_path):
    """The tree with an index, closed; its home."""
    index = opened()
    index.refresh()
    index.close()
    return tmp_path / "home"


@pytest.fixture
def no_room(monkeypatch):
    """A disk that takes nothing more, as the writer is told."""
    usage = shutil.disk_usage("/")

    def full(_path):
        return usage._replace(free=0)

    monkeypatch.setattr("fiuto.store.writer.shutil.disk_usage", full)


def test_a_full_disk_leaves_the_last_index(opened, filled, tree, monkeypatch, no_room):
    """It answers with one warning that names the place; with room again, it goes on."""
    (tree / "src/new.py").write_text("def cooldown_again(): pass\n")
    index = opened()
    results = index.search(QUESTION)
    assert results[0].path == "src/limits.py"
    (warning,) = results.warnings
    assert "No space left on device" in warning
    assert str(filled) in warning
    with pytest.raises(OSError, match="No space left on device"):
        index.refresh()
    monkeypatch.undo()
    results = index.search("cooldown_again")
    assert (results[0].path, results.warnings) == ("src/new.py", ())


def unlike_root():
    """What makes a process obey the rights of files; None where that cannot be."""
    if os.geteuid():
        return []
    away = "-dac_override,-dac_read_search"
    return ["setpriv", "--bounding-set", away, "--inh-caps", away]


def cli(tree, home, *line, prefix=(), **options):
    """A command line in a process of its own."""
    inherited = os.environ.items()  # noqa: TID251 - handed on
    # A measurement of coverage would write files of its own, past every limit that is set here.
    kept = {k: v for k, v in inherited if not k.startswith(("FIUTO_", "COVERAGE_"))}
    return subprocess.run(
        [*prefix, sys.executable, "-m", "fiuto", *line],
        cwd=tree, env=kept | {"FIUTO_HOME": str(home), "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=False, timeout=120, **options,
    )  # fmt: skip


@pytest.mark.parametrize("size", ["120k", "400k", "2m"])
def test_a_disk_that_fills_up_on_the_way(tree, tmp_path, size):
    """A small disk of its own: an answer, or one line that says what is full; never a fault."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size={size} none "$1" && shift && exec "$@"'
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "-m"]
    able = shutil.which("unshare") and subprocess.run(
        [*alone, "sh", "-c", mount, "sh", disk, "true"], capture_output=True, check=False
    )
    if not able or able.returncode:
        pytest.skip("no right to mount here")
    for i in range(40):
        (tree / f"src/many_{i}.py").write_text(f"def cooldown_{i}(user): pass\n" * 5)
    done = cli(tree, disk, QUESTION, prefix=[*alone, "sh", "-c", mount, "sh", disk])
    if done.returncode == 0:
        assert "src/limits.py" in done.stdout
    else:
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert "No space left on device" in line
        assert str(disk) in line
    assert (size != "120k") or done.returncode == 2
    assert (size != "2m") or done.returncode == 0


def test_a_limit_on_file_sizes(tree, tmp_path):
    """Another way in which writing ends in the middle."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))  # noqa: E731
    done = cli(tree, tmp_path / "home", "index", preexec_fn=limit)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "unexpected" not in line
    assert str(tmp_path / "home") in line
    done = cli(tree, tmp_path / "home", QUESTION)
    assert (done.returncode, done.stderr) == (0, "")
    assert "src/limits.py" in done.stdout


def test_a_read_only_cache_answers(tree, tmp_path):
    """Fresh: as if nothing were. Changed: the last whole index, and why."""
    home = tmp_path / "home"
    assert cli(tree, home, "index").returncode == 0
    for path in (home, *home.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        fresh = cli(tree, home, QUESTION, prefix=unlike_root())
        status = cli(tree, home, "status", prefix=unlike_root())
        (tree / "src/new.py").write_text("def cooldown_again(): pass\n")
        changed = cli(tree, home, QUESTION, prefix=unlike_root())
        refused = cli(tree, home, "index", prefix=unlike_root())
        sick = cli(tree, home, "doctor", prefix=unlike_root())
    finally:
        for path in (home, *home.rglob("*")):
            path.chmod(path.stat().st_mode | 0o200)
    assert (fresh.returncode, fresh.stderr) == (0, "")
    assert fresh.stdout.startswith("src/limits.py:1-")
    assert "files       4 " in status.stdout
    assert (changed.returncode, changed.stdout) == (0, fresh.stdout)
    (line,) = changed.stderr.splitlines()
    assert "Permission denied" in line
    assert "results of the last whole index" in line
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert sick.returncode == 1
    assert f"{home} cannot be written to" in sick.stdout
    assert cli(tree, home, "cooldown_again").stdout.startswith("src/new.py:1")


def test_a_cache_deleted_while_running(opened, filled, tree):
    """It is made again by the next question, and kept again."""
    index = opened()
    before = [hit.location for hit in index.search(QUESTION)]
    shutil.rmtree(filled)
    assert [hit.location for hit in index.search(QUESTION)] == before
    (tree / "src/new.py").write_text("def cooldown_again(): pass\n")
    assert index.search("cooldown_again")[0].path == "src/new.py"
    index.close()
    assert opened().status().counts.files == 5


@pytest.mark.parametrize("hours", [-24, 24])
def test_a_clock_that_jumps(opened, tree, monkeypatch, hours):
    """Stamps are compared, never ordered: what changed before or after the jump is found."""
    now = time.time_ns
    index = opened()
    monkeypatch.setattr("fiuto.engine.upkeep.time.time_ns", lambda: now() + hours * 3600 * 10**9)
    index.refresh()
    monkeypatch.undo()
    target = tree / "src/net.py"
    before = target.stat()
    target.write_text(target.read_text().replace("proxy", "tunel"))
    shifted = before.st_mtime_ns + hours * 3600 * 10**9
    os.utime(target, ns=(shifted, shifted))
    results = index.search("tunel", mode="lexical")
    assert [hit.path for hit in results] == ["src/net.py"]
    assert index.refresh().changed == 0


_ONCE_UP = (
    "print('up', flush=True); import runpy; runpy.run_module('fiuto', None, '__main__', True)"
)
"""A signal while Python itself starts is Python's to answer, with an exit status of its own."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_signal_at_any_step(tree, tmp_path, number, part):
    """What was done is kept; the next question answers from a whole index."""
    home = tmp_path / "home"
    started = time.monotonic()
    assert cli(tree, home, "index").returncode == 0
    whole = time.monotonic() - started
    for i in range(40):
        (tree / f"src/many_{i}.py").write_text(f"def generated_{i}(user): pass\n" * 5)
    run = subprocess.Popen(
        [sys.executable, "-c", _ONCE_UP, "index"],
        cwd=tree,
        env=os.environ  # noqa: TID251 - handed on
        | {"FIUTO_HOME": str(home), "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert run.stdout is not None
    assert run.stdout.readline() == "up\n"
    time.sleep(part * whole)
    run.send_signal(number)
    run.communicate(timeout=60)
    assert run.returncode in {0, -number, 128 + number, 130}
    with fiuto.open(tree, home=home) as index:
        results = index.search("generated_7", mode="lexical")
        assert results[0].path == "src/many_7.py"
        assert results.warnings == ()
        assert index.status().counts.files == 44


def test_a_newer_format_is_left_alone(opened, filled, tree, tmp_path):
    """Asked in any way, this version touches nothing and says what to do."""
    place = place_of(filled, tree, "default").folder
    database = place / "1" / "index.db"
    db = connect(database)
    db.execute("PRAGMA user_version = 2")
    db.close()
    held = database.read_bytes()
    index = opened()
    asked = (
        lambda: index.search(QUESTION), lambda: index.search(QUESTION, mode="lexical"),
        index.refresh, lambda: index.refresh(rebuild=True), index.status,
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(IndexMismatch, match="format 2, this fiuto reads 1: upgrade fiuto"):
            ask()
    assert database.read_bytes() == held
    assert len(fiuto.forget(tree, filled)) == 1
    assert index.search(QUESTION)[0].path == "src/limits.py"


def test_two_versions_take_turns(opened, filled, monkeypatch):
    """Each finds the other's terms, says that it builds anew, and answers right."""
    monkeypatch.setattr("fiuto.engine.parts.terms.IDENTITY", "terms/other")
    index = opened()
    results = index.search(QUESTION)
    assert results[0].path == "src/limits.py"
    assert [said for said in results.warnings if "terms/other" in said]
    assert index.search(QUESTION).warnings == ()
    monkeypatch.undo()
    results = opened().search(QUESTION)
    assert results[0].path == "src/limits.py"
    assert [said for said in results.warnings if "built anew: terms terms/other ->" in said]
