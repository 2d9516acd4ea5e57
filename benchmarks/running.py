"""
Asks fiuto the questions of a benchmark, through the door that every user has.

One repository at a time: its index is made or brought up to date in a home folder of
its own, then each question is asked in each variant.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import fiuto
from benchmarks.questions import Question

__all__ = ["DEPTH", "Answer", "Run", "Variant", "ask"]

DEPTH = 200
"""Hits looked at.  Deeper than any user looks, for the reciprocal rank; the first ten of
200 are the ten that ``k = 10`` gives."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask: everything not named here is fiuto's default."""

    mode: str = "hybrid"
    without: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    deep: bool = False
    budget: float | None = None
    """Seconds of the deep tier; None: fiuto's default."""

    def __str__(self) -> str:
        parts = [self.mode, *(f"without {name}" for name in self.without)]
        if self.deep:
            parts.append("deep" if self.budget is None else f"deep {self.budget:g} s")
        return ", ".join([*parts, *(f"only {label}" for label in self.only)])


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question in one variant."""

    question: Question
    ranks: tuple[int | None, ...]
    """For each target the 1-based rank of the first hit that finds it."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """One repository, asked."""

    repository: str
    answers: dict[Variant, list[Answer]]
    files: int
    chunks: int
    seconds: float
    """What making the index, or finding it up to date, took."""
    embedder: str
    chunker: str
    warnings: tuple[str, ...]


def ask(
    repository: str,
    root: Path,
    questions: Sequence[Question],
    variants: Iterable[Variant],
    home: Path,
    *,
    embedder: str | None = None,
    chunker: str | None = None,
) -> Run:
    """
    Index ``root`` below ``home`` and ask it every question in every variant.

    Args:
        repository: its name, for the home folder and the report.
        root: the folder to index.
        questions: about this repository.
        variants: how to ask.
        home: holds one folder for each repository, embedder and chunker, so that
            a later run finds its indexes whatever ran between.
        embedder: by name, or None for fiuto's default.
        chunker: the same.

    Raises:
        FiutoError: whatever indexing or asking raises.
    """
    kind = re.sub(r"[^\w.-]+", "_", "-".join(filter(None, (embedder, chunker)))) or "default"
    chosen = {k: v for k, v in (("embedder", embedder), ("chunker", chunker)) if v is not None}
    warnings: dict[str, None] = {}
    answers: dict[Variant, list[Answer]] = {}
    with fiuto.open(root, home=home / repository / kind, **chosen) as index:  # type: ignore[arg-type]
        report = index.refresh()
        warnings.update(dict.fromkeys(report.warnings))
        for variant in variants:
            answers[variant] = []
            for question in questions:
                answer, said = _ask(index, question, variant)
                answers[variant].append(answer)
                warnings.update(dict.fromkeys(said))
    return Run(
        repository=repository,
        answers=answers,
        files=report.status.counts.files,
        chunks=report.status.counts.chunks,
        seconds=report.seconds,
        embedder=str(report.status.manifest.embedder or "none"),
        chunker=report.status.manifest.chunker,
        warnings=tuple(warnings),
    )


def _ask(
    index: fiuto.Index, question: Question, variant: Variant
) -> tuple[Answer, tuple[str, ...]]:
    started = time.perf_counter()
    results = index.search(
        question.text,
        k=DEPTH,
        mode=variant.mode,
        without=variant.without,
        only=variant.only,
        deep=variant.deep,
        deep_budget=variant.budget,
        refresh=False,
        verify=False,
    )
    seconds = time.perf_counter() - started
    hits = [(hit.path, hit.start, hit.end) for hit in results]
    ranks = tuple(target.rank(hits) for target in question.targets)
    return Answer(question, ranks, seconds), results.warnings
