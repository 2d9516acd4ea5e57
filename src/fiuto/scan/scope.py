"""A part of a tree that one git repository answers for, or none."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from fiuto.scan.git import Listing

__all__ = ["Scope"]


class Scope(NamedTuple):
    """Where it begins, and what git lists there; folders are relative to the root of the walk."""

    folder: str = ""
    """With a ``/`` at its end; empty for the root."""
    listing: Listing | None = None

    def known(self, folder: str) -> Collection[str]:
        """The names that git lists in a folder."""
        return self.listing.names.get(folder[len(self.folder) :], ()) if self.listing else ()

    def is_listed(self, folder: str) -> bool:
        """Whether git lists something below it."""
        return self.listing is not None and folder[len(self.folder) :] in self.listing.folders

    def is_tracked(self, folder: str) -> bool:
        """Whether something below it is tracked."""
        return self.listing is not None and folder[len(self.folder) :] in self.listing.tracked
