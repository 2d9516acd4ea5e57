"""
Parts of a tree that a question may be asked of: all, a glob, or labels.

The same questions over the whole tree and over its sources alone show what tests
and docs cost a search, which is often more than what separates two models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from fiuto.errors import UsageError
from fiuto.globs import compile_globs
from fiuto.model import LABELS, Label, SourceFile

__all__ = ["DEFAULT_SCOPES", "Scope", "parse_scope"]

DEFAULT_SCOPES = ("all", "label:source")


@dataclass(frozen=True, slots=True)
class Scope:
    """A restriction of files, as ``--scope`` names it."""

    name: str
    paths: tuple[str, ...] = ()
    only: tuple[Label, ...] = ()

    def select(self, files: Iterable[SourceFile]) -> list[str]:
        """The paths of those files that lie within, in the same order."""
        matches = compile_globs(self.paths).match if self.paths else None
        return [
            file.path
            for file in files
            if (not self.only or file.label in self.only)
            and (matches is None or matches(file.path))
        ]


def parse_scope(text: str) -> Scope:
    """
    ``all``, ``label:NAME[,NAME]`` or a path glob.

    Raises:
        UsageError: an unknown label, or a glob that cannot be understood.
    """
    if text == "all":
        return Scope("all")
    kind, colon, rest = text.partition(":")
    if kind != "label" or not colon:
        compile_globs([text])
        return Scope(text, paths=(text,))
    labels = rest.split(",")
    for label in labels:
        if label not in LABELS:
            raise UsageError(f"scope {text!r}: no label {label!r}; known: {', '.join(LABELS)}")
    return Scope(text, only=tuple(cast("Iterable[Label]", labels)))
