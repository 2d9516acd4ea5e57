"""Which files a :class:`~fiuto.model.Where` admits: one meaning for every store and list."""

from __future__ import annotations

from collections.abc import Callable

from fiuto.globs import compile_globs
from fiuto.model import Label, Where

__all__ = ["admitting"]


def admitting(where: Where) -> Callable[[str, str, Label], bool]:
    """
    Tells of a path, its language and its label whether ``where`` admits the file.

    Kinds of restriction intersect, values of one kind unite.

    Raises:
        UsageError: a path glob that cannot be understood.
    """
    matches = compile_globs(where.paths).match if where.paths else None

    def admits(path: str, language: str, label: Label) -> bool:
        return (
            (matches is None or matches(path) is not None)
            and (not where.languages or language in where.languages)
            and (not where.only or label in where.only)
            and label not in where.no
        )

    return admits
