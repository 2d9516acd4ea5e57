"""
What git says of a folder: which files belong to it, and why another does not.

Git is asked once per repository and its answer kept as a table, because only git
knows its ignore rules for certain: files of the folders above, ``info/exclude``,
the user's global excludes, and that a tracked file is never ignored.  Where it
is missing, refuses (``safe.directory``) or fails, the answer is None and the
caller goes by the ignore files it finds.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import subprocess

__all__ = [
    "Listing", "complaint", "digest_of", "explain", "is_linked_worktree", "list_files", "revision",
    "work_tree",
]  # fmt: skip

_UNREADABLE = re.compile(rb"^warning: could not open directory '(.+)': ", re.MULTILINE)
_LOCAL = re.compile(r"GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|\w*OBJECT_DIR\w*)")


class Listing(NamedTuple):
    """The files git knows below a folder; every path is relative to that folder."""

    names: Mapping[str, set[str]]
    """Folder -> names in it; submodules and repositories inside count as names."""
    folders: frozenset[str]
    """Each folder on the way to a name, with a ``/`` at its end; empty for the folder itself."""
    tracked: frozenset[str]
    """Those of ``folders`` that hold a tracked file at any depth."""
    digest: bytes
    """Of all that git said: the same as long as it would say the same."""


def work_tree(folder: str) -> str:
    """The nearest folder, upwards, that has a ``.git``; an empty string where there is none."""
    path = Path(os.path.realpath(folder))
    return next((str(p) for p in (path, *path.parents) if os.path.lexists(p / ".git")), "")


def list_files(folder: str, top: str, hidden: Iterable[str] = ()) -> Listing | None:
    """
    The tracked files, and the untracked ones that are not ignored, below ``folder``.

    Args:
        folder: the work tree, or a folder inside it.
        top: the work tree.
        hidden: names of folders whose untracked content is not listed.

    Returns:
        None where git does not answer, or ignores ``folder`` as a whole.
    """
    answer = _listed(folder, hidden)
    if answer is None:
        return None
    listed, complaints = answer
    if not listed and not Path(folder).samefile(top) and explain(folder, "."):
        return None
    prefix = os.path.relpath(os.path.realpath(folder), top) + "/"
    prefix = "" if prefix == "./" else prefix
    refused = (os.fsdecode(path) for path in _UNREADABLE.findall(complaints))
    below = [path[len(prefix) :] for path in refused if path.startswith(prefix)]
    return _table(os.fsdecode(listed), below, _digest(answer))


def digest_of(folder: str, hidden: Iterable[str] = ()) -> bytes:
    """The ``digest`` that :func:`list_files` would give, for what git takes to say it."""
    return _digest(_listed(folder, hidden))


def _digest(answer: tuple[bytes, bytes] | None) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in answer or ():
        digest.update(b"%d\n" % len(part) + part)
    return digest.digest()


def _listed(folder: str, hidden: Iterable[str]) -> tuple[bytes, bytes] | None:
    options = ["-z", "-t", "--cached", "--others", "--exclude-standard"]
    options += [f"--exclude={name}/" for name in sorted(hidden)]
    return _git(folder, ["ls-files", *options])


def explain(folder: str, path: str) -> str:
    """The pattern that makes git ignore ``path``, as ``file:line: pattern``, or an empty string."""
    # A colon at the start would be pathspec magic.
    asked = os.fsencode(f"./{path}")
    answer = _git(folder, ["check-ignore", "--verbose", "-z", "--stdin"], asked)
    if answer is None or not answer[0]:
        return ""
    file, line, pattern, _ = os.fsdecode(answer[0]).split("\0", 3)
    return "" if pattern.startswith("!") else f"{file}:{line}: {pattern}"


def complaint(folder: str) -> str:
    """Why git does not answer for ``folder``, in its own words; empty where it does."""
    done = _run(folder, ["rev-parse", "--is-inside-work-tree"])
    if done is None:
        return "git is not installed"
    lines = os.fsdecode(done.stderr).strip().splitlines() or ["it does not say why"]
    return lines[0].removeprefix("fatal: ") if done.returncode else ""


def is_linked_worktree(folder: str) -> bool:
    """Whether ``git worktree add`` made this folder, so that its repository lives elsewhere."""
    pointer = Path(folder, ".git")
    try:
        target = pointer.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:  # most often: it is a folder, or not there
        return False
    git_dir = Path(folder, target.removeprefix("gitdir:").strip())
    return target.startswith("gitdir:") and (git_dir / "commondir").is_file()


def revision(folder: str) -> str:
    """The commit that is checked out, with ``-dirty`` where files differ; empty outside of git."""
    answer = _git(folder, ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])
    return "" if answer is None else answer[0].decode("ascii", "replace").strip()


def _git(folder: str, command: Sequence[str], given: bytes = b"") -> tuple[bytes, bytes] | None:
    """What git prints to its two streams; None where it is missing or fails."""
    done = _run(folder, command, given)
    nothing_found = command[0] == "check-ignore" and done is not None and done.returncode == 1
    if done is None or (done.returncode and not nothing_found):
        return None
    return done.stdout, done.stderr


def _run(
    folder: str, command: Sequence[str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes] | None:
    """A run of git; None where there is none."""
    # Needed only where there is a repository, and not cheap to import.
    import subprocess  # noqa: PLC0415

    inherited = {
        name: value
        for name, value in os.environ.items()  # noqa: TID251 - handed on, not read
        if not _LOCAL.fullmatch(name)  # inside a hook these speak of another repository
    }
    try:
        return subprocess.run(
            # A repository's own configuration must not start a program of its choice.
            ["git", "-C", folder, "-c", "core.fsmonitor=false", *command],
            input=given,
            capture_output=True,
            check=False,
            env={**inherited, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
        )
    except OSError:
        return None


def _table(listed: str, unreadable: Iterable[str], digest: bytes) -> Listing:
    names: dict[str, set[str]] = {}
    with_tracked: set[str] = set()
    for line in listed.split("\0")[:-1]:
        # A tag, a blank, the path; a repository inside ends in a slash.
        folder, slash, name = line[2:].rstrip("/").rpartition("/")
        folder += slash
        names.setdefault(folder, set()).add(name)
        if line[0] != "?":
            with_tracked.add(folder)
    return Listing(
        names=names,
        folders=_with_parents([*names, *unreadable]),
        tracked=_with_parents(with_tracked),
        digest=digest,
    )


def _with_parents(folders: Iterable[str]) -> frozenset[str]:
    """The folders and every folder above them, down to the empty one."""
    found = {""}
    for start in folders:
        folder = start
        while folder not in found:
            found.add(folder)
            folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return frozenset(found)
