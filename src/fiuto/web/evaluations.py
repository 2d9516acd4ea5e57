"""Runs ``fiuto eval`` as a job and shows its tables."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from fiuto.evaluation.indexes import Wanted
from fiuto.evaluation.jsonable import run_data
from fiuto.evaluation.judgments import BadQuestions
from fiuto.evaluation.measure import measure, measure_docs
from fiuto.evaluation.page import page
from fiuto.evaluation.report import facts
from fiuto.evaluation.run import Run
from fiuto.evaluation.runner import Asking
from fiuto.evaluation.scopes import DEFAULT_SCOPES, parse_scope
from fiuto.evaluation.summary import caution
from fiuto.evaluation.tables import tables
from fiuto.model import Skipped
from fiuto.protocols import Progress
from fiuto.render.style import printable
from fiuto.web.call import Values
from fiuto.web.indexes import job_data
from fiuto.web.problems import Missing, Problem
from fiuto.web.service import Service

__all__ = ["evaluation", "question_files", "report", "start"]

_SUFFIXES = (".json", ".toml")


def question_files(service: Service, values: Values) -> dict[str, Any]:
    """
    Files of the folder whose name or folder says that they hold questions.

    Raises:
        IndexMissing: the folder was not indexed yet.
    """
    files = service.library.index(values["id"]).files()
    return {"files": sorted(path for path in files if _may_hold_questions(path))}


def start(service: Service, values: Values) -> dict[str, Any]:
    """
    Begin an evaluation: of questions sent along, of a file of the folder, or from comments.

    Raises:
        Problem: not exactly one of the three.
        Missing: no such index, or no such file.
        IndexBusy: this index is being evaluated.
    """
    place = service.library.place(values["id"])
    asked = [name for name in ("content", "path", "from_docs") if values[name]]
    if len(asked) != 1:
        raise Problem("give one of content, path and from_docs")
    asking = Asking(tuple(parse_scope(name) for name in values["scope"] or DEFAULT_SCOPES))
    wanted = Wanted(profile=place.profile, home=service.library.home)
    if values["from_docs"]:
        work = partial(_measured_docs, place.root, values["from_docs"], wanted, asking)
    else:
        content, name = values["content"], values["name"] or "questions.json"
        if values["path"]:
            name = values["path"]
            found = service.library.index(values["id"]).source(name)
            if isinstance(found, Skipped):
                raise Missing(f"there is no question file {name!r} in the index")
            content = found.text
        work = partial(_measured, content, printable(name), place.root, wanted, asking)
    title = f"{place.root}"
    return job_data(service.jobs.start("eval", place.name, title, work))


def evaluation(service: Service, values: Values) -> dict[str, Any]:
    """
    The tables of an evaluation that has ended, and its run as ``fiuto eval --json`` gives it.

    Raises:
        Missing: there is none, or it has not ended well.
    """
    run = _run(service, values["id"])
    return {
        "facts": list(facts(run)),
        "caution": caution(len(run.scopes[0].rows)),
        "tables": [asdict(table) for table in tables(run)],
        "run": run_data(run),
    }


def report(service: Service, id_: str) -> str:
    """
    The report of ``fiuto eval --html``.

    Raises:
        Missing: there is none.
    """
    return page(_run(service, id_))


def _run(service: Service, id_: str) -> Run:
    job = service.jobs.get(id_)
    run = service.jobs.result(id_)
    if not isinstance(run, Run):
        raise Missing(f"job {job.id} has no tables: it is {job.state}")
    return run


def _measured(
    content: str, name: str, root: Path, wanted: Wanted, asking: Asking, progress: Progress
) -> Run:
    suffix = ".toml" if name.lower().endswith(".toml") else ".json"
    with tempfile.TemporaryDirectory(prefix="fiuto-") as folder:
        file = Path(folder, f"questions{suffix}")
        file.write_text(content, "utf-8")
        try:
            run = measure(file, root, wanted, replace(asking, progress=progress))
        except BadQuestions as error:
            raise BadQuestions(_renamed(error, name)) from error
    return replace(run, title=name)


def _measured_docs(root: Path, n: int, wanted: Wanted, asking: Asking, progress: Progress) -> Run:
    return measure_docs(root, n, wanted, replace(asking, progress=progress))


def _renamed(error: BadQuestions, name: str) -> Sequence[Any]:
    """Faults of the file as its owner calls it."""
    return [replace(fault, file=name) for fault in error.faults]


def _may_hold_questions(path: str) -> bool:
    *folders, name = path.lower().split("/")
    named = "question" in name or any(folder.startswith("eval") for folder in folders)
    return named and name.endswith(_SUFFIXES)
