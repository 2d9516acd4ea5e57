"""Indexes in figures; adding, re-indexing and forgetting them."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from fiuto.engine import Place
from fiuto.engine.models import every_model
from fiuto.engine.reasons import sentence
from fiuto.errors import IndexBusy, IndexCorrupt, IndexMismatch, IndexMissing
from fiuto.protocols import Progress
from fiuto.render.jsonable import SCHEMA, refresh_data, skipped_data, status_data
from fiuto.web.call import Values
from fiuto.web.jobs import Job
from fiuto.web.problems import Missing
from fiuto.web.service import Service

__all__ = [
    "add", "changes", "folders", "forget", "job_data", "jobs", "listing", "models", "one",
    "refresh", "skipped", "stop", "the_job",
]  # fmt: skip

_FOLDERS = 40
"""Names offered while somebody types a path."""


def listing(service: Service, _values: Values) -> dict[str, Any]:
    """Every index in figures, as it stands."""
    places = service.library.places()
    return {
        "schema": SCHEMA,
        "editor": service.editor,
        "indexes": [_figures(service, place) for place in places],
        "jobs": [job_data(job) for job in service.jobs.all()],
    }


def one(service: Service, values: Values) -> dict[str, Any]:
    """
    One index, with languages, labels, and what each reason for leaving files out means.

    Raises:
        Missing: there is none.
    """
    place = service.library.place(values["id"])
    data = _figures(service, place)
    if data["state"] in ("ready", "incomplete"):
        files = service.library.index(place.name).files().values()
        data["languages"] = dict(Counter(file.language for file in files).most_common())
        data["labels"] = dict(Counter(file.label for file in files).most_common())
        data["read_at"] = max((file.checked_ns for file in files), default=0) // 1_000_000_000
        data["reasons"] = {reason: sentence(reason) for reason in data["skipped"]}
    return data


def changes(service: Service, values: Values) -> dict[str, int]:
    """
    What a refresh would find in the folder now.

    Raises:
        IndexMissing: it was not indexed yet.
    """
    return asdict(service.library.index(values["id"]).changes())


def skipped(service: Service, values: Values) -> dict[str, Any]:
    """
    Files left out for one reason, or for any, with where the list goes on.

    Raises:
        IndexMissing: the folder was not indexed yet.
    """
    index = service.library.index(values["id"])
    reason = values["reason"]
    found = [s for s in index.skipped() if reason in (None, s.reason)]
    found.sort(key=lambda s: (s.reason, s.path))
    first, count = values["after"], values["limit"]
    return {
        "root": str(index.root),
        "total": len(found),
        "files": [skipped_data(s) for s in found[first : first + count]],
    }


def add(service: Service, values: Values) -> dict[str, Any]:
    """
    Index a folder that was not indexed before, or with other parts.

    Raises:
        UsageError: no such folder, or a setting that cannot be used.
        IndexBusy: it is being indexed.
    """
    options = {name: values[name] for name in ("profile", "embedder", "chunker") if values[name]}
    place = service.library.add(values["root"], **options)
    job = _start(service, place, options, rebuild=False)
    return {"id": place.name, "job": job_data(job)}


def refresh(service: Service, values: Values) -> dict[str, Any]:
    """
    Index what changed; ``rebuild`` starts over.

    Raises:
        Missing: no such index.
        IndexBusy: it is being indexed.
    """
    place = service.library.place(values["id"])
    options = {"profile": place.profile}
    job = _start(service, place, options, rebuild=values["rebuild"])
    return {"id": place.name, "job": job_data(job)}


def forget(service: Service, values: Values) -> dict[str, Any]:
    """
    Delete an index; the folder is not touched.

    Raises:
        Missing: no such index.
        IndexBusy: it is being written to.
    """
    if service.jobs.active(values["id"]) is not None:
        raise IndexBusy("the folder is being indexed; stop that first")
    return {"id": values["id"], "root": str(service.library.forget(values["id"]).root)}


def jobs(service: Service, _values: Values) -> dict[str, Any]:
    """Every job that is remembered, oldest first."""
    return {"jobs": [job_data(job) for job in service.jobs.all()]}


def the_job(service: Service, values: Values) -> dict[str, Any]:
    """
    One job, with what it gave where that is an index's figures.

    Raises:
        Missing: no such job.
    """
    job = service.jobs.get(values["id"])
    result = service.jobs.result(job.id) if job.kind == "index" else None
    return job_data(job) | {"result": result}


def stop(service: Service, values: Values) -> dict[str, Any]:
    """
    Ask a job to stop; what was done is kept.

    Raises:
        Missing: no such job.
    """
    return job_data(service.jobs.stop(values["id"]))


def models(_service: Service, _values: Values) -> dict[str, Any]:
    """The embedding models that are on this machine."""
    here = [model for model in every_model() if model.state != "absent"]
    return {"models": [{"name": m.name, "notes": m.notes} for m in here]}


def folders(_service: Service, values: Values) -> dict[str, Any]:
    """
    Folders whose path begins with what was typed, hidden ones only if a dot was typed.

    Raises:
        Missing: there is nothing to look into.
    """
    if not values["under"].startswith(("/", "~/")):
        raise Missing("type a path that begins with / or ~/")
    folder, _, start = values["under"].rpartition("/")
    above = Path(f"{folder}/").expanduser()
    try:
        with os.scandir(above) as entries:
            names = sorted(entry.name for entry in entries if _offered(entry, start))
    except (OSError, ValueError):
        return {"folders": []}
    return {"folders": [str(above / name) for name in names[:_FOLDERS]]}


def job_data(job: Job) -> dict[str, Any]:
    """A job as the page sees it."""
    return asdict(job) | {"seconds": round(job.seconds, 2)}


def _offered(entry: os.DirEntry[str], start: str) -> bool:
    hidden = entry.name.startswith(".") and not start.startswith(".")
    return entry.name.startswith(start) and not hidden and entry.is_dir()


def _start(service: Service, place: Place, options: dict[str, str], *, rebuild: bool) -> Job:
    work = partial(_indexed, service, place, options, rebuild=rebuild)
    return service.jobs.start("index", place.name, str(place.root), work)


def _indexed(
    service: Service, place: Place, options: dict[str, str], progress: Progress, *, rebuild: bool
) -> dict[str, Any]:
    with service.library.opened(place.root, **options) as index:
        return refresh_data(index.refresh(progress=progress, rebuild=rebuild))


def _figures(service: Service, place: Place) -> dict[str, Any]:
    working = service.jobs.active(place.name)
    data: dict[str, Any] = {
        "id": place.name,
        "root": str(place.root),
        "name": place.root.name or str(place.root),
        "profile": place.profile,
        "on_disk": place.size(),
        "job": job_data(working) if working else None,
    }
    if not place.root.is_dir():
        return data | {"state": "gone"}
    try:
        status = service.library.index(place.name).status()
    except IndexMissing:
        return data | {"state": "missing"}
    except (IndexCorrupt, IndexMismatch, IndexBusy) as error:
        return data | {"state": "damaged", "fault": str(error)}
    return (
        data
        | status_data(status)
        | {
            "state": "ready" if status.manifest.complete else "incomplete",
            "unembedded": status.counts.unembedded,
        }
    )
