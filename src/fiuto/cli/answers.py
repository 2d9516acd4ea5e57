"""Writes an answer in each of its formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias

from fiuto.cli.terminal import give, give_data, say, style_of, warn
from fiuto.model import Hit, Results
from fiuto.render.budget import fit
from fiuto.render.jsonable import data_size, results_data, short_hit_data
from fiuto.render.matches import matcher_of
from fiuto.render.style import visible_length
from fiuto.render.text import NOTHING_HERE, Page, block, grep_line, path_line, tail

__all__ = ["FORMATS", "Format", "write"]

Format: TypeAlias = Literal["text", "json", "jsonl", "vimgrep", "files"]

FORMATS: Mapping[Format, str] = MappingProxyType(
    {
        "json": "Print one JSON object.",
        "jsonl": "Print a JSON object for each hit.",
        "vimgrep": "Print path:line:column:text.",
        "files": "Print paths, best first.",
    }
)
"""What an option asks for, with its line of help; ``text`` is what no option asks for."""

_DRAWN: Mapping[Format, Callable[[Hit, Page, int | None], str]] = MappingProxyType(
    {"text": block, "vimgrep": grep_line, "files": path_line}
)


def write(
    results: Results, format_: Format, *, prefix: str, explain: bool, budget: int | None
) -> None:
    """
    Write ``results`` to standard output, and its warnings where they belong.

    Args:
        results: the answer.
        format_: how.
        prefix: what goes before each path, except in JSON.
        explain: whether people are shown the parts of each score.
        budget: tokens there is room for.
    """
    if format_ in ("json", "jsonl"):
        _write_data(results, budget, whole=format_ == "json")
        return
    style = style_of(sys.stdout, results.status.manifest.root)
    page = Page(matcher_of(results.query.text), prefix, style, explain)
    hits = _first_of_each_path(results) if format_ == "files" else results.hits
    draw = _DRAWN[format_]
    fitted = fit(hits, lambda hit, room: draw(hit, page, room), visible_length, budget)
    if format_ == "text" and results.confidence == "none" and results.hits:
        say(f"fiuto: {NOTHING_HERE}; the nearest are")
    give(("\n" if format_ == "text" else "").join(fitted.drawn))
    if format_ == "text" and results.also is not None and budget is None:
        give("\n" + tail(results.also, page))
    warn((*results.warnings, fitted.note))


def _write_data(results: Results, budget: int | None, *, whole: bool) -> None:
    fitted = fit(results.hits, short_hit_data, data_size, budget)
    if whole:
        give_data(results_data(results, fitted.drawn, [fitted.note] if fitted.note else []))
        return
    for hit in fitted.drawn:
        give_data(hit)
    warn((*results.warnings, fitted.note))


def _first_of_each_path(hits: Sequence[Hit]) -> list[Hit]:
    seen: dict[str, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.path, hit)
    return list(seen.values())
