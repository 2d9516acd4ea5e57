"""What globs mean, row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiuto.errors import UsageError
from fiuto.globs import compile_globs, compile_parents


def selected(glob, paths):
    """Those of ``paths`` that one glob selects."""
    return [path for path in paths if compile_globs((glob,)).match(path)]


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("src/*", ["src/a.py"], ["src/a/b.py", "src2/a.py", "x/src/a.py", "src", "src/a/"]),
        ("src", ["src/a.py", "src/a/b.py", "x/src/a.py", "src", "src/"], ["src2/a.py", "asrc"]),
        ("src/", ["src/a.py", "src/a/b.py", "src/"], ["x/src/a.py", "src", "src2/a.py"]),
        ("src/**", ["src/a.py", "src/a/b.py", "src/"], ["x/src/a.py", "src", "src2/a.py"]),
        ("./src", ["src/a.py", "src"], ["x/src/a.py"]),
        ("/src", ["src/a.py", "src"], ["x/src/a.py"]),
        ("src/net", ["src/net", "src/net/tcp.c"], ["src/network.c", "x/src/net"]),
        ("*.py", ["a.py", "d/a.py"], ["a.pyc", "a.py.txt"]),
        ("test_*", ["test_a.py", "d/test_b/c.py"], ["my_test_a.py"]),
        ("**/x.py", ["x.py", "a/x.py", "a/b/x.py"], ["ax.py"]),
        ("a/**/b", ["a/b", "a/c/b", "a/c/d/b/e"], ["ab", "x/a/b"]),
        ("src/**/*.py", ["src/a.py", "src/a/b.py"], ["src/a.pyx", "a.py"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("[ab]c", ["ac", "bc"], ["cc", "abc"]),
        ("[!a]c", ["bc"], ["ac", "/c"]),
        ("[^a]c", ["bc"], ["ac"]),
        ("x[+-0]y", ["x.y"], ["x/y"]),
        ("[]]", ["]"], ["["]),
        (r"\[a\*", ["[a*"], ["[ab"]),
        ("a.b", ["a.b"], ["axb"]),
        (".", ["a", "a/b"], []),
        ("./", ["a", "a/b"], []),
        ("**", ["a", "a/b"], []),
        ("a//b", ["a/b"], ["a"]),
        ("docs/*/", ["docs/en/x.md"], ["docs/x.md"]),
        ("*", ["a\nb", "é/ü"], []),
    ],
)
def test_meaning(glob, yes, no):
    """Each glob selects exactly what the module's list says."""
    assert selected(glob, yes + no) == yes


@pytest.mark.parametrize("glob", ["[", "src/[ab", "a[!", "", "[z-a]", "../x", "a/../b"])
def test_nonsense_is_refused(glob):
    """A glob that cannot be meant is an error that names it."""
    with pytest.raises(UsageError) as caught:
        compile_globs((glob,))
    assert glob in str(caught.value)


def test_no_globs_select_nothing():
    """An empty list is no restriction only for whoever asked."""
    assert not compile_globs(()).match("a")


def test_globs_unite():
    """Any of several globs is enough."""
    match = compile_globs(("*.py", "docs/")).match
    assert [bool(match(p)) for p in ("x/a.py", "docs/a.md", "a.md")] == [True, True, False]


def test_backslash_separates_on_windows(monkeypatch):
    """There, ``src`` and ``net`` are two parts."""
    monkeypatch.setattr("fiuto.globs.os.sep", "\\")
    assert compile_globs((r"src\net\only-windows",)).match("src/net/only-windows")


@pytest.mark.parametrize(
    ("glob", "through"),
    [
        ("build/keep/*.py", ["build/", "build/keep/"]),
        ("build/**/x.py", ["build/"]),
        ("*.py", []),
        ("build", []),
        ("/build", []),
    ],
)
def test_parents(glob, through):
    """A rooted glob names the folders on its way."""
    folders = ["build/", "build/keep/", "build/other/", "x/build/"]
    assert [f for f in folders if compile_parents((glob,)).match(f)] == through


names = st.text(st.sampled_from("ab.*?[]\\é\n"), min_size=1, max_size=5)


@given(st.lists(names.filter(lambda n: n not in {".", ".."}), min_size=1, max_size=4))
def test_escaped_path_selects_itself(parts):
    """With every sign escaped a path is a glob for itself and for what is below it."""
    path = "/".join(parts)
    glob = "/" + "".join(f"\\{c}" if c in "*?[]\\" else c for c in path)
    assert compile_globs((glob,)).match(path)
    assert compile_globs((glob,)).match(f"{path}/below")
    assert not compile_globs((glob,)).match(f"x{path}")
