"""
The repositories of the recipe: pinned, permissive, none of the benchmark's.

Files are read straight from bare git directories at the pinned revision; no work tree is made.
``--mirror`` holds them as ``owner+name/repo`` (bare, or with a ``.git`` inside), or
``owner/name.git``. ``python -m training.checkouts check`` says what each one's licence files hold;
``pin`` prints rows of ``repos.toml`` for names read from standard input.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from training.licences import PERMISSIVE, licences_in

from training import paths

__all__ = ["Repository", "add_source_options", "chosen", "listed", "read_blobs"]

_HERE = Path(__file__).parent
_LICENCE_FILE = re.compile(
    r"(^|/)((mit-|un)?(licen[cs]e|copying|copyright|mit\.txt)[^/]*|LICENSES/[^/]+)$", re.IGNORECASE
)
_CODE_OF_LICENCES = re.compile(r"\.(py|js|ts|go|rs|java|rb|php|cs|kt|scala|ex|exs|hs|c|h|cpp)$")
_LARGEST = 160_000
"""Bytes; longer files are nearly always tables or generated."""


@dataclass(frozen=True, slots=True)
class Repository:
    """One row of ``repos.toml``. ``licence`` names what its root licence files were found to be."""

    name: str
    language: str
    revision: str
    licence: str

    @property
    def folder(self) -> str:
        """The name as one path part."""
        return self.name.replace("/", "+")


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    blob: str
    size: int
    executable: bool


def listed() -> list[Repository]:
    """Every repository of the recipe; an excluded or repeated one is an error."""
    table = tomllib.loads((_HERE / "repos.toml").read_text(encoding="utf-8"))
    rows = [Repository(**row) for row in table["repositories"]]
    excluded = set((_HERE / "excluded.txt").read_text(encoding="utf-8").lower().split())
    names = [row.name.lower() for row in rows]
    wrong = sorted({name for name in names if name in excluded or names.count(name) > 1})
    if wrong:
        raise SystemExit(f"repos.toml: excluded or repeated: {', '.join(wrong)}")
    return rows


def git_directory(name: str, mirror: Path) -> Path | None:
    """Where a repository's objects lie, or None where the mirror lacks it."""
    owner, _, short = name.partition("/")
    base = mirror / f"{owner}+{short}" / "repo"
    for candidate in (base / ".git", base, mirror / owner / f"{short}.git"):
        if (candidate / "objects").is_dir():
            return candidate
    return None


def _git(directory: Path, *arguments: str) -> bytes:
    command = ["git", f"--git-dir={directory}", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _entries(directory: Path, revision: str) -> list[_Entry]:
    found = []
    for record in _git(directory, "ls-tree", "-r", "-l", "-z", revision).split(b"\0"):
        head, _, path = record.partition(b"\t")
        fields = head.split()
        if len(fields) == 4 and fields[0] in {b"100644", b"100755"} and fields[3].isdigit():
            text = path.decode("utf-8", "replace")
            found.append(_Entry(text, fields[2].decode(), int(fields[3]), fields[0] == b"100755"))
    return found


def _contents(directory: Path, entries: list[_Entry]) -> Iterator[tuple[_Entry, str]]:
    """
    Texts of blobs through one ``git cat-file``; missing and undecodable ones left out.

    All names are asked for beforehand: a question at a time would wait for the scheduler.
    """
    command = ["git", f"--git-dir={directory}", "cat-file", "--batch", "--buffer"]
    with tempfile.TemporaryFile() as names:
        names.write("".join(entry.blob + "\n" for entry in entries).encode())
        names.seek(0)
        with subprocess.Popen(command, stdin=names, stdout=subprocess.PIPE) as process:
            if process.stdout is None:
                raise RuntimeError("git cat-file has no output")
            try:
                for entry in entries:
                    text = _next_text(process.stdout)
                    if text is not None:
                        yield entry, text
            finally:
                process.kill()


def _next_text(stream: IO[bytes]) -> str | None:
    """One answer of ``cat-file``; None for a missing blob or one that is no UTF-8 text."""
    head = stream.readline().split()
    if len(head) < 3:
        return None
    data = stream.read(int(head[2]) + 1)[:-1]
    if b"\0" in data[:8000]:
        return None
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _licence_files(entries: list[_Entry]) -> list[_Entry]:
    return [
        entry
        for entry in entries
        if _LICENCE_FILE.search(entry.path)
        and not _CODE_OF_LICENCES.search(entry.path)
        and entry.size < 300_000
    ]


def root_licences(directory: Path, revision: str) -> frozenset[str]:
    """
    What the licence files at the root (or in ``LICENSES/``) hold, all of them together.

    A repository of packages that has none there is known by those one folder down.
    """
    files = _licence_files(_entries(directory, revision))
    root = [
        entry for entry in files if re.match(r"(LICEN[CS]ES?/)?[^/]+$", entry.path, re.IGNORECASE)
    ]
    root = root or [entry for entry in files if entry.path.count("/") == 1]
    found: set[str] = set()
    for _, text in _contents(directory, root):
        found |= licences_in(text)
    return frozenset(found)


def read_blobs(
    repository: Repository, mirror: Path, order: random.Random
) -> Iterator[tuple[str, str]]:
    """
    Paths and texts of a repository's own code and documentation, shuffled by ``order``.

    Folders under a licence of their own that is not permissive are left out.
    """
    directory = git_directory(repository.name, mirror)
    if directory is None:
        raise SystemExit(f"{repository.name}: not under {mirror}; clone it there")
    entries = _entries(directory, repository.revision)
    nested = [entry for entry in _licence_files(entries) if "/" in entry.path]
    closed = tuple(
        entry.path.rpartition("/")[0] + "/"
        for entry, text in _contents(directory, nested)
        if licences_in(text) - PERMISSIVE and not re.match(r"LICENSES?/", entry.path)
    )
    wanted = [
        entry
        for entry in entries
        if 0 < entry.size <= _LARGEST
        and not entry.path.startswith(closed)
        and paths.worth_reading(entry.path)
        and (
            paths.language_of(entry.path)
            or paths.is_prose(entry.path)
            or (entry.executable and paths.may_be_script(entry.path))
        )
    ]
    order.shuffle(wanted)
    for entry, text in _contents(directory, wanted):
        yield entry.path, text


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where the repositories are and which of them to take."""
    parser.add_argument("--mirror", type=Path, required=True, help="folder of bare git directories")
    parser.add_argument("--only", nargs="*", default=[], help="repositories, instead of all")
    parser.add_argument(
        "--benchmark",
        action="store_true",
        help="the excluded repositories instead, as far as the mirror has them",
    )


def chosen(arguments: argparse.Namespace) -> list[Repository]:
    """The listed repositories, those named on the command line, or the benchmark's own."""
    rows = listed()
    if arguments.benchmark:
        names = (_HERE / "excluded.txt").read_text(encoding="utf-8").split()
        rows = [
            Repository(name, "", "HEAD", "")
            for name in names
            if git_directory(name, arguments.mirror) is not None
        ]
    return [row for row in rows if not arguments.only or row.name in arguments.only]


def _pin(mirror: Path) -> None:
    for line in sys.stdin:
        name, _, language = line.strip().partition(" ")
        directory = git_directory(name, mirror)
        if directory is None:
            print(f"{name}: not in the mirror", file=sys.stderr)
            continue
        revision = _git(directory, "rev-parse", "HEAD").decode().strip()
        found = root_licences(directory, revision)
        if not found & PERMISSIVE:
            print(f"{name}: licence {sorted(found) or 'not recognised'}", file=sys.stderr)
            continue
        if found - PERMISSIVE:
            print(f"{name}: look at {sorted(found)}", file=sys.stderr)
        licence = ", ".join(sorted(found & PERMISSIVE))
        print(
            f'    {{ name = "{name}", language = "{language}", revision = "{revision}", '
            f'licence = "{licence}" }},'
        )


def _check(arguments: argparse.Namespace) -> int:
    wrong = 0
    for row in chosen(arguments):
        directory = git_directory(row.name, arguments.mirror)
        found = root_licences(directory, row.revision) if directory else frozenset[str]()
        if not set(row.licence.split(", ")) <= found & PERMISSIVE:
            print(f"{row.name}: listed {row.licence}, found {sorted(found)}")
            wrong += 1
    print(f"{wrong} of {len(chosen(arguments))} repositories are not as listed")
    return 1 if wrong else 0


def main() -> None:
    """``check`` the list against the mirror, or ``pin`` new names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["check", "pin"])
    add_source_options(parser)
    arguments = parser.parse_args()
    if arguments.action == "pin":
        _pin(arguments.mirror)
    else:
        raise SystemExit(_check(arguments))


if __name__ == "__main__":
    main()
