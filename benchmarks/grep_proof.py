"""
Questions whose obvious phrase grep does not find: how high the line that answers comes.

``python -m benchmarks.grep_proof --questions DIR --checkouts DIR``

The whole checkout is indexed, tests and docs included.  The figure is the rank of the
first chunk that covers the line of the target's definition, or one of ``also``.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks.command import Benchmark, Case, check_names, conclude, parser
from benchmarks.questions import LANGS, load_grep_proof
from fiuto.errors import FiutoError, UsageError

__all__ = ["BENCHMARK", "load_cases", "main"]

BENCHMARK = Benchmark("grep_proof", "Grep-proof questions", headline="hit@5")


def load_cases(folder: Path, checkouts: Path, lang: str, names: Collection[str] = ()) -> list[Case]:
    """
    Every repository that ``folder`` has questions for in ``lang``, or those of ``names``.

    Raises:
        UsageError: no questions, a work tree is missing, or a file is malformed.
    """
    cases = []
    files = {path.stem: path for path in sorted(folder.glob("*.json"))}
    check_names(names, files)
    for name in names or files:
        checkout = checkouts / name
        if not checkout.is_dir():
            raise UsageError(f"{checkout} is not there; run python -m benchmarks.checkouts first")
        questions = load_grep_proof(files[name], name, checkout, lang)
        if questions:
            cases.append(Case(name, checkout, questions))
    if not cases:
        raise UsageError(f"{folder} holds no questions in {lang!r}")
    return cases


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0, or 2 where the input cannot be used."""
    options = parser("grep_proof", __doc__)
    options.add_argument("--questions", type=Path, required=True, metavar="DIR")
    options.add_argument("--lang", choices=LANGS, default="en", help="language asked in")
    given = options.parse_args(arguments)
    try:
        cases = load_cases(given.questions, given.checkouts, given.lang, given.repository)
        return conclude(BENCHMARK, cases, given, settings={"lang": given.lang})
    except FiutoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
