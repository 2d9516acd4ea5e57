"""A glance tells every change that a walk would find, and that there is none."""

import os
import time

import pytest

from fiuto.model import Found, Skipped
from fiuto.scan import FileScanner, ScanRules

FILES = {
    ".gitignore": "*.log\nmade/\n",
    ".fiutoignore": "left.py\n",
    "a.py": "a = 1\n",
    "b.py": "b = 2\n",
    "left.py": "c = 3\n",
    "deep/er/c.py": "d = 4\n",
    "deep/er/notes.log": "ignored\n",
    "empty.txt": "",
    "picture.svg": "<svg/>",
    "huge.txt": "x" * 2000,
    "made/out.py": "e = 5\n",
    "alone/tracked.py": "f = 6\n",
}
RULES = ScanRules(max_bytes=1000)


def lasting(_stamp):
    """As if all had been there for long."""
    return True


def looked(root, rules=RULES):
    """A scanner that has walked, what it found, and its glance."""
    time.sleep(0.02)  # the file system's clock stands still for up to 10 ms
    scanner = FileScanner(root, rules)
    before = list(scanner.walk())
    return scanner, before, scanner.glance(lasting)


@pytest.fixture(params=["git", "no git"])
def root(request, make, git):
    """A small tree, in a repository or in none."""
    folder = make(FILES)
    (folder / "link.py").symlink_to("a.py")
    if request.param == "git":
        git(folder, "init")
        git(folder, "add", ".")
        git(folder, "commit", "-m", "all")
    return folder


def replace(path, text):
    """In one step, as many editors save."""
    draft = path.with_name("draft")
    draft.write_text(text)
    draft.replace(path)


def become_file(root):
    """A link gives way to a file of its name."""
    (root / "link.py").unlink()
    (root / "link.py").write_text("now = 1\n")


def back_in_time(root):
    """The same size, and the mtime put back."""
    path = root / "a.py"
    status = path.stat()
    path.write_text("a = 9\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES = {
    "edited in place": lambda root: (root / "a.py").write_text("a = 100\n"),
    "edited, time put back": back_in_time,
    "saved in one step": lambda root: replace(root / "deep/er/c.py", "d = 40\n"),
    "added": lambda root: (root / "deep/new.py").write_text("n = 1\n"),
    "added in a new folder": lambda root: (
        (root / "fresh/er").mkdir(parents=True),
        (root / "fresh/er/n.py").write_text("n = 1\n"),
    ),
    "gone": lambda root: (root / "b.py").unlink(),
    "renamed": lambda root: (root / "b.py").rename(root / "b2.py"),
    "moved": lambda root: (root / "b.py").rename(root / "deep/b.py"),
    "a folder renamed": lambda root: (root / "deep").rename(root / "steep"),
    "a link that becomes a file": become_file,
    "too big no more": lambda root: (root / "huge.txt").write_text("small\n"),
    "ignored no more": lambda root: (root / ".gitignore").write_text("made/\n"),
    "left out no more": lambda root: (root / ".fiutoignore").write_text("\n"),
    "left out by a new file": lambda root: (root / "deep/.fiutoignore").write_text("er/\n"),
    "a folder marked as a cache": lambda root: (root / "deep/CACHEDIR.TAG").write_text("x"),
}


def test_nothing_has_changed(root):
    """Then a walk would find the same."""
    scanner, before, glance = looked(root)

    assert {type(one) for one in before} == {Found, Skipped}
    assert scanner.is_unchanged(glance)
    assert FileScanner(root, RULES).is_unchanged(glance)
    assert list(scanner.walk()) == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_change_is_seen(root, change):
    """Whatever makes a walk find something else."""
    scanner, before, glance = looked(root)
    change(root)

    assert list(FileScanner(root, RULES).walk()) != before
    assert not scanner.is_unchanged(glance)


def test_what_git_ignores_may_change(root):
    """A log that grows is none of an index's business."""
    scanner, before, glance = looked(root)
    (root / "deep/er/notes.log").write_text("more\n" * 100)
    (root / "made/out.py").write_text("e = 50\n")

    assert scanner.is_unchanged(glance)
    assert list(scanner.walk()) == before


def test_git_is_asked_again(repository, git, own_git_settings):
    """Its rules from elsewhere, and what it tracks, change no file of the tree."""
    root = repository(FILES)
    scanner, before, glance = looked(root)
    ignore = own_git_settings / ".config/git/ignore"
    ignore.parent.mkdir(parents=True)
    ignore.write_text("b.py\nnew.py\n")
    assert list(scanner.walk()) == before  # it is tracked
    assert scanner.is_unchanged(glance)

    git(root, "rm", "--cached", "b.py")
    assert not scanner.is_unchanged(glance)
    _, before, glance = looked(root)
    (root / ".git/info/exclude").write_text("empty.txt\n")
    assert scanner.is_unchanged(glance)
    git(root, "rm", "--cached", "empty.txt")
    assert not scanner.is_unchanged(glance)


def test_a_tracked_file_that_comes_back_is_seen(repository):
    """Git lists it all the time."""
    root = repository(FILES)
    (root / "alone/tracked.py").unlink()
    (root / "alone").rmdir()
    scanner, _, glance = looked(root)
    assert scanner.is_unchanged(glance)
    (root / "alone").mkdir()
    (root / "alone/tracked.py").write_text("f = 6\n")

    assert not scanner.is_unchanged(glance)


def test_other_rules_and_another_root_are_other_walks(root, make):
    """A glance answers for its own walk alone."""
    _, _, glance = looked(root)

    assert not FileScanner(root, ScanRules(max_bytes=1000, exclude=("a.py",))).is_unchanged(glance)
    assert not FileScanner(make(FILES, "other"), RULES).is_unchanged(glance)


def test_a_folder_that_becomes_a_repository_is_seen(make, git):
    """Also where the repository begins above it."""
    root = make({"inside/a.py": "a = 1\n", ".gitignore": "b.py\n"}) / "inside"
    scanner, _, glance = looked(root)
    assert scanner.is_unchanged(glance)
    git(root.parent, "init")

    assert not scanner.is_unchanged(glance)


def test_a_repository_inside_is_asked_too(repository, git):
    """It has ignore rules of its own."""
    root = repository({"a.py": "a = 1\n"})
    inside = repository({"b.py": "b = 1\n"}, "root/inside")
    scanner, _, glance = looked(root)
    assert scanner.is_unchanged(glance)
    git(inside, "rm", "--cached", "b.py")

    assert not scanner.is_unchanged(glance)


def test_what_may_change_unseen_gives_no_glance(root):
    """A file as young as the look at it."""
    scanner = FileScanner(root, RULES)
    list(scanner.walk())

    assert scanner.glance(lambda stamp: stamp.size != 6) is None


def test_git_that_does_not_answer_gives_no_glance(repository):
    """It might answer later, and then count."""
    root = repository(FILES)
    (root / ".git/index").write_bytes(b"garbage")
    _, before, glance = looked(root)

    assert before
    assert glance is None


@pytest.mark.parametrize("cut", [0, 1, 40, 400])
def test_damaged_notes_tell_nothing(root, cut):
    """Cut off, garbled or of another version."""
    scanner, _, glance = looked(root)

    assert not scanner.is_unchanged(glance[:-1])
    assert not scanner.is_unchanged(glance[cut:][::-1])
    assert not scanner.is_unchanged(glance.replace(b'"version": 1', b'"version": 0'))
