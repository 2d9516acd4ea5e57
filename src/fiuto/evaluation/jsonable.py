"""
A run as plain data: what ``--json`` prints and ``--baseline`` reads.

Keys are only ever added under one :data:`SCHEMA`.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata
from typing import Any

from fiuto.evaluation.metrics import Estimate
from fiuto.evaluation.run import Row, Run, ScopeRun
from fiuto.evaluation.summary import Figures, differences, figures, parts

__all__ = ["SCHEMA", "run_data"]

SCHEMA = 1

_LIBRARIES = ("fiuto", "tantivy", "simsimd", "numpy", "tree-sitter")


def run_data(run: Run) -> dict[str, Any]:
    """Everything about a run."""
    return {
        "schema": SCHEMA,
        "questions": run.title,
        "root": run.root,
        "revision": run.revision,
        "profile": run.profile,
        "seed": run.seed,
        "columns": [asdict(column) for column in run.columns],
        "reference": run.reference,
        "indexes": [asdict(index) for index in run.indexes],
        "scopes": [_scope(run, scope) for scope in run.scopes],
        "versions": versions(),
        "warnings": list(run.warnings),
    }


def versions() -> dict[str, str]:
    """Of Python and of everything that decides on a rank."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = ""
    return found


def _scope(run: Run, scope: ScopeRun) -> dict[str, Any]:
    return {
        "name": scope.name,
        "files": scope.files,
        "chunks": scope.chunks,
        "outside": scope.outside,
        "summary": {
            column.name: {
                part or "all": _figures(figures([row.cells[column.name] for row in rows], run.seed))
                for part, rows in parts(scope).items()
            }
            for column in run.columns
        },
        "differences": [
            asdict(difference) | {"mrr": _estimate(difference.mrr)}
            for difference in differences(run, scope)
        ],
        "rows": [_row(row) for row in scope.rows],
    }


def _figures(found: Figures) -> dict[str, Any]:
    hits = {f"hit@{k}": _estimate(share) for k, share in found.hits.items()}
    return {
        "n": found.n,
        **hits,
        "file@5": _estimate(found.files),
        "mrr": _estimate(found.mrr),
        "ndcg@10": _estimate(found.ndcg),
        "tokens": _estimate(found.tokens),
        "milliseconds": round(found.milliseconds, 2),
    }


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {name: round(value, 4) for name, value in asdict(estimate).items()}


def _row(row: Row) -> Mapping[str, Any]:
    question = row.question
    return {
        "id": question.id,
        "question": question.text,
        "category": question.category,
        "targets": [str(place) for place in question.places],
        "symbol": question.places[0].symbol,
        "grep_phrase": question.phrase,
        "grep_word": question.word,
        "phrase_lines": row.phrase_lines,
        "word_lines": row.word_lines,
        "ranks": {name: cell.rank for name, cell in row.cells.items()},
        "files": {name: cell.files for name, cell in row.cells.items()},
        "tokens": {name: cell.tokens for name, cell in row.cells.items()},
    }
