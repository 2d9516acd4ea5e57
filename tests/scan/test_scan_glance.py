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


def same(scanner, glance):
    """Whether nothing has changed, by a glimpse."""
    seen = scanner.glimpse(glance, lasting)
    return seen is not None and seen.changed == ()


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
    assert same(scanner, glance)
    assert same(FileScanner(root, RULES), glance)
    assert list(scanner.walk()) == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_change_is_seen(root, change):
    """Whatever makes a walk find something else."""
    scanner, before, glance = looked(root)
    change(root)

    now = list(FileScanner(root, RULES).walk())
    seen = scanner.glimpse(glance, lasting)
    assert now != before
    assert seen is None or (seen.changed and set(seen.changed) == set(now) - set(before))


@pytest.mark.parametrize("name", ["edited in place", "edited, time put back", "saved in one step"])
def test_an_edit_is_named_without_a_walk(root, name):
    """The file with its stamp of now; and what comes after is told from there."""
    scanner, before, glance = looked(root)
    CHANGES[name](root)
    time.sleep(0.02)
    seen = scanner.glimpse(glance, lasting)
    now = list(FileScanner(root, RULES).walk())

    assert set(seen.changed) == set(now) - set(before)
    assert seen.total == sum(isinstance(one, Found) for one in now)
    assert same(scanner, seen.glance)
    assert not same(scanner, glance)
    assert scanner.glimpse(glance, lambda _: False).glance is None


def test_a_file_that_grows_too_big_needs_a_walk(root):
    """Its size decides what becomes of it."""
    scanner, _, glance = looked(root)
    (root / "a.py").write_text("x" * 2000)

    assert scanner.glimpse(glance, lasting) is None


def test_what_git_ignores_may_change(root):
    """A log that grows is none of an index's business."""
    scanner, before, glance = looked(root)
    (root / "deep/er/notes.log").write_text("more\n" * 100)
    (root / "made/out.py").write_text("e = 50\n")

    assert same(scanner, glance)
    assert list(scanner.walk()) == before


def test_git_is_asked_again(repository, git, own_git_settings):
    """Its rules from elsewhere, and what it tracks, change no file of the tree."""
    root = repository(FILES)
    scanner, before, glance = looked(root)
    ignore = own_git_settings / ".config/git/ignore"
    ignore.parent.mkdir(parents=True)
    ignore.write_text("b.py\nnew.py\n")
    assert list(scanner.walk()) == before  # it is tracked
    assert same(scanner, glance)

    git(root, "rm", "--cached", "b.py")
    assert not same(scanner, glance)
    _, before, glance = looked(root)
    (root / ".git/info/exclude").write_text("empty.txt\n")
    assert same(scanner, glance)
    git(root, "rm", "--cached", "empty.txt")
    assert not same(scanner, glance)


def test_a_tracked_file_that_comes_back_is_seen(repository):
    """Git lists it all the time."""
    root = repository(FILES)
    (root / "alone/tracked.py").unlink()
    (root / "alone").rmdir()
    scanner, _, glance = looked(root)
    assert same(scanner, glance)
    (root / "alone").mkdir()
    (root / "alone/tracked.py").write_text("f = 6\n")

    assert not same(scanner, glance)


def test_other_rules_and_another_root_are_other_walks(root, make):
    """A glance answers for its own walk alone."""
    _, _, glance = looked(root)

    assert not same(FileScanner(root, ScanRules(max_bytes=1000, exclude=("a.py",))), glance)
    assert not same(FileScanner(make(FILES, "other"), RULES), glance)


def test_a_folder_that_becomes_a_repository_is_seen(make, git):
    """Also where the repository begins above it."""
    root = make({"inside/a.py": "a = 1\n", ".gitignore": "b.py\n"}) / "inside"
    scanner, _, glance = looked(root)
    assert same(scanner, glance)
    git(root.parent, "init")

    assert not same(scanner, glance)


def test_a_repository_inside_is_asked_too(repository, git):
    """It has ignore rules of its own."""
    root = repository({"a.py": "a = 1\n"})
    inside = repository({"b.py": "b = 1\n"}, "root/inside")
    scanner, _, glance = looked(root)
    assert same(scanner, glance)
    git(inside, "rm", "--cached", "b.py")

    assert not same(scanner, glance)


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

    assert scanner.glimpse(glance[:-1], lasting) is None
    assert scanner.glimpse(glance[cut:][::-1], lasting) is None
    assert scanner.glimpse(glance.replace(b'"version": 1', b'"version": 0'), lasting) is None
