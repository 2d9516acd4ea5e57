"""A caller's words and filters as a :class:`~fiuto.model.Query`, each checked by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from fiuto.errors import UsageError
from fiuto.languages import LANGUAGES
from fiuto.model import LABELS, MODES, UNITS, Label, Mode, Query, Unit, Where
from fiuto.search.profile import FIELDS
from fiuto.search.rank import ALL_SIGNALS
from fiuto.search.retrieve import FUSED
from fiuto.search.signals import SIGNALS

__all__ = ["OPTIONAL", "make_query"]

OPTIONAL: tuple[str, ...] = tuple(dict.fromkeys((*FIELDS, *SIGNALS, "repeat", ALL_SIGNALS)))
"""Every part of the ranking that a question may be asked without."""


def make_query(
    question: str,
    *,
    k: int,
    mode: str,
    paths: Sequence[str] = (),
    languages: Sequence[str] = (),
    only: Sequence[str] = (),
    no: Sequence[str] = (),
    unit: str = "chunk",
    without: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
) -> Query:
    """
    Check and collect.

    Raises:
        UsageError: an empty question, ``k`` below 1, or a mode, language, label or signal
            that does not exist, with the nearest that does.
    """
    if not question.strip():
        raise UsageError("the question is empty; ask for something: 'where are users blocked'")
    if k < 1:
        raise UsageError(f"k is {k}; it must be at least 1")
    _known("mode", [mode], MODES)
    _known("language", languages, LANGUAGES)
    _known("unit", [unit], UNITS)
    _known("signal", without, OPTIONAL)
    _known("signal", weights or (), (*FUSED, *SIGNALS))
    _known("label", [*only, *no], LABELS)
    where = Where(
        paths=tuple(paths),
        languages=tuple(languages),
        only=tuple(cast("Iterable[Label]", only)),
        no=tuple(cast("Iterable[Label]", no)),
    )
    return Query(
        question,
        k=k,
        mode=cast("Mode", mode),
        where=where,
        unit=cast("Unit", unit),
        without=tuple(without),
        weights=weights,
    )


def _known(kind: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            import difflib  # noqa: PLC0415 - only mistakes need it

            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise UsageError(f"no {kind} is called {name!r}; {hint}")
