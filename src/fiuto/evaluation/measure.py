"""An evaluation from start to end: questions in, a run out. What surfaces call."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from fiuto.evaluation.files import source, sources
from fiuto.evaluation.fromdocs import choose, judgments, masked_tree
from fiuto.evaluation.indexes import Wanted, opened, opened_for_once
from fiuto.evaluation.run import Run
from fiuto.evaluation.runner import Asking, evaluate
from fiuto.evaluation.targets import load

__all__ = ["measure", "measure_docs"]


def measure(
    questions: Path, root: str | Path, wanted: Wanted, asking: Asking, language: str = ""
) -> Run:
    """
    Ask the questions of a file about a folder.

    Args:
        questions: the file.
        root: the folder.
        wanted: what to index it with.
        asking: how to ask.
        language: ``it`` asks what stands under ``question_it``.

    Raises:
        BadQuestions: something is wrong with the question file; nothing was indexed.
        UsageError: no such folder, a setting that cannot be used, no column ``against``.
        ModelUnavailable: one of several embedders is not at hand.
    """
    with opened(root, wanted) as indexes:
        found = load(questions, indexes[0].root, partial(source, indexes[0]), language)
        return evaluate(found, indexes, asking)


def measure_docs(root: str | Path, n: int, wanted: Wanted, asking: Asking) -> Run:
    """
    Ask what the doc comments of a folder say, of a copy without these comments.

    Args:
        root: the folder.
        n: how many questions at most.
        wanted: what to index the copy with.
        asking: how to ask.

    Raises:
        UsageError: no such folder, a setting that cannot be used, no usable comment, no
            column ``against``.
        ModelUnavailable: one of several embedders is not at hand.
    """
    with opened(root, wanted) as indexes:
        real = indexes[0].root
        files = list(sources(indexes[0]))
    chosen = choose(files, n, asking.seed)
    with (
        masked_tree(files, chosen, real / "fiuto.toml") as copy,
        opened_for_once(copy, wanted) as indexes,
    ):
        run = evaluate(judgments(chosen, real, asking.seed), indexes, asking)
    return replace(run, root=str(real))
