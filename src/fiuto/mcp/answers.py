"""One call of a tool to its answer: text for the agent's eyes, data for its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fiuto.engine.reasons import sentence
from fiuto.errors import UsageError
from fiuto.mcp.roots import Roots
from fiuto.model import Results, Skipped
from fiuto.protocols import Progress
from fiuto.render.budget import CHARS_PER_TOKEN, fit
from fiuto.render.jsonable import hit_data, results_data, status_data
from fiuto.render.matches import matcher_of
from fiuto.render.style import visible_length
from fiuto.render.text import NOTHING_HERE, Page, block, tail

__all__ = ["Answer", "answer"]

_K = 8
_TOKENS = 4000
"""An answer's size where none is asked for: what eight hits take, with room for long ones."""
_LINES = 2000
"""Lines read at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool gives."""

    text: str
    data: dict[str, Any]


def answer(tool: str, given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    """
    Call ``tool`` with checked arguments.

    Raises:
        FiutoError: whatever the engine raises; the caller makes it a tool error.
    """
    if tool == "folder_search":
        return _search(given, roots, progress)
    if tool == "find_related":
        index, path = roots.file(given["file"])
        found = index.related(path, given["line"], k=given.get("k", _K), progress=progress)
        return _answered(found, _TOKENS)
    if tool == "read_lines":
        return _lines(given, roots)
    if tool == "index_status":
        index, _ = roots.index(given.get("path"))
        index.refresh(progress=progress)
        data = status_data(index.status())
        lines = [f"{name}: {value}" for name, value in data.items() if name != "skipped"]
        lines += [f"skipped, {reason}: {count}" for reason, count in data["skipped"].items()]
        return Answer("\n".join(lines), data)
    index, path = roots.file(given["file"])
    why = index.why(path)
    if isinstance(why, Skipped):
        text = f"{why.path} is left out as {why.reason}: {sentence(why.reason)}"
        return Answer(
            text, {"path": why.path, "indexed": False, "reason": why.reason, "detail": why.detail}
        )
    return Answer(f"{why.path} is indexed", {"path": why.path, "indexed": True})


def _search(given: Mapping[str, Any], roots: Roots, progress: Progress) -> Answer:
    index, below = roots.index(given.get("path"))
    paths = list(given.get("paths", ()))
    if below:
        paths = [f"{below}/{glob}" for glob in paths] or [f"{below}/**"]
    results = index.search(
        given["question"],
        k=given.get("k", _K),
        mode=given.get("mode"),
        paths=paths,
        languages=given.get("languages", ()),
        only=given.get("only", ()),
        no=given.get("no", ()),
        progress=progress,
    )
    return _answered(results, given.get("budget_tokens", _TOKENS))


def _answered(results: Results, tokens: int) -> Answer:
    page = Page(matcher_of(results.query.text))
    fitted = fit(results.hits, lambda hit, room: block(hit, page, room), visible_length, tokens)
    text = "\n".join(fitted.drawn)
    if not results.hits:
        text = "nothing found"
    elif results.confidence == "none":
        text = f"{NOTHING_HERE}; the nearest are\n\n{text}"
    room = tokens * CHARS_PER_TOKEN - len(text)
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
    why = index.why(path)
    if isinstance(why, Skipped):
        raise UsageError(f"{why.path} is not readable here ({why.reason}): {sentence(why.reason)}")
    read = index.scanner.read(why)
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
