"""Where there is git, its answer counts; where it cannot answer, its files do."""

import os
import stat
from pathlib import Path

import pytest
from scan_trees import found, outcomes, read

from fiuto.scan import FileScanner, ScanRules

TRICKY = {
    ".gitignore": ".*/\n!.github/\ncustom/*\n!custom/static/\n*.log\n!keep.log\n/only-root.txt\n"
    "doc/**/*.tmp\nsub/deep/never.py\n\\#x\ntrail \n",
    ".github/workflow.yml": "a",
    ".hidden/a.py": "b",
    "custom/a.py": "c",
    "custom/static/b.py": "d",
    "custom/static/c.log": "e",
    "x.log": "f",
    "keep.log": "g",
    "only-root.txt": "h",
    "sub/only-root.txt": "i",
    "sub/.gitignore": "!x.log\n*.py\n!b.py\n",
    "sub/x.log": "j",
    "sub/a.py": "k",
    "sub/b.py": "l",
    "sub/deep/.gitignore": "b.py\n!never.py\n",
    "sub/deep/b.py": "m",
    "sub/deep/never.py": "n",
    "sub/excluded.info": "o",
    "sub/excluded.global": "p",
    "doc/a.tmp": "q",
    "doc/x/y/b.tmp": "r",
    "doc/x/y/b.txt": "s",
    "#x": "t",
    "trail": "u",
    "été/größe.py": "v",
}


def not_ignored(git, root):
    """What ``git check-ignore`` lets through, file by file."""
    paths = [
        os.path.relpath(Path(folder, name), root)
        for folder, _, names in os.walk(root)
        for name in names
        if "/.git/" not in f"{folder}/"
    ]
    return sorted(p for p in paths if not git(root, "check-ignore", "--no-index", p, check=False))


@pytest.fixture
def tricky(make, git, own_git_settings):
    """Nested rules, negations, the repository's and the user's own excludes."""
    root = make(TRICKY)
    git(root, "init")
    (root / ".git" / "info" / "exclude").write_text("*.info\n")
    ignore = own_git_settings / ".config" / "git" / "ignore"
    ignore.parent.mkdir(parents=True)
    ignore.write_text("*.global\n")
    return root


@pytest.mark.parametrize("below", ["", "sub", "sub/deep", "custom/static", "doc/x"])
def test_agrees_with_check_ignore(tricky, git, below):
    """On every file, from the root and from each folder inside (cases 6 and 7)."""
    expected = not_ignored(git, tricky / below)
    assert found(tricky / below) == expected
    assert expected, "the tree has something to find everywhere"


@pytest.mark.parametrize("below", ["", "sub", "sub/deep", "custom/static", "doc/x"])
def test_agrees_without_git(tricky, git, below, monkeypatch):
    """The files speak for themselves; only the user's own excludes are out of reach."""
    expected = not_ignored(git, tricky / below)
    monkeypatch.setenv("PATH", "")
    result = found(tricky / below)
    assert [path for path in result if not path.endswith(".global")] == expected


def test_tracked_file_is_never_ignored(repository, git):
    """As for git; and one that was deleted is not there."""
    root = repository({"a.log": "1", "gone.py": "2", "b.py": "3"})
    (root / ".gitignore").write_text("*.log\n")
    (root / "new.log").write_text("4")
    (root / "gone.py").unlink()
    assert found(root) == [".gitignore", "a.log", "b.py"]


def test_merge_conflict_lists_a_file_once(repository, git):
    """Git has three entries for it."""
    root = repository({"a.py": "1\n"})
    git(root, "checkout", "-b", "other")
    (root / "a.py").write_text("2\n")
    git(root, "commit", "-am", "two")
    git(root, "checkout", "main")
    (root / "a.py").write_text("3\n")
    git(root, "commit", "-am", "three")
    git(root, "merge", "other", check=False)
    assert git(root, "ls-files", "-u").count(b"\n") == 3

    assert [o.path for o in FileScanner(root).walk()] == ["a.py"]


def test_tracked_link_and_file_that_became_a_folder(repository):
    """What lies on disk decides what it is."""
    root = repository({"a": "1", "b.py": "2"})
    (root / "a").unlink()
    (root / "a").mkdir()
    (root / "a" / "c.py").write_text("3")
    (root / "b.py").unlink()
    (root / "b.py").symlink_to("a/c.py")
    assert outcomes(root) == {"a/c.py": "found", "b.py": "link"}


def test_ignored_root_is_wanted(repository):
    """Whoever names an ignored folder wants it; its own rules still hold."""
    root = repository({".gitignore": "out-of-tree/\n"})
    inner = root / "out-of-tree"
    inner.mkdir()
    (inner / ".gitignore").write_text("*.log\n")
    (inner / "a.py").write_text("1")
    (inner / "b.log").write_text("2")
    assert found(inner) == [".gitignore", "a.py"]


def test_ignored_root_without_git(repository, monkeypatch):
    """The same where only the files speak."""
    root = repository({".gitignore": "out-of-tree/*\n", "out-of-tree/x/a.py": "1"})
    monkeypatch.setenv("PATH", "")
    assert found(root) == [".gitignore"]
    assert found(root / "out-of-tree" / "x") == ["a.py"]


def test_linked_worktrees(repository, git):
    """Each has its own files, told apart from the main checkout's by their label (case 5)."""
    root = repository({"src/a.py": "x = 1\n", ".gitignore": "*.log\n"})
    for place in (".claude/worktrees/w1", ".worktrees/w2", "elsewhere/w3"):
        git(root, "worktree", "add", "--detach", place)
    (root / ".worktrees" / "w2" / "b.log").write_text("1")

    result = found(root)

    assert result == [
        ".claude/worktrees/w1/.gitignore", ".claude/worktrees/w1/src/a.py", ".gitignore",
        ".worktrees/w2/.gitignore", ".worktrees/w2/src/a.py",
        "elsewhere/w3/.gitignore", "elsewhere/w3/src/a.py", "src/a.py",
    ]  # fmt: skip
    labels = {path: read(root, path).label for path in result if path.endswith("a.py")}
    assert labels.pop("src/a.py") == "source"
    assert set(labels.values()) == {"vendored"}
    assert read(root / ".worktrees" / "w2", "src/a.py").label == "source"


def test_worktrees_can_be_left_out(repository, git):
    """One entry each."""
    root = repository({"a.py": "1"})
    git(root, "worktree", "add", "--detach", ".worktrees/w1")
    assert outcomes(root, worktrees=False) == {".worktrees/w1/": "worktree", "a.py": "found"}


def test_repository_inside(repository, make, git):
    """An independent one is walked by its own git, at any depth."""
    root = repository({"a.py": "1"})
    for inner in ("root/dep", "root/dep/deeper"):
        repository({".gitignore": "*.log\n", "x.py": "2"}, under=inner)
        make({"x.log": "3"}, under=inner)
    assert found(root) == [
        "a.py", "dep/.gitignore", "dep/deeper/.gitignore", "dep/deeper/x.py", "dep/x.py",
    ]  # fmt: skip


def test_folder_of_repositories(make, repository):
    """Each answers for itself where the root belongs to none."""
    repository({".gitignore": "*.log\n", "a.py": "1"}, under="root/one")
    make({"a.log": "2"}, under="root/one")
    root = make({"two/b.log": "3"})
    assert found(root) == ["one/.gitignore", "one/a.py", "two/b.log"]


@pytest.fixture
def superproject(repository, git, tmp_path):
    """One submodule that is checked out, one that is not."""
    library = repository({".gitignore": "*.log\n", "lib.py": "1"}, under="library")
    root = repository({"a.py": "2"})
    for name in ("present", "absent"):
        git(root, "submodule", "add", library.as_posix(), name)
    git(root, "commit", "-m", "submodules")
    git(root, "submodule", "deinit", "-f", "absent")
    (root / "present" / "x.log").write_text("3")
    return root


def test_submodules(superproject):
    """Present: indexed by its own rules; absent: said (case 35)."""
    assert outcomes(superproject) == {
        ".gitmodules": "found",
        "a.py": "found",
        "absent/": "submodule-absent",
        "present/.gitignore": "found",
        "present/lib.py": "found",
    }


def test_changed_submodule_is_not_vendored(superproject):
    """Its ``.git`` is a file too, but no second checkout."""
    assert read(superproject, "present/lib.py").label == "source"


def test_unreadable_submodule(superproject, unprivileged):
    """Not to be mistaken for an absent one."""
    (superproject / "present").chmod(0)
    code = (
        "import sys; from fiuto.scan import FileScanner\n"
        "for o in FileScanner(sys.argv[1]).walk(): print(o.path, getattr(o, 'reason', ''))"
    )
    try:
        lines = unprivileged(code, superproject).splitlines()
    finally:
        (superproject / "present").chmod(0o755)
    assert "present/ unreadable" in lines


def test_broken_repository(repository):
    """Git fails, the walk does not."""
    root = repository({".gitignore": "*.log\n", "a.py": "1"})
    (root / "b.log").write_text("2")
    (root / ".git" / "HEAD").write_text("nonsense")
    assert found(root) == [".gitignore", "a.py"]


def test_git_that_refuses(repository, tmp_path, monkeypatch):
    """As with ``safe.directory``: exit status 128."""
    root = repository({".gitignore": "*.log\n", "a.py": "1"})
    (root / "b.log").write_text("2")
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership' >&2\nexit 128\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    assert found(root) == [".gitignore", "a.py"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository away")
def test_repository_of_somebody_else(repository):
    """The real refusal: git will not speak about another user's repository."""
    root = repository({".gitignore": "*.log\n", "a.py": "1"})
    (root / "b.log").write_text("2")
    for path in (root, root / ".git"):
        os.chown(path, 65534, 65534)
    assert found(root) == [".gitignore", "a.py"]


def test_environment_of_a_hook(repository, monkeypatch):
    """Inside a hook, git's variables speak of the repository that runs it."""
    other = repository({"other.py": "1"}, under="other")
    root = repository({"a.py": "2"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert found(root) == ["a.py"]


def test_repository_runs_no_program_of_its_own(repository, git, tmp_path):
    """Its configuration may name one to watch the file system."""
    root = repository({"a.py": "1"})
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    spy.chmod(spy.stat().st_mode | stat.S_IXUSR)
    git(root, "config", "core.fsmonitor", str(spy))
    assert found(root) == ["a.py"]
    assert not Path(tmp_path, "ran").exists()


def test_untracked_dependencies_are_not_listed(repository):
    """Without a ``.gitignore`` for them, too; ``include`` finds them all the same."""
    root = repository({"a.py": "1"})
    (root / "node_modules" / "x").mkdir(parents=True)
    (root / "node_modules" / "x" / "i.js").write_text("2")
    assert outcomes(root) == {"a.py": "found", "node_modules/": "folder"}
    assert found(root, include=("node_modules",)) == ["a.py", "node_modules/x/i.js"]


def test_tracked_dependencies_are_skipped(repository):
    """Committed or not, they are somebody else's."""
    assert outcomes(repository({"node_modules/x/i.js": "1"})) == {"node_modules/": "folder"}


def test_names_with_quotes_and_colons(repository):
    """Nothing in a name is a pattern or needs quoting."""
    names = ['"q".py', ":(top)x.py", "[a].py", "b*.py", "tab\t.py"]
    root = repository(dict.fromkeys(names, "1"))
    assert found(root) == sorted(names)
    for name in names:
        assert FileScanner(root, ScanRules()).why(name).path == name
