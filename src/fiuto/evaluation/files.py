"""The files of an index as they are: what grep searches and questions point into."""

from __future__ import annotations

from collections.abc import Iterator

from fiuto.engine import Index
from fiuto.model import Found, Skipped, SourceFile

__all__ = ["source", "sources"]


def source(index: Index, path: str) -> SourceFile | Skipped:
    """
    One file, or why it is not indexed.

    Raises:
        UsageError: the path is outside the root, or there is no such file.
    """
    found = index.why(path)
    return found if isinstance(found, Skipped) else index.scanner.read(found)


def sources(index: Index) -> Iterator[SourceFile]:
    """Every file, in path order."""
    for found in index.scanner.walk():
        if isinstance(found, Found):
            file = index.scanner.read(found)
            if isinstance(file, SourceFile):
                yield file
