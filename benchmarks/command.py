"""What both quality benchmarks share: options, the run over repositories, the outcome."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.questions import Question
from benchmarks.report import markdown, report
from benchmarks.running import Run, Variant, ask
from benchmarks.summary import FIGURES, means
from fiuto.engine.questions import OPTIONAL
from fiuto.errors import UsageError
from fiuto.model import LABELS, MODES

__all__ = ["Benchmark", "Case", "check_names", "conclude", "parser", "variants"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What a benchmark is called."""

    name: str
    title: str
    headline: str
    """The figure whose interval is shown."""


@dataclass(frozen=True, slots=True)
class Case:
    """One repository with its questions, ready to be asked."""

    repository: str
    root: Path
    """The folder to index."""
    questions: Sequence[Question]


def parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """The options that both benchmarks take."""
    options = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--checkouts", type=Path, required=True, metavar="DIR")
    options.add_argument("--repository", action="append", default=[], metavar="NAME",
                         help="ask only this one; may be given again")  # fmt: skip
    options.add_argument("--mode", choices=MODES, default="hybrid")
    options.add_argument("--without", action="append", default=[], choices=OPTIONAL,
                         metavar="SIGNAL", help="leave this part of the ranking out")  # fmt: skip
    options.add_argument("--only", action="append", default=[], choices=LABELS, metavar="LABEL",
                         help="let only these labels answer")  # fmt: skip
    options.add_argument("--deep", action="store_true",
                         help="have the best of the pool read by the deep tier")  # fmt: skip
    options.add_argument("--deep-budget", type=float, metavar="SECONDS")
    options.add_argument("--embedder", metavar="NAME")
    options.add_argument("--chunker", metavar="NAME")
    options.add_argument("--ablations", action="store_true",
                         help="ask in the other modes and without each signal too")  # fmt: skip
    options.add_argument("--home", type=Path, metavar="DIR",
                         help="keep the indexes here, so that the next run is fast")  # fmt: skip
    options.add_argument("--json", type=Path, metavar="OUT")
    options.add_argument("--markdown", type=Path, metavar="OUT")
    options.add_argument("--each", action="store_true",
                         help="put the ranks of every question into the JSON")  # fmt: skip
    return options


def variants(given: argparse.Namespace) -> list[Variant]:
    """What was asked for, first; with ``--ablations`` everything it is compared with."""
    asked = Variant(
        given.mode, tuple(given.without), tuple(given.only), given.deep, given.deep_budget
    )
    if not given.ablations:
        return [asked]
    others = [Variant(mode, asked.without, asked.only) for mode in MODES]
    for mode in ("hybrid", "lexical"):
        others += [Variant(mode, (signal,), asked.only) for signal in OPTIONAL]
        others.append(Variant(mode, OPTIONAL, asked.only))
    others.append(Variant(given.mode, asked.without, ("source",)))
    return list(dict.fromkeys([asked, *others]))


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """
    Refuse a repository that is not there.

    Raises:
        UsageError: one of ``names`` is not known.
    """
    for name in names:
        if name not in known:
            raise UsageError(f"no repository is called {name!r}; known: {', '.join(known)}")


def conclude(
    benchmark: Benchmark,
    cases: Iterable[Case],
    given: argparse.Namespace,
    *,
    settings: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
) -> int:
    """
    Ask every case, print a line for each and the totals, write what was asked for.

    Returns:
        The exit code: 0, or 2 where there was nothing to ask.
    """
    asked = variants(given)
    with _home(given.home) as home:
        runs = [*_runs(cases, asked, home / benchmark.name, given)]
    if not any(run.answers[asked[0]] for run in runs):
        print("error: there was nothing to ask", file=sys.stderr)
        return 2
    chosen = {"mode": given.mode, "without": given.without, "only": given.only, **(settings or {})}
    data = report(benchmark.name, runs, asked, settings=chosen, notes=notes, questions=given.each)
    _print_totals(data, str(asked[0]), benchmark.headline)
    if given.json:
        given.json.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if given.markdown:
        page = markdown(benchmark.title, data, str(asked[0]), benchmark.headline)
        given.markdown.write_text(page, "utf-8")
    return 0


def _runs(
    cases: Iterable[Case], asked: Sequence[Variant], home: Path, given: argparse.Namespace
) -> Iterator[Run]:
    """Each repository asked, and its line printed."""
    print(_line("repository", ["n", *FIGURES, "chunks", "index s"]))
    for case in cases:
        run = ask(
            case.repository, case.root, case.questions, asked, home,
            embedder=given.embedder, chunker=given.chunker,
        )  # fmt: skip
        cells = _cells(means(run.answers[asked[0]]))
        print(_line(run.repository, [*cells, f"{run.chunks}", f"{run.seconds:.1f}"]), flush=True)
        yield run


def _print_totals(data: Mapping[str, Any], name: str, headline: str) -> None:
    for group in ("by_category", "by_language"):
        for key, row in data[group].items():
            print(_line(key, _cells(row)))
    for key, row in {name: data["overall"], **data["ablations"]}.items():
        low, high = row["interval"][headline]
        print(f"{_line(key, _cells(row))}  {headline} 95 %: {low:.3f}-{high:.3f}")
    for warning in data["warnings"]:
        print(f"warning: {warning}", file=sys.stderr)


def _cells(row: Mapping[str, float]) -> list[str]:
    return [f"{row['n']}", *(f"{row[name]:.3f}" for name in FIGURES)]


def _line(first: str, cells: Sequence[str]) -> str:
    return f"{first:34}" + "".join(f"{cell:>9}" for cell in cells)


@contextmanager
def _home(given: Path | None) -> Iterator[Path]:
    """The folder that was given, or one that is gone afterwards."""
    if given is not None:
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="fiuto-benchmark-") as made:
        yield Path(made)
