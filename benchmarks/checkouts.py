"""
Lays out the work trees that the benchmarks search, each at its pinned revision.

``python -m benchmarks.checkouts --repos JSON --git-dirs DIR --out DIR``

A git directory may lie in ``DIR`` as ``owner+name/repo``, ``owner__name``,
``owner/name`` or ``name``, each bare or not, with or without ``.git`` at the end.
The work tree gets a ``.git`` folder of its own which borrows the objects, so that it
is what a user has after cloning and the git directory is never written to.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.repositories import Repository, load_repositories
from fiuto.errors import UsageError

__all__ = ["Laid", "find_git_dir", "lay_out", "main"]

_PLAIN = (
    "-c",
    "core.autocrlf=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "advice.detachedHead=false",
)
"""A checkout must not depend on what the user's own settings make of it."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A work tree that stands."""

    folder: Path
    revision: str
    pinned: bool
    """False where it is the nearest revision instead of the one asked for."""


def find_git_dir(folder: Path, github: str) -> Path:
    """
    The git directory of ``owner/name`` below ``folder``.

    Raises:
        UsageError: there is none under any of the known layouts.
    """
    for candidate in _candidates(folder, github):
        if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir():
            return candidate.resolve()
    raise UsageError(f"{folder}: no git directory of {github}; fetch it there as {github}.git")


def _candidates(folder: Path, github: str) -> Iterator[Path]:
    owner, _, name = github.partition("/")
    for stem in (f"{owner}+{name}", f"{owner}__{name}", f"{owner}/{name}", name):
        for base in (f"{stem}/repo", stem, f"{stem}.git"):
            yield folder / base
            yield folder / base / ".git"


def lay_out(repository: Repository, git_dir: Path, folder: Path, *, nearest: bool = False) -> Laid:
    """
    Check ``repository`` out of ``git_dir`` into ``folder``; a finished one is left as it is.

    Args:
        repository: what is wanted.
        git_dir: a git directory that holds it; only read.
        folder: the work tree, made here.
        nearest: where the pinned revision is missing, take the newest that is there
            (``HEAD``) instead of refusing.

    Raises:
        UsageError: the revision is missing, or ``folder`` holds something else.
    """
    wanted = _commit(git_dir, repository.revision)
    pinned = wanted is not None
    if wanted is None and nearest:
        wanted = _commit(git_dir, "HEAD")
    if wanted is None:
        raise UsageError(
            f"{git_dir}: revision {repository.revision[:12]} of {repository.github} is not there; "
            "fetch more of its history, or take what there is with --nearest"
        )
    if folder.exists():
        _same(folder, wanted)
        return Laid(folder, wanted, pinned)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    _git("init", "--quiet", "--template=", str(part))
    (part / ".git/objects/info").mkdir(exist_ok=True)
    (part / ".git/objects/info/alternates").write_text(f"{git_dir / 'objects'}\n", "utf-8")
    _git("-C", str(part), *_PLAIN, "checkout", "--quiet", "--detach", wanted)
    part.rename(folder)
    return Laid(folder, wanted, pinned)


def _commit(git_dir: Path, revision: str) -> str | None:
    """The full name of a commit that ``git_dir`` holds, or None."""
    found = subprocess.run(
        ["git", "--git-dir", str(git_dir), "rev-parse", "--verify", "--quiet",
         f"{revision}^{{commit}}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stdout.strip() or None


def _same(folder: Path, wanted: str) -> None:
    """Refuse a folder that is not the untouched work tree of ``wanted``."""
    if not (folder / ".git").is_dir():
        raise UsageError(f"{folder} is there already and is no checkout; choose another --out")
    head = _git("-C", str(folder), "rev-parse", "HEAD").strip()
    if head != wanted:
        raise UsageError(f"{folder} is at {head[:12]}, not {wanted[:12]}; remove it first")
    if _git("-C", str(folder), *_PLAIN, "status", "--porcelain"):
        raise UsageError(f"{folder} was changed; remove it first")


def _git(*arguments: str) -> str:
    """Run git; its complaint becomes the error."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise UsageError(f"git {' '.join(arguments)} failed: {lines[-1]}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Lay everything out; 0 where all repositories stand at their revision or as allowed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts", description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, metavar="JSON")
    parser.add_argument("--git-dirs", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--nearest",
        action="store_true",
        help="where the pinned revision is missing, take the newest there is, with a warning",
    )
    given = parser.parse_args(arguments)
    faults = 0
    try:
        repositories = load_repositories(given.repos)
        given.out.mkdir(parents=True, exist_ok=True)
    except (UsageError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for repository in repositories.values():
        try:
            git_dir = find_git_dir(given.git_dirs, repository.github)
            laid = lay_out(repository, git_dir, given.out / repository.name, nearest=given.nearest)
        except UsageError as error:
            print(f"error: {repository.name}: {error}", file=sys.stderr)
            faults += 1
            continue
        if not laid.pinned:
            print(
                f"warning: {repository.name}: revision {repository.revision[:12]} is not there, "
                f"{laid.revision[:12]} taken instead",
                file=sys.stderr,
            )
        print(f"{repository.name:24} {laid.revision[:12]} {laid.folder}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
