"""
Where the files of a local index lie.

The folder of a store holds the lock and numbered folders, one a *build*; the
highest number is the index.  An index that is made anew grows under another name
and takes the next number when it is complete, so whoever reads meanwhile, or
comes after a kill, still has the one before.
"""

from __future__ import annotations

from pathlib import Path

from fiuto.values import dataclass

__all__ = ["UNITS", "Layout", "Place", "make_folder"]

UNITS = ("chunk", "file")
_GROWING = "growing"


def make_folder(folder: Path) -> None:
    """
    Make a folder and those above it; the first that was missing is for this user alone.

    An index holds the text of what was indexed, and a cache folder may stand where others
    can look.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in missing[-1:]:
        path.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True, slots=True)
class Layout:
    """Names inside the folder of one build."""

    folder: Path

    @property
    def database(self) -> Path:
        """The truth."""
        return self.folder / "index.db"

    @property
    def seal(self) -> Path:
        """What the other files looked like after the last commit."""
        return self.folder / "seal.json"

    @property
    def vectors(self) -> Path:
        """The folder of vector segments."""
        return self.folder / "vectors"

    def postings(self, unit: str) -> Path:
        """The folder of one keyword index."""
        return self.folder / f"postings-{unit}"

    def posting_files(self) -> list[str]:
        """The keyword indexes' files by name relative to the folder; locks and notes left out."""
        return sorted(
            f"{folder.name}/{path.name}"
            for folder in map(self.postings, UNITS)
            if folder.is_dir()
            for path in folder.iterdir()
            if not path.name.startswith(".")
        )


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a store."""

    folder: Path

    @property
    def lock(self) -> Path:
        """Held by the one writer; the operating system lets it go with the process."""
        return self.folder / "lock"

    def current(self) -> Layout:
        """The build with the highest number; number 1 where there is none yet."""
        return Layout(self.folder / str(max(self._numbers(), default=1)))

    def start(self) -> Layout:
        """An empty build: the first one in its place, a later one on the side."""
        import shutil  # noqa: PLC0415 - readers need none

        growing = self.folder / _GROWING
        shutil.rmtree(growing, ignore_errors=True)
        layout = Layout(growing) if self._numbers() else self.current()
        layout.vectors.mkdir(parents=True)
        return layout

    def finish(self, layout: Layout) -> Layout:
        """Give a build its number, in one step, and remove the ones before it."""
        import shutil  # noqa: PLC0415 - as above

        before = self._numbers()
        target = Layout(self.folder / str(max(before) + 1))
        layout.folder.rename(target.folder)
        for number in before:
            shutil.rmtree(self.folder / str(number), ignore_errors=True)
        return target

    def wipe(self) -> None:
        """
        Remove every build, oldest first, each in one step: a kill leaves a whole one or none.

        Raises:
            OSError: the folder may not be written to.
        """
        import shutil  # noqa: PLC0415 - as above

        growing = self.folder / _GROWING
        shutil.rmtree(growing, ignore_errors=True)
        for number in sorted(self._numbers()):
            (self.folder / str(number)).rename(growing)
            shutil.rmtree(growing, ignore_errors=True)

    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _numbers(self) -> list[int]:
        if not self.folder.is_dir():
            return []
        return [int(path.name) for path in self.folder.iterdir() if path.name.isdigit()]
