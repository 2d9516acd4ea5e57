"""Work trees out of git directories, at the pinned revision or not at all."""

import json
import shutil
import subprocess

import pytest
from benchmarks.checkouts import find_git_dir, lay_out, main
from benchmarks.repositories import Repository

from fiuto.errors import UsageError

MISSING = "0" * 39 + "1"


def git(folder, *arguments):
    """Run git without the user's settings."""
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def made(tmp_path):
    """A bare git directory with two commits, and the names of both."""
    work = tmp_path / "made"
    work.mkdir()
    git(work, "init", "--quiet")
    (work / ".gitattributes").write_text("tests export-ignore\n")
    (work / "tests").mkdir()
    (work / "tests/t.py").write_text("test\n")
    (work / "a.py").write_text("first\n")
    git(work, "add", ".")
    git(work, "commit", "--quiet", "-m", "first")
    first = git(work, "rev-parse", "HEAD")
    (work / "a.py").write_text("second\n")
    git(work, "commit", "--quiet", "-am", "second")
    bare = tmp_path / "mirror" / "me+tiny" / "repo"
    git(tmp_path, "clone", "--quiet", "--bare", str(work), str(bare))
    return bare, first, git(work, "rev-parse", "HEAD")


def test_the_pinned_revision_whole(tmp_path, made):
    """The older commit's content, files that archives leave out included, as a real checkout."""
    bare, first, _ = made
    before = sorted(p.name for p in bare.rglob("*"))
    laid = lay_out(Repository("tiny", "me/tiny", first), bare, tmp_path / "out")

    assert (laid.revision, laid.pinned) == (first, True)
    assert (laid.folder / "a.py").read_text() == "first\n"
    assert (laid.folder / "tests/t.py").is_file()
    assert git(laid.folder, "rev-parse", "HEAD") == first
    assert git(laid.folder, "status", "--porcelain") == ""
    assert sorted(p.name for p in bare.rglob("*")) == before
    assert not (tmp_path / "out.part").exists()


def test_a_missing_revision_is_refused(tmp_path, made):
    """Another revision than asked for is never taken silently, and nothing is left behind."""
    with pytest.raises(UsageError, match="--nearest"):
        lay_out(Repository("tiny", "me/tiny", MISSING), made[0], tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_nearest_when_said_so(tmp_path, made):
    """The newest there is, marked as not the one asked for."""
    repository = Repository("tiny", "me/tiny", MISSING)
    laid = lay_out(repository, made[0], tmp_path / "out", nearest=True)

    assert (laid.revision, laid.pinned) == (made[2], False)


def test_a_finished_one_is_kept(tmp_path, made):
    """A second run changes nothing."""
    repository = Repository("tiny", "me/tiny", made[1])
    first = lay_out(repository, made[0], tmp_path / "out")
    stamp = (first.folder / "a.py").stat().st_mtime_ns

    assert lay_out(repository, made[0], tmp_path / "out") == first
    assert (first.folder / "a.py").stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: (f / "a.py").write_text("mine\n"), "was changed"),
        (lambda f: (f / "new.py").write_text("mine\n"), "was changed"),
        (lambda f: shutil.rmtree(f / ".git"), "no checkout"),
    ],
)
def test_what_somebody_changed_is_not_measured(tmp_path, made, change, said):
    """A work tree with other content is an error, and left as it is."""
    repository = Repository("tiny", "me/tiny", made[1])
    change(lay_out(repository, made[0], tmp_path / "out").folder)
    with pytest.raises(UsageError, match=said):
        lay_out(repository, made[0], tmp_path / "out")


def test_another_revision_in_the_way(tmp_path, made):
    """It is not moved: the user may still need it."""
    lay_out(Repository("tiny", "me/tiny", made[2]), made[0], tmp_path / "out")
    with pytest.raises(UsageError, match="remove it first"):
        lay_out(Repository("tiny", "me/tiny", made[1]), made[0], tmp_path / "out")


@pytest.mark.parametrize(
    "place",
    ["me+tiny/repo", "me+tiny/repo/.git", "me+tiny", "me__tiny", "me__tiny.git", "me/tiny.git",
     "me/tiny/.git", "tiny.git"],
)  # fmt: skip
def test_layouts_of_git_directories(tmp_path, place):
    """Every known way to lay them out is found."""
    (tmp_path / place / "objects").mkdir(parents=True)
    (tmp_path / place / "HEAD").write_text("ref: refs/heads/main\n")

    assert find_git_dir(tmp_path, "me/tiny") == tmp_path / place


def test_no_git_directory_is_said(tmp_path):
    """With the name it was looked for."""
    with pytest.raises(UsageError, match="no git directory of me/tiny"):
        find_git_dir(tmp_path, "me/tiny")


def test_the_command(tmp_path, made, capsys):
    """Good ones are laid out although another fails; the exit code tells."""
    repos = tmp_path / "repos.json"
    repos.write_text(json.dumps([
        {"name": "gone", "github": "me/gone", "revision": made[1]},
        {"name": "tiny", "github": "me/tiny", "revision": MISSING},
    ]))  # fmt: skip
    arguments = ["--repos", str(repos), "--git-dirs", str(tmp_path / "mirror"),
                 "--out", str(tmp_path / "trees")]  # fmt: skip

    assert main(arguments) == 1
    assert not (tmp_path / "trees/tiny").exists()
    assert "error: tiny" in capsys.readouterr().err

    assert main([*arguments, "--nearest"]) == 1
    said = capsys.readouterr()
    assert (tmp_path / "trees/tiny/a.py").read_text() == "second\n"
    assert f"{made[2][:12]} taken instead" in said.err
    assert "error: gone" in said.err


def test_the_command_with_a_bad_list(tmp_path, capsys):
    """One line, exit code 2."""
    arguments = ["--repos", str(tmp_path / "none.json"), "--git-dirs", str(tmp_path),
                 "--out", str(tmp_path / "trees")]  # fmt: skip

    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: ")
