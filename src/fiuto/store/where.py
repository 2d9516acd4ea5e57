"""
Which files a :class:`~fiuto.model.Where` selects.

"No restriction" and "a restriction that nothing meets" are different values
here, so that a mistyped filter can never search the whole index.
"""

from __future__ import annotations

from collections.abc import Iterable

from fiuto.filters import admitting
from fiuto.model import Label, Where
from fiuto.values import dataclass

__all__ = ["EVERYTHING", "Selection", "select"]


@dataclass(frozen=True, slots=True)
class Selection:
    """A set of file ids, or every file there is."""

    files: frozenset[int] | None
    """None stands for every file, an empty set for none."""

    @property
    def everything(self) -> bool:
        """Whether there is no restriction at all."""
        return self.files is None

    @property
    def nothing(self) -> bool:
        """Whether no file is selected."""
        return self.files is not None and not self.files

    def __contains__(self, file: int) -> bool:
        return self.files is None or file in self.files


EVERYTHING = Selection(None)


def select(where: Where, files: Iterable[tuple[int, str, str, Label]]) -> Selection:
    """
    The files that meet each kind of restriction.

    Args:
        where: kinds intersect, values of one kind unite.
        files: (id, path, language, label) of every file.

    Raises:
        UsageError: a path glob that cannot be understood.
    """
    if where == Where():
        return EVERYTHING
    admits = admitting(where)
    return Selection(
        frozenset(id_ for id_, path, language, label in files if admits(path, language, label))
    )
