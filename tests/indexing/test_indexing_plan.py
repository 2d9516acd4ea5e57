"""What a refresh must read is decided by stamps, and by when they may be trusted."""

import pytest

from fiuto.indexing.plan import plan, settled
from fiuto.model import FileRecord, Found, Skipped, Stamp

SECOND = 1_000_000_000
OLD = Stamp(10, 5 * SECOND + 1, 5 * SECOND + 1, 7)


def record(path, stamp=OLD, checked_ns=100 * SECOND, *, embedded=True):
    """An indexed file that was last read long after it was last changed."""
    return FileRecord(path, stamp, "d", "python", "source", checked_ns, embedded=embedded)


def run(walked, known=(), skipped=(), *, embeddable=True):
    """Plan with mappings made of lists."""
    return plan(
        walked, {r.path: r for r in known}, {s.path: s for s in skipped}, embeddable=embeddable
    )


def test_untouched_file_is_left_alone():
    """Equal stamps, long settled: nothing to read."""
    todo = run([Found("a", OLD)], [record("a")])
    assert (todo.read, todo.drop, todo.total) == ((), (), 1)


@pytest.mark.parametrize(
    "stamp",
    [
        Stamp(11, OLD.mtime_ns, OLD.ctime_ns, 7),
        Stamp(10, OLD.mtime_ns + 1, OLD.ctime_ns, 7),
        Stamp(10, OLD.mtime_ns, OLD.ctime_ns + 1, 7),
        Stamp(10, OLD.mtime_ns, OLD.ctime_ns, 8),
    ],
    ids=["size", "mtime", "ctime", "inode"],
)
def test_any_difference_means_reading(stamp):
    """An edit with mtime and size put back still shows in ctime or inode."""
    assert run([Found("a", stamp)], [record("a")]).read == (Found("a", stamp),)


def test_file_changed_while_it_was_indexed_is_read_again():
    """A stamp as young as our last look proves nothing."""
    young = record("a", checked_ns=OLD.ctime_ns + 1)
    assert run([Found("a", OLD)], [young]).read == (Found("a", OLD),)


def test_settled_knows_coarse_clocks():
    """A file system with two-second stamps needs two seconds."""
    coarse = Stamp(1, 4 * SECOND, 4 * SECOND, 1)
    assert not settled(coarse, 5 * SECOND)
    assert settled(coarse, 7 * SECOND)
    assert settled(Stamp(1, 4 * SECOND + 5, 4 * SECOND, 1), 5 * SECOND)


def test_new_and_gone_files():
    """New files are read, files no longer found are dropped."""
    todo = run([Found("new", OLD)], [record("gone")])
    assert [f.path for f in todo.read] == ["new"]
    assert todo.drop == ("gone",)


def test_decision_on_content_is_kept_while_the_stamp_is():
    """A binary is not read again until it changes."""
    before = Skipped("a", "binary", "", OLD)
    assert run([Found("a", OLD)], skipped=[before]).skipped == (before,)
    changed = Stamp(99, 1, 1, 1)
    assert run([Found("a", changed)], skipped=[before]).read == (Found("a", changed),)


def test_skipped_by_name_drops_what_was_indexed():
    """A file that a new rule leaves out leaves the index."""
    left_out = Skipped("a", "excluded")
    todo = run([left_out], [record("a")])
    assert (todo.skipped, todo.drop) == ((left_out,), ("a",))


def test_files_without_vectors_wait_for_a_model():
    """They are read again as soon as there is one, and not before."""
    bare = [record("a", embedded=False)]
    assert run([Found("a", OLD)], bare, embeddable=True).read
    assert not run([Found("a", OLD)], bare, embeddable=False).read
