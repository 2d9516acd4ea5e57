"""Where indexes lie: one folder per root and profile in the user's cache, never in his tree."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fiuto.store.layout import make_folder
from fiuto.values import dataclass

__all__ = ["Place", "every_place", "place_of", "vector_cache"]

_NOTE = "root.json"


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one index, and what it is an index of."""

    folder: Path
    root: Path
    profile: str

    @property
    def name(self) -> str:
        """One word that is no other index's: fit for an address or a log."""
        return self.folder.name

    @property
    def walk(self) -> Path:
        """Notes of the last walk through the root."""
        return self.folder / "walk"

    def note(self) -> None:
        """Write down what this folder belongs to, for ``fiuto list``."""
        path = self.folder / _NOTE
        text = json.dumps({"root": str(self.root), "profile": self.profile})
        make_folder(self.folder)
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")

    def size(self) -> int:
        """Bytes that it takes on disk."""
        total = 0
        for path in self.folder.rglob("*"):
            with suppress(OSError):  # a search of that folder may be going on
                total += path.stat().st_size
        return total

    def remove(self) -> None:
        """Delete the folder."""
        import shutil  # noqa: PLC0415 - brings every compression there is

        shutil.rmtree(self.folder, ignore_errors=True)


def place_of(home: Path, root: Path, profile: str) -> Place:
    """The folder for ``root``; readable by its name, unique by a hash of the whole path."""
    digest = hashlib.blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=8)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", root.name)[:40] or "root"
    suffix = "" if profile == "default" else f"-{profile}"
    return Place(home / "roots" / f"{name}-{digest.hexdigest()}{suffix}", root, profile)


def every_place(home: Path) -> Iterator[Place]:
    """Every index under ``home``, in order of its folder's name."""
    folder = home / "roots"
    for note in sorted(folder.glob(f"*/{_NOTE}")) if folder.is_dir() else ():
        try:
            data = json.loads(note.read_text("utf-8"))
            yield Place(note.parent, Path(data["root"]), str(data["profile"]))
        except (OSError, ValueError, TypeError, KeyError):
            continue  # cut short by a kill; the next search of that root writes it again


def vector_cache(home: Path) -> Path:
    """The file of vectors that all indexes share."""
    return home / "vectors.db"
