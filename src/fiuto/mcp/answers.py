"""One call of a tool to its answer: text for the agent's eyes, data for its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from fiuto.engine.reasons import sentence
from fiuto.engine.upkeep import INCOMPLETE
from fiuto.errors import IndexBusy, IndexMissing, UsageError
from fiuto.mcp.roots import Roots
from fiuto.model import Results, Skipped
from fiuto.protocols import Progress
from fiuto.render.budget import CHARS_PER_TOKEN, fit
from fiuto.render.jsonable import hit_data, results_data, status_data
from fiuto.render.matches import matcher_of
from fiuto.render.style import visible_length
from fiuto.render.text import NOTHING_HERE, Page, block, tail

if TYPE_CHECKING:
    from fiuto.engine import Index

__all__ = ["Answer", "answer"]

_K = 8
_TOKENS = 4000
"""An answer's size where none is asked for: what eight hits take, with room for long ones."""
_LINES = 2000
"""Lines read at once."""
_PATIENCE = 5.0
"""Seconds a call waits for the first index before it answers from what there is of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives."""

    text: str
    data: dict[str, Any]


class _Asking(Protocol):
    """A question to an index, in one mode or another, of what is there or after a refresh."""

    def __call__(self, mode: str | None, *, refresh: bool) -> Results: ...


def answer(tool: str, given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    """
    Call ``tool`` with checked arguments.

    Raises:
        FiutoError: whatever the engine raises; the caller makes it a tool error.
    """
    with roots.call():
        if tool == "folder_search":
            return _search(given, roots, progress)
        if tool == "find_related":
            return _related(given, roots, progress)
        if tool == "read_lines":
            return _lines(given, roots)
        if tool == "index_status":
            return _status(given, roots, progress)
        return _why(given, roots)


def _search(given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    index, below = roots.index(given.get("path"))
    paths = list(given.get("paths", ()))
    if below:
        paths = [f"{below}/{glob}" for glob in paths] or [f"{below}/**"]

    def search(mode: str | None, *, refresh: bool) -> Results:
        return index.search(
            given["question"],
            k=given.get("k", _K),
            mode=mode,
            paths=paths,
            languages=given.get("languages", ()),
            only=given.get("only", ()),
            no=given.get("no", ()),
            refresh=refresh,
            progress=progress,
        )

    results = _soon(search, given.get("mode"), index, roots, progress)
    return _answered(results, given["question"], given.get("budget_tokens", _TOKENS))


def _related(given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    index, path = roots.file(given["file"])

    def relate(mode: str | None, *, refresh: bool) -> Results:
        k = given.get("k", _K)
        return index.related(
            path, given["line"], k=k, mode=mode, refresh=refresh, progress=progress
        )

    results = _soon(relate, None, index, roots, progress)
    # What the place is called is the one word that a likeness may share with it.
    words = results.source.symbol if results.source else ""
    return _answered(results, words, _TOKENS)


def _soon(
    ask: _Asking, mode: str | None, index: Index, roots: Roots, progress: Progress
) -> Results:
    """
    What ``ask`` gives, from a part of the index where the first one takes too long.

    Raises:
        IndexBusy: nothing of it is there yet.
    """
    build = roots.building(index)
    if build is None or build.wait(_PATIENCE, progress):
        return ask(mode, refresh=True)
    try:
        results = ask("lexical", refresh=False)
    except IndexMissing as error:
        raise IndexBusy(build.so_far(0)) from error
    if not results.status.counts.files:
        raise IndexBusy(build.so_far(0))
    said = [warning for warning in results.warnings if warning != INCOMPLETE]
    told = build.so_far(results.status.counts.files)
    return replace(results, warnings=(told, *said))


def _status(given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    index, _ = roots.index(given.get("path"))
    build = roots.building(index)
    told = ""
    if build is None or build.wait(_PATIENCE, progress):
        index.refresh(progress=progress)
    else:
        told = build.so_far(_files(index))
    try:
        data = status_data(index.status())
    except IndexMissing as error:
        raise IndexBusy(told) from error
    lines = [told] if told else []
    lines += [f"{name}: {value}" for name, value in data.items() if name != "skipped"]
    lines += [f"skipped, {reason}: {count}" for reason, count in data["skipped"].items()]
    return Answer("\n".join(lines), data)


def _files(index: Index) -> int:
    try:
        return index.status().counts.files
    except IndexMissing:
        return 0


def _why(given: Mapping[str, Any], roots: Roots) -> Answer:
    index, path = roots.file(given["file"])
    why = index.why(path)
    if isinstance(why, Skipped):
        text = f"{why.path} is left out as {why.reason}: {sentence(why.reason)}"
        return Answer(
            text, {"path": why.path, "indexed": False, "reason": why.reason, "detail": why.detail}
        )
    return Answer(f"{why.path} is indexed", {"path": why.path, "indexed": True})


def _answered(results: Results, words: str, tokens: int) -> Answer:
    page = Page(matcher_of(words))
    # What must be said comes out of the same budget.
    said = sum(map(len, results.warnings)) // CHARS_PER_TOKEN
    left = max(tokens - said, 1)
    fitted = fit(results.hits, lambda hit, room: block(hit, page, room), visible_length, left)
    text = "\n".join(fitted.drawn)
    if not results.hits:
        text = "nothing found"
    elif results.confidence == "none":
        text = f"{NOTHING_HERE}; the nearest are\n\n{text}"
    room = left * CHARS_PER_TOKEN - len(text)
    if results.also is not None and len(more := tail(results.also, page)) < room:
        text += "\n" + more
    notes = [*results.warnings, *([fitted.note] if fitted.note else [])]
    text += "".join(f"\nnote: {note}" for note in notes)
    # The text has the lines; data that repeats them would cost the budget twice.
    hits = [hit_data(hit) | {"text": ""} for hit in results.hits[: len(fitted.drawn)]]
    notes_of_data = [fitted.note] if fitted.note else []
    return Answer(text, results_data(results, hits, notes_of_data))


def _lines(given: Mapping[str, Any], roots: Roots) -> Answer:
    index, path = roots.file(given["file"])
    start, end = given["start"], given["end"]
    if end < start:
        raise UsageError(f"end {end} is before start {start}")
    read = index.source(path)
    if isinstance(read, Skipped):
        raise UsageError(f"{path} is not readable here ({read.reason}): {sentence(read.reason)}")
    lines = read.text.removesuffix("\n").split("\n")
    if start > len(lines):
        raise UsageError(f"{path} has {len(lines)} lines; there is no line {start}")
    last = min(end, len(lines), start + _LINES - 1)
    chosen = lines[start - 1 : last]
    width = len(str(last))
    text = "\n".join(f"{n:>{width}}  {line}" for n, line in enumerate(chosen, start))
    return Answer(
        f"{path}:{start}-{last}\n{text}",
        {"path": path, "start": start, "end": last, "lines": len(lines), "text": "\n".join(chosen)},
    )
