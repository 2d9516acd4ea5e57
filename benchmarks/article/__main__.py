"""
The article measured again: its tables with fiuto's columns beside the published ones.

``python -m benchmarks.article --checkout DIR``, where DIR is psf/requests at v2.32.3,
writes ``benchmarks/results/article.md`` and ``article.json``.  Once with
``--profile article``, the article's rules to the letter, and once with fiuto's
defaults; with every embedder that is on this machine.  Ranks depend on the wording
of the questions, which are translated back from the article: compare the shape of
the columns, not each cell.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.article.embedders import AtHand, Missing, embedders
from benchmarks.article.tables import document
from benchmarks.report import machine, versions
from fiuto.config import user_home
from fiuto.errors import FiutoError
from fiuto.evaluation.indexes import Wanted
from fiuto.evaluation.jsonable import run_data
from fiuto.evaluation.judgments import BadQuestions
from fiuto.evaluation.measure import measure
from fiuto.evaluation.run import Run
from fiuto.evaluation.runner import Asking
from fiuto.evaluation.scopes import parse_scope

PROFILES = {"article": ("all", "src/**"), "default": ("all", "src/**", "label:source")}
"""Profile -> scopes."""

QUESTIONS = Path(__file__).with_name("questions.json")
RESULTS = Path(__file__).parents[1] / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; an exit code."""
    given = _parser().parse_args(arguments)
    home: Path = given.home or user_home()
    found = list(embedders(home / "models"))
    names = tuple(one.name for one in found if isinstance(one, AtHand))
    missing = [one for one in found if isinstance(one, Missing)]
    try:
        runs = list(_runs(given.checkout, given.embedder or names, home))
    except BadQuestions as error:
        print(*error.faults, sep="\n", file=sys.stderr)
        return 2
    except FiutoError as error:
        print(error, file=sys.stderr)
        return 2
    about = {"machine": machine(), "versions": versions()}
    given.out.mkdir(parents=True, exist_ok=True)
    # Where this machine keeps things is nobody's business.
    shown = {"root": given.checkout.name, "questions": QUESTIONS.name}
    data = {
        **about,
        "missing": {one.name: one.how for one in missing},
        "runs": {run.profile: run_data(run) | shown for run in runs},
    }
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (given.out / "article.json").write_text(text, "utf-8")
    page = document(runs, missing, about)
    (given.out / "article.md").write_text(page, "utf-8")
    print(page)
    return 0


def _parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.article",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--checkout", type=Path, required=True, metavar="DIR")
    options.add_argument("--embedder", action="append", default=[], metavar="NAME",
                         help="measure only this one; may be given again")  # fmt: skip
    options.add_argument("--home", type=Path, metavar="DIR",
                         help="keep indexes here, so that the next run is fast")  # fmt: skip
    options.add_argument("--out", type=Path, default=RESULTS, metavar="DIR")
    return options


def _runs(checkout: Path, names: Sequence[str], home: Path) -> Iterator[Run]:
    for profile, scopes in PROFILES.items():
        wanted = Wanted(embedders=tuple(names), profile=profile, home=home)
        asking = Asking(tuple(map(parse_scope, scopes)), progress=_told)
        yield measure(QUESTIONS, checkout, wanted, asking)


def _told(stage: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{stage} {done}/{total}   ", end="", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
