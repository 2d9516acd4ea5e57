"""Answers a question, and shows a file: what the search view asks for."""

from __future__ import annotations

from typing import Any

from fiuto.engine.reasons import sentence
from fiuto.model import Hit, Skipped
from fiuto.render.excerpt import best_line, excerpt
from fiuto.render.jsonable import SCHEMA, results_data
from fiuto.render.matches import Matcher, matcher_of
from fiuto.web.call import Values
from fiuto.web.highlight import coloured
from fiuto.web.problems import Missing, Withheld
from fiuto.web.service import Service

__all__ = ["file", "search"]

_BEING_INDEXED = "the folder is being indexed; these are results of the last whole index"


def search(service: Service, values: Values) -> dict[str, Any]:
    """
    One answer, in the schema of ``fiuto search --json``.

    A refresh that another question made a moment ago, or that a job is making, is not
    waited for.

    Raises:
        IndexMissing: the folder was not indexed yet.
        UsageError: a question, filter or mode that cannot be used.
    """
    id_ = values["index"]
    service.library.index(id_).status()  # a first index is a job, with progress
    working = service.jobs.active(id_) is not None
    live = values["refresh"] and not working and service.library.due(id_)
    results = service.library.index(id_, live=live).search(
        values["q"],
        k=values["k"],
        mode=values["mode"],
        paths=values["path"],
        languages=values["lang"],
        only=values["only"],
        no=values["no"],
        refresh=live,
    )
    said = [_BEING_INDEXED] if working and values["refresh"] else []
    data = results_data(results, warnings=said)
    if values["lines"]:
        matcher = matcher_of(values["q"])
        for shown, hit in zip(data["hits"], results.hits, strict=True):
            shown.update(_drawn(hit, matcher))
    return data


def _drawn(hit: Hit, matcher: Matcher) -> dict[str, Any]:
    part = excerpt(hit.text, hit.start, matcher)
    return {
        "kind": hit.kind,
        "best": hit.start + best_line(hit.text, matcher),
        "excerpt": {"first": part.first, "count": len(part.lines)},
        "lines": coloured(hit.text, hit.language, matcher),
    }


def file(service: Service, values: Values) -> dict[str, Any]:
    """
    A file as it is now, if it would be indexed.

    Raises:
        Withheld: it is left out of the index, with the reason.
        Missing: there is no such file.
        UsageError: the path leads out of the folder.
    """
    index = service.library.index(values["id"])
    found = index.source(values["path"])
    if isinstance(found, Skipped):
        told = f"{found.path} is not shown: {sentence(found.reason)}"
        if found.reason == "missing":
            raise Missing(told)
        raise Withheld(told)
    matcher = matcher_of(values["q"]) if values["q"].strip() else None
    lines = coloured(found.text, found.language, matcher)
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # what follows the last newline is no line
    return {
        "schema": SCHEMA,
        "root": str(index.root),
        "path": found.path,
        "language": found.language,
        "label": found.label,
        "encoding": found.encoding,
        "bytes": found.stamp.size,
        "lines": lines,
    }
