"""
The public set: how high the files that answer a question come.

``python -m benchmarks.quality --repos JSON --annotations DIR --checkouts DIR``

For each repository the folder ``benchmark_root`` is indexed, or the whole checkout
where there is none, and every question is asked with fiuto's defaults.  The figure is
nDCG@10 over the targets of ``relevant`` and ``secondary``: each counts at the rank of
the first chunk of its file (of its lines, where lines are given) in the list of chunks
as fiuto returns it.  More chunks of the same file are not folded into one: they gain
nothing and take a place, as in the published figures of others on this set.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks.command import Benchmark, Case, check_names, conclude, parser
from benchmarks.questions import load_annotations
from benchmarks.repositories import load_repositories
from fiuto.errors import FiutoError, UsageError

__all__ = ["BENCHMARK", "load_cases", "main"]

BENCHMARK = Benchmark("quality", "Public set", headline="ndcg@10")


def load_cases(
    repos: Path, annotations: Path, checkouts: Path, names: Collection[str] = ()
) -> tuple[list[Case], list[str]]:
    """
    Every repository that has questions, or those of ``names``, and what to know about them.

    Raises:
        UsageError: a work tree is missing, or a file is malformed.
    """
    cases: list[Case] = []
    notes: list[str] = []
    repositories = load_repositories(repos)
    check_names(names, repositories)
    for repository in repositories.values():
        if names and repository.name not in names:
            continue
        path = annotations / f"{repository.name}.json"
        if not path.is_file():
            notes.append(f"{repository.name}: no questions in {annotations}")
            continue
        checkout = checkouts / repository.name
        root = checkout / repository.root
        if not root.is_dir():
            raise UsageError(f"{root} is not there; run python -m benchmarks.checkouts first")
        questions, outside = load_annotations(path, repository, checkout)
        notes += [
            f"{one.repository}: {one.path} lies outside {repository.root} and does not count"
            for one in outside
        ]
        cases.append(Case(repository.name, root, questions))
    return cases, notes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0, or 2 where the input cannot be used."""
    options = parser("quality", __doc__)
    options.add_argument("--repos", type=Path, required=True, metavar="JSON")
    options.add_argument("--annotations", type=Path, required=True, metavar="DIR")
    given = options.parse_args(arguments)
    try:
        cases, notes = load_cases(given.repos, given.annotations, given.checkouts, given.repository)
        return conclude(BENCHMARK, cases, given, notes=notes)
    except FiutoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
