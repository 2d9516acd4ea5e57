"""The work tree of an entry: the folder it names, or a clone that fiuto keeps."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from fiuto.engine.org.listing import Entry
from fiuto.errors import UsageError

__all__ = ["clone_of", "fetched"]

_GIT = ("env", "GIT_TERMINAL_PROMPT=0", "git", "-c", "core.hooksPath=/dev/null",
        "-c", "protocol.ext.allow=never")  # fmt: skip
"""Nobody is there to type a password, and nothing of a clone may run."""


def clone_of(entry: Entry, home: Path) -> Path:
    """Where the work tree of ``entry`` is, or will be."""
    if not entry.remote:
        return Path(entry.source)
    digest = hashlib.blake2b(f"{entry.source}\n{entry.ref}".encode(), digest_size=6).hexdigest()
    plain = re.sub(r"[^\w.-]+", "_", entry.name)
    return home / "clones" / f"{plain}-{digest}"


def fetched(entry: Entry, home: Path) -> Path:
    """
    The work tree of ``entry``, brought up to date where it is a clone.

    One revision deep: history is not searched.

    Raises:
        UsageError: git refuses; with its reason.
    """
    folder = clone_of(entry, home)
    if not entry.remote:
        return folder
    if not (folder / ".git").is_dir():
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        branch = ["--branch", entry.ref] if entry.ref else []
        _git(entry, "clone", "--quiet", "--depth", "1", *branch, "--", entry.source, str(part))
        part.rename(folder)
        return folder
    at = ("-C", str(folder))
    _git(entry, *at, "fetch", "--quiet", "--depth", "1", "origin", entry.ref or "HEAD")
    _git(entry, *at, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    return folder


def _git(entry: Entry, *command: str) -> None:
    done = subprocess.run(
        [*_GIT, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise UsageError(f"git cannot fetch {entry.source}: {lines[-1]}")
