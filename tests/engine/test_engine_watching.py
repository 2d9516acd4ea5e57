"""What a watch does when the system, the index or the folder does not play along."""

from __future__ import annotations

import threading
import time

import pytest

from fiuto.engine import bell, open_index, watching
from fiuto.engine.bell import Bell
from fiuto.engine.watching import keep_fresh
from fiuto.errors import IndexBusy


@pytest.fixture
def tree(tmp_path):
    """One file."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text("def one(): pass\n")
    return root


@pytest.fixture
def opener(tree, tmp_path):
    """Opens its index, in a home inside the tree, whose changes must not ring."""
    return lambda: open_index(tree, home=tree / ".cache", exclude=[".cache/**"])


@pytest.fixture
def watch(tree, opener):
    """What it says, one after the other; ended at the end."""
    stop = threading.Event()
    said = keep_fresh(tree, opener, stop, lambda *_: None)
    yield said
    stop.set()
    said.close()


def wait_for(true):
    """Until it is."""
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_where_no_notices_come_it_looks_now_and_then(tree, watch, monkeypatch):
    """And says so."""

    def refuse(*_args, **_more):
        raise OSError(28, "OS file watch limit reached.")

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
    monkeypatch.setattr(watching, "_UNTOLD", 0.1)
    monkeypatch.setattr(watching, "_LOOK", 0.05)
    assert next(watch) == "no notices of changes (OS file watch limit reached.): looking every 0 s"
    assert next(watch).added == 1
    (tree / "b.py").write_text("def two(): pass\n")
    assert next(watch).added == 1


def test_a_refresh_that_fails_is_said_and_the_next_is_tried(tree, watch, monkeypatch):
    """A busy index is no reason to end."""
    assert next(watch).added == 1
    with monkeypatch.context() as patched:

        def busy(*_args, **_more):
            raise IndexBusy("another process is writing")

        patched.setattr("fiuto.engine.index.Index.refresh", busy)
        (tree / "b.py").write_text("def two(): pass\n")
        assert next(watch) == "not refreshed: another process is writing"
    (tree / "c.py").write_text("def three(): pass\n")
    assert next(watch).added == 2


def test_its_own_writing_rings_nothing(tree, opener):
    """Else a refresh would call for the next, for ever."""
    with Bell(tree, (tree / ".cache",)) as rung:
        with opener() as index:
            index.refresh()
        assert not rung.wait(1)
        (tree / ".git").mkdir()
        rung.wait(2)
        rung.hush()
        (tree / ".git/COMMIT_EDITMSG").write_text("x")
        assert not rung.wait(1)
        (tree / ".git/index").write_text("x")
        assert rung.wait(30)


def test_many_notices_at_once_wear_it_out(tree, monkeypatch):
    """Some may be lost by then, and folders made meanwhile unwatched: a new one is due."""
    monkeypatch.setattr(bell, "_MANY", 50)
    with Bell(tree, ()) as rung:
        for number in range(200):
            (tree / f"f{number}.py").write_text("x = 1\n")
        wait_for(lambda: rung.worn)
        assert not rung.changed_settings
        (tree / "fiuto.toml").write_text("")
        wait_for(lambda: rung.changed_settings)
