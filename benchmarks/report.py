"""What a run says: JSON for machines, Markdown for the committed tables."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.running import Answer, Run, Variant
from benchmarks.summary import FIGURES, each, groups, means, overall

__all__ = ["machine", "markdown", "report", "versions"]

_LIBRARIES = ("tantivy", "simsimd", "numpy", "tree-sitter")
_EXTRA = ("files", "chunks", "index_seconds", "median_query_ms")


def report(
    name: str,
    runs: Sequence[Run],
    variants: Sequence[Variant],
    *,
    settings: Mapping[str, object],
    notes: Sequence[str] = (),
    questions: bool = False,
) -> dict[str, Any]:
    """
    Everything about a run as plain data.

    Args:
        name: of the benchmark.
        runs: one for each repository.
        variants: what was asked; the first is the run itself, the others go under
            ``ablations`` with their overall figures.
        settings: what was chosen on the command line.
        notes: things to know about the questions.
        questions: True adds the ranks of every question.
    """
    answers = _all(runs, variants[0])
    data: dict[str, Any] = {
        "benchmark": name,
        "overall": overall(answers),
        "by_category": groups(answers, lambda a: a.question.category),
        "by_language": groups(answers, lambda a: a.question.language),
        "by_repository": {run.repository: _repository(run, variants[0]) for run in runs},
        "ablations": {str(v): overall(_all(runs, v)) for v in variants[1:]},
        "settings": {
            **settings,
            "embedder": sorted({run.embedder for run in runs}),
            "chunker": sorted({run.chunker for run in runs}),
        },
        "versions": versions(),
        "machine": machine(),
        "warnings": _warnings(runs, notes),
    }
    if questions:
        data["questions"] = [_question(answer) for answer in answers]
    return data


def _all(runs: Iterable[Run], variant: Variant) -> list[Answer]:
    return [answer for run in runs for answer in run.answers[variant]]


def _repository(run: Run, variant: Variant) -> dict[str, float]:
    times = sorted(answer.seconds for answer in run.answers[variant])
    return {
        **means(run.answers[variant]),
        "files": run.files,
        "chunks": run.chunks,
        "index_seconds": round(run.seconds, 2),
        "median_query_ms": round(1000 * times[len(times) // 2], 2) if times else 0.0,
    }


def _question(answer: Answer) -> dict[str, object]:
    return {
        "repository": answer.question.repository,
        "question": answer.question.text,
        "category": answer.question.category,
        "ranks": list(answer.ranks),
        "ndcg@10": round(each(answer)["ndcg@10"], 4),
    }


def _warnings(runs: Iterable[Run], notes: Iterable[str]) -> list[str]:
    """Each warning once, with the repositories it was given for."""
    said: dict[str, list[str]] = {}
    for run in runs:
        for warning in run.warnings:
            said.setdefault(warning, []).append(run.repository)
    return [*notes, *(f"{', '.join(names)}: {warning}" for warning, names in said.items())]


def versions() -> dict[str, str]:
    """Versions of fiuto, Python and the libraries that decide on results."""
    found = {"fiuto": _version("fiuto"), "python": platform.python_version()}
    described = subprocess.run(
        ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if described.returncode == 0:
        found["revision"] = described.stdout.strip()
    return found | {name: _version(name) for name in _LIBRARIES}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def machine() -> dict[str, object]:
    """What the times depend on."""
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text("utf-8"), re.MULTILINE)
        model = found.group(1).strip() if found else ""
    return {
        "cpu": model or platform.processor() or platform.machine(),
        "cores": os.cpu_count() or 1,
        "system": platform.system(),
        "architecture": platform.machine(),
    }


def markdown(title: str, data: Mapping[str, Any], name: str, headline: str) -> str:
    """
    The report as a page of tables.

    Args:
        title: of the page.
        data: what :func:`report` gave.
        name: of the variant that ``overall`` is about.
        headline: the figure whose interval is shown.
    """
    made = data["machine"]
    used = ", ".join(f"{key} {value}" for key, value in data["versions"].items())
    settings = "; ".join(f"{k}: {_plain(v)}" for k, v in data["settings"].items() if v)
    lines = [f"# {title}", "", f"{settings}.", ""]
    lines += [f"{made['cpu']}, {made['cores']} cores, {made['system']}; {used}.", ""]
    lines += ["Query times are of a warm process, 200 hits deep, without a look at the files.", ""]
    whole = {name: data["overall"], **data["ablations"]}
    lines += [*_table("", whole, headline), ""]
    for key in ("by_category", "by_language", "by_repository"):
        lines += [*_table(key.removeprefix("by_"), data[key]), ""]
    lines += [f"- {warning}" for warning in data["warnings"]]
    return "\n".join(lines).rstrip() + "\n"


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _table(first: str, rows: Mapping[str, Mapping[str, Any]], headline: str = "") -> list[str]:
    names = ["n", *FIGURES, *(x for x in _EXTRA if all(x in row for row in rows.values()))]
    heads = [first, *names, *([f"{headline}, 95 % interval"] if headline else [])]
    lines = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for name, row in rows.items():
        cells = [f"{row[x]:.3f}" if x in FIGURES else f"{row[x]}" for x in names]
        if headline:
            low, high = row["interval"][headline]
            cells.append(f"{low:.3f}-{high:.3f}")
        lines.append(f"| {' | '.join([name, *cells])} |")
    return lines
