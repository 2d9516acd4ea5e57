"""Where the files of one local index lie inside its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["UNITS", "Layout"]

UNITS = ("chunk", "file")


@dataclass(frozen=True, slots=True)
class Layout:
    """Names inside the folder of one index."""

    folder: Path

    @property
    def database(self) -> Path:
        """The truth."""
        return self.folder / "index.db"

    @property
    def lock(self) -> Path:
        """Held by the one writer; the operating system lets it go with the process."""
        return self.folder / "lock"

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

    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
