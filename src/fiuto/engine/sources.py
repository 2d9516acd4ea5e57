"""One file as a surface may show it."""

from __future__ import annotations

from pathlib import Path

from fiuto.errors import UsageError
from fiuto.model import Skipped, SourceFile
from fiuto.scan import FileScanner

__all__ = ["source_of"]


def source_of(scanner: FileScanner, root: Path, path: str) -> SourceFile | Skipped:
    """
    The file at ``path``, which is relative to ``root``, or why it is not indexed.

    Absolute paths, and paths through a link, lead nowhere: what comes back is shown to whoever
    asks, so no spelling may lead out of the root.

    Raises:
        UsageError: the path is outside the root, or there is no such file.
    """
    if not path or "\0" in path or not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise UsageError(f"{path!r} is no path inside {root}")
    found = scanner.why(path)
    if isinstance(found, Skipped):
        return found
    if found.path != path or not (root / path).resolve().is_relative_to(root):
        raise UsageError(f"there is no file {path!r} in {root}")
    return scanner.read(found)
