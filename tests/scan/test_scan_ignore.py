"""Ignore files are read as git reads them."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fiuto.scan.ignore import ignored_by, read_ignore_file

NAMES = ["a", "b", "foo", "a.txt", "b.log", "x y", "static", ".hid", "[z]", "#c"]
PARTS = [
    *NAMES, "*", "**", "***", "*.txt", "?", "[ab]", "[!a]", "f*", "*o", ".*",
    r"\#c", r"\[z]", r"x\ y",
]  # fmt: skip

patterns = st.builds(
    lambda parts, start, end, negated: negated + start + "/".join(parts) + end,
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
    st.sampled_from(["", "", "/", " "]),
    st.sampled_from(["", "", "!"]),
)
trees = st.dictionaries(
    st.lists(st.sampled_from([n for n in NAMES if "." not in n[1:]]), max_size=3).map(
        lambda parts: "".join(f"{p}/" for p in parts)
    ),
    st.lists(patterns, max_size=5),
    min_size=1,
    max_size=4,
)


def by_our_rules(root):
    """A walk from the root down that asks nothing but ignore files."""
    kept = []
    pending = [("", ())]
    while pending:
        folder, files = pending.pop()
        own = read_ignore_file(f"{root}/{folder}.gitignore", f"{folder}.gitignore", folder)
        files = files if own is None else (*files, own)
        for entry in os.scandir(root / folder):
            path = folder + entry.name + ("/" if entry.is_dir() else "")
            if entry.name == ".git" or ignored_by(files, path):
                continue
            if entry.is_dir():
                pending.append((path, files))
            else:
                kept.append(path)
    return sorted(kept)


@settings(
    max_examples=30,
    deadline=None,  # each starts git twice
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(trees)
def test_agrees_with_git(tmp_path_factory, git, ignore_files):
    """Random patterns in random folders: the same files are left."""
    root = tmp_path_factory.mktemp("tree")
    git(root, "init")
    for folder in ["", "a/", "foo/", "foo/static/", "static/.hid/a/", *ignore_files]:
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name in ("f", "b.log", "a.txt"):
            (root / folder / name).write_text("")
    for folder, lines in ignore_files.items():
        (root / folder / ".gitignore").write_text("\n".join(lines))

    listed = git(root, "ls-files", "-co", "--exclude-standard", "-z").decode().split("\0")

    assert by_our_rules(root) == sorted(listed[:-1])


def where(tmp_path, text, path):
    """The explanation for one path under one ignore file."""
    file = tmp_path / "rules"
    file.write_bytes(text)
    ignore = read_ignore_file(str(file), "rules")
    return ignored_by([ignore], path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (b"# c\n\n*.log\n", "a/b.log", "rules:3: *.log"),
        (b"*.log\n!b.log\n", "b.log", ""),
        (b"\xef\xbb\xbfa\n", "a", "rules:1: a"),
        (b"a\r\nb\r\n", "b", "rules:2: b"),
        (b"caf\xe9\n", os.fsdecode(b"caf\xe9"), "rules:1: " + os.fsdecode(b"caf\xe9")),
        (b"foo/**\n", "foo/", ""),
        (b"foo/**\n", "foo/x", "rules:1: foo/**"),
        (b"foo/**/\n", "foo/x/", "rules:1: foo/**/"),
        (b"foo/**/\n", "foo/", ""),
        (b"*\n!*/\n", "src/", ""),
        (b"*\n!*/\n", "src/a.txt", "rules:1: *"),
        (b"!\n/\n[\n", "a", ""),
    ],
)
def test_explanation(tmp_path, text, path, expected):
    """File, line and pattern, in the form of ``git check-ignore -v``."""
    assert where(tmp_path, text, path) == expected


def test_unreadable_file_says_nothing(tmp_path):
    """A folder called ``.gitignore`` is none."""
    (tmp_path / ".gitignore").mkdir()
    assert read_ignore_file(str(tmp_path / ".gitignore"), ".gitignore") is None
