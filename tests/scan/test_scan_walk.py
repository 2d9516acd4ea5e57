"""The walk: what is found, what is skipped, and in which order."""

import os
import socket
import subprocess

import pytest
from scan_trees import found, outcomes

from fiuto.errors import UsageError
from fiuto.model import Found, Skipped
from fiuto.scan import REASONS, FileScanner, ScanRules

EVERYWHERE = pytest.mark.parametrize("build", ["make", "repository"])


@pytest.fixture
def build_tree(request, build):
    """The same tree with and without git."""
    return request.getfixturevalue(build)


@EVERYWHERE
def test_path_order(build_tree):
    """Paths come sorted as strings, a folder by the paths below it."""
    root = build_tree({"a/b": "1", "a-b": "2", "a.b": "3", "A": "4", "a0/x": "5", "é": "6"})
    assert list(outcomes(root)) == ["A", "a-b", "a.b", "a/b", "a0/x", "é"]


@EVERYWHERE
def test_stamps_are_those_of_stat(build_tree):
    """Size, both times in nanoseconds and the inode, without opening the file."""
    root = build_tree({"a.py": "x = 1\n"})
    status = (root / "a.py").stat()

    (outcome,) = FileScanner(root).walk()

    stamp = outcome.stamp
    assert (stamp.size, stamp.inode) == (6, status.st_ino)
    assert (stamp.mtime_ns, stamp.ctime_ns) == (status.st_mtime_ns, status.st_ctime_ns)


@EVERYWHERE
def test_edit_with_restored_mtime_and_size_changes_the_stamp(build_tree):
    """The time of the change of the inode cannot be put back (case 3)."""
    root = build_tree({"a.py": "x = 1\n"})
    file = root / "a.py"
    (before,) = FileScanner(root).walk()
    file.write_text("x = 2\n")
    os.utime(file, ns=(before.stamp.mtime_ns, before.stamp.mtime_ns))

    (after,) = FileScanner(root).walk()

    assert (after.stamp.size, after.stamp.mtime_ns) == (before.stamp.size, before.stamp.mtime_ns)
    assert after.stamp != before.stamp


@EVERYWHERE
def test_files_without_a_suffix_are_found(build_tree):
    """Dockerfile, Makefile, a script and a notebook (case 13)."""
    files = {"Dockerfile": "FROM x", "Makefile": "a:", "run": "#!/bin/sh", "n.ipynb": "{}"}
    assert found(build_tree(files)) == sorted(files)


@EVERYWHERE
def test_folders_that_are_never_source(build_tree):
    """One entry for the whole folder, however much is in it, at any depth."""
    root = build_tree({
        "a.py": "1",
        "node_modules/x/index.js": "2",
        "pkg/node_modules/y/index.js": "3",
        "pkg/__pycache__/a.pyc": "4",
        ".venv/lib/z.py": "5",
        "dist/bundle.js": "6",
    })  # fmt: skip
    assert outcomes(root) == {
        ".venv/": "folder",
        "a.py": "found",
        "dist/": "folder",
        "node_modules/": "folder",
        "pkg/__pycache__/": "folder",
        "pkg/node_modules/": "folder",
    }


def test_build_folder_without_git(make):
    """By its name, where nobody knows better."""
    assert outcomes(make({"build/a.py": "1", "a.py": "2"})) == {"a.py": "found", "build/": "folder"}


def test_tracked_build_folder_is_source(repository):
    """``lib/std/target`` of Zig; but not to the letter of the article."""
    root = repository({"std/target/x86.zig": "1"})
    (root / "build").mkdir()
    (root / "build" / "a.o.c").write_text("2")

    assert outcomes(root) == {"build/": "folder", "std/target/x86.zig": "found"}
    assert outcomes(root, article=True) == {"build/": "folder", "std/target/": "folder"}


def test_virtual_environments_and_caches_by_their_mark(make):
    """Whatever the folder is called; the root itself may be one."""
    root = make({
        "my-env/pyvenv.cfg": "home = /usr",
        "my-env/lib/a.py": "1",
        "c/CACHEDIR.TAG": "Signature",
        "c/b": "2",
        "CACHEDIR.TAG": "Signature",
    })  # fmt: skip
    assert outcomes(root) == {"CACHEDIR.TAG": "found", "c/": "folder", "my-env/": "folder"}


@EVERYWHERE
def test_names_that_are_left_out(build_tree):
    """Lockfiles, text images and binary suffixes; a name without a dot has no suffix."""
    root = build_tree({
        "package-lock.json": "{}", "pnpm-lock.yaml": "a", "Cargo.lock": "b", "go.sum": "c",
        "logo.svg": "<svg/>", "logo.PNG": "x", "lock": "d", "db": "e", "package.json": "{}",
    })  # fmt: skip
    assert outcomes(root) == {
        "Cargo.lock": "lockfile", "db": "found", "go.sum": "lockfile", "lock": "found",
        "logo.PNG": "binary", "logo.svg": "image", "package-lock.json": "lockfile",
        "package.json": "found", "pnpm-lock.yaml": "lockfile",
    }  # fmt: skip


@EVERYWHERE
def test_size_limit(build_tree):
    """Exactly the limit is in; one byte more is too big."""
    root = build_tree({"a": "x" * 100, "b": "x" * 101})
    assert outcomes(root, max_bytes=100) == {"a": "found", "b": "too-big"}


def test_megabyte():
    """A million bytes unless told otherwise."""
    assert ScanRules().max_bytes == 1_000_000


@EVERYWHERE
def test_links(build_tree):
    """Loops end, a linked file is not read twice, and nothing outside is reached (case 8)."""
    root = build_tree({"a/x.py": "1"})
    for name, to in {"loop": ".", "a/up": "..", "twin.py": "a/x.py", "out": "/etc"}.items():
        (root / name).symlink_to(to)
    (root / "dangling").symlink_to("nowhere")

    assert outcomes(root) == {
        "a/up": "link", "a/x.py": "found", "dangling": "link", "loop": "link", "out": "link",
        "twin.py": "link",
    }  # fmt: skip


@EVERYWHERE
def test_symlinked_root(build_tree, tmp_path):
    """The root itself may be a link (case 8)."""
    link = tmp_path / "link"
    link.symlink_to(build_tree({"a/x.py": "1", ".gitignore": "*.log\n", "b.log": "2"}))
    assert found(link) == [".gitignore", "a/x.py"]


def test_pipes_and_sockets_are_not_waited_for(make):
    """A pipe without a writer would block for ever."""
    root = make({"a": "1"})
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(root / "sock"))
        assert outcomes(root) == {"a": "found", "pipe": "special", "sock": "special"}


@EVERYWHERE
def test_odd_names(build_tree):
    """A newline is a sign like any other; bytes that are no text are a reason to skip."""
    root = build_tree({"new\nline/f.py": "1", " b ": "2", "ok.py": "3"})
    (root / os.fsdecode(b"caf\xe9.py")).write_text("4")
    (root / os.fsdecode(b"d\xff")).mkdir()
    (root / os.fsdecode(b"d\xff") / "x.py").write_text("5")

    result = outcomes(root)

    assert result == {
        " b ": "found", r"caf\xe9.py": "encoding", r"d\xff/": "encoding",
        "new\nline/f.py": "found", "ok.py": "found",
    }  # fmt: skip
    assert all(path.encode() for path in result)


@pytest.fixture
def deep():
    """Folders in folders, made and removed step by step: Python's own ways give up sooner."""
    made = []

    def build(root, levels):
        made.append(root / "d")
        here = os.open(root, os.O_RDONLY)
        for _ in range(levels):
            os.mkdir("d", dir_fd=here)
            above, here = here, os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(above)
        os.close(os.open("x.py", os.O_CREAT, dir_fd=here))
        os.close(here)
        return root

    yield build
    subprocess.run(["rm", "-rf", *made], check=True)


@EVERYWHERE
def test_deep_tree(build_tree, deep):
    """Deeper than Python's stack."""
    root = deep(build_tree({"top.py": "1"}), 1200)
    assert found(root) == ["d/" * 1200 + "x.py", "top.py"]


def test_empty_root(make):
    """No files is an answer (case 15)."""
    root = make({})
    assert outcomes(root) == {}
    (root / "a.py").write_text("")
    assert outcomes(root) == {"a.py": "found"}


@EVERYWHERE
def test_only_ignored_files(build_tree):
    """Then what is ignored is said, because it is the reason for an empty index (case 15)."""
    root = build_tree({".gitignore": "*\n"})
    (root / "a.py").write_text("1")
    (root / "sub").mkdir()
    (root / "sub" / "b.py").write_text("1")
    (root / "empty").mkdir()

    result = outcomes(root)

    assert result.pop("empty/", "ignored") == "ignored"
    assert result == {".gitignore": "ignored", "a.py": "ignored", "sub/": "ignored"}
    (root / ".gitignore").write_text("a.py\n")
    assert outcomes(root) == {".gitignore": "found", "sub/b.py": "found"}


def test_root_that_is_no_folder(make):
    """A clear error, not an empty index."""
    root = make({"a.py": "1"})
    for wrong in (root / "a.py", root / "none"):
        with pytest.raises(UsageError, match="not a folder"):
            list(FileScanner(wrong).walk())


@EVERYWHERE
def test_exclude(build_tree):
    """Wins over everything; a folder is one entry."""
    root = build_tree({"a.py": "1", "gen/a.py": "2", "gen/b/c.py": "3", "x.md": "4"})
    rules = {"exclude": ("gen/", "*.md"), "include": ("gen/**",)}
    assert outcomes(root, **rules) == {"a.py": "found", "gen/": "excluded", "x.md": "excluded"}


@EVERYWHERE
def test_include_takes_back_what_fiuto_skips(build_tree):
    """A folder, something inside a folder, or a name of the tables."""
    root = build_tree({
        "dist/a.js": "1", "dist/sub/b.js": "2", "node_modules/x/i.js": "3", "Cargo.lock": "4",
    })  # fmt: skip
    assert outcomes(root, include=("dist",)) == {
        "Cargo.lock": "lockfile", "dist/a.js": "found", "dist/sub/b.js": "found",
        "node_modules/": "folder",
    }  # fmt: skip
    assert outcomes(root, include=("dist/sub/*.js", "*.lock")) == {
        "Cargo.lock": "found", "dist/": "folder", "dist/sub/b.js": "found",
        "node_modules/": "folder",
    }  # fmt: skip


@EVERYWHERE
def test_include_never_overrides_git_or_the_secrets(build_tree):
    """It bends fiuto's own tables only."""
    root = build_tree({".gitignore": "/dist/\n*.log\n"})
    for path in ("dist/a.js", "x.log", ".env"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("1")
    assert outcomes(root, include=("**",)) == {".env": "secret", ".gitignore": "found"}


@EVERYWHERE
def test_fiutoignore(build_tree):
    """The syntax of gitignore, nested, with negation; it only takes away."""
    root = build_tree({
        ".fiutoignore": "*.gen\n/data/\n", "a.gen": "1", "a.py": "2", "data/x": "3",
        "sub/.fiutoignore": "!keep.gen\n*.py\n", "sub/keep.gen": "4", "sub/other.gen": "5",
        "sub/b.py": "6", "sub/data/x": "7",
    })  # fmt: skip
    assert outcomes(root) == {
        ".fiutoignore": "found", "a.gen": "excluded", "a.py": "found", "data/": "excluded",
        "sub/.fiutoignore": "found", "sub/b.py": "excluded", "sub/data/x": "found",
        "sub/keep.gen": "found", "sub/other.gen": "excluded",
    }  # fmt: skip


@EVERYWHERE
def test_secret_names(build_tree):
    """Withheld and counted; the flag lets them in (case 14)."""
    root = build_tree({".env": "A=1", ".env.example": "A=", "id_rsa": "x"})
    assert outcomes(root) == {".env": "secret", ".env.example": "found", "id_rsa": "secret"}
    assert found(root, withhold_secrets=False) == [".env", ".env.example", "id_rsa"]


def test_every_reason_is_explained(make):
    """What the walk says is in the table."""
    root = make({"a.png": "1", "b.lock": "2", "c.svg": "3", ".env": "4", "dist/x": "5"})
    (root / "l").symlink_to("a.png")
    reasons = {o.reason for o in FileScanner(root).walk() if isinstance(o, Skipped)}
    assert reasons == {"binary", "lockfile", "image", "secret", "folder", "link"}
    assert reasons <= REASONS.keys()


def test_walk_is_lazy(make):
    """The first file comes before the last folder is opened."""
    root = make({"a/1": "1", "b/2": "2"})
    walk = FileScanner(root).walk()
    assert isinstance(next(walk), Found)
    (root / "b" / "3").write_text("3")
    assert [o.path for o in walk] == ["b/2", "b/3"]


WALK = """
import sys
from fiuto.model import Found
from fiuto.scan import FileScanner
for o in FileScanner(sys.argv[1]).walk():
    print(o.path, "found" if isinstance(o, Found) else f"{o.reason}: {o.detail}")
"""


@EVERYWHERE
def test_unreadable_folder(build_tree, unprivileged):
    """The rest is found; the folder is named with the system's reason (case 1)."""
    root = build_tree({"a.py": "1", "locked/x.py": "2", "z/y.py": "3"})
    (root / "new" / "deep").mkdir(parents=True)
    for folder in ("locked", "new/deep"):
        (root / folder).chmod(0)
    try:
        first, second = unprivileged(WALK, root), unprivileged(WALK, root)
    finally:
        for folder in ("locked", "new/deep"):
            (root / folder).chmod(0o755)
    assert first == second
    assert first.splitlines() == [
        "a.py found",
        "locked/ unreadable: Permission denied",
        "new/deep/ unreadable: Permission denied",
        "z/y.py found",
    ]


def test_unreadable_and_ignored_folder(repository, unprivileged):
    """Nobody needs to know."""
    root = repository({".gitignore": "locked/\n"})
    (root / "locked").mkdir(mode=0)
    assert unprivileged(WALK, root).splitlines() == [".gitignore found"]


@EVERYWHERE
def test_folder_that_lists_but_does_not_open(build_tree, unprivileged):
    """Without the right to enter, names are seen but nothing more."""
    root = build_tree({"a.py": "1", "locked/x.py": "2"})
    (root / "locked").chmod(0o444)
    try:
        lines = unprivileged(WALK, root).splitlines()
    finally:
        (root / "locked").chmod(0o755)
    assert lines == ["a.py found", "locked/x.py unreadable: Permission denied"]


def test_unreadable_root(make, unprivileged):
    """Said, not raised."""
    root = make({"a.py": "1"})
    root.chmod(0)
    try:
        lines = unprivileged(WALK, root).splitlines()
    finally:
        root.chmod(0o755)
    assert lines == ["./ unreadable: Permission denied"]


@EVERYWHERE
def test_unreadable_gitignore(build_tree, unprivileged):
    """Its rules are unknown, so they hold for nothing; twice the same (case 2)."""
    root = build_tree({"a.py": "1", "sub/.gitignore": "*.log\n", "sub/c.py": "3"})
    (root / "sub" / "b.log").write_text("2")
    (root / "sub" / ".gitignore").chmod(0)
    first, second = unprivileged(WALK, root), unprivileged(WALK, root)
    assert first == second
    assert [line.split()[0] for line in first.splitlines()] == [
        "a.py", "sub/.gitignore", "sub/b.log", "sub/c.py",
    ]  # fmt: skip
