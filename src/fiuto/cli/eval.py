"""``fiuto eval``: questions with known answers, asked of grep, BM25, embedders and fiuto."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fiuto.cli.options import folder_of, place_options
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import give, give_data, say, style_of, warn
from fiuto.config import UNSET
from fiuto.errors import UsageError
from fiuto.evaluation.baseline import Baseline, Comparison, compare, read_baseline
from fiuto.evaluation.indexes import Wanted
from fiuto.evaluation.jsonable import run_data
from fiuto.evaluation.judgments import BadQuestions
from fiuto.evaluation.measure import measure, measure_docs
from fiuto.evaluation.page import page
from fiuto.evaluation.report import markdown, text
from fiuto.evaluation.run import Run
from fiuto.evaluation.runner import Asking
from fiuto.evaluation.scopes import DEFAULT_SCOPES, Scope, parse_scope
from fiuto.protocols import Progress

__all__ = ["eval_"]

_FINE, _LOSS, _ERROR = 0, 1, 2


class Asked(TypedDict):
    """The command's keywords."""

    words: tuple[str, ...]
    from_docs: bool
    n: int
    seed: int
    scope: tuple[str, ...]
    embedder: tuple[str, ...]
    chunker: str | None
    profile: str | None
    lang: str
    against: str
    format: str | None
    html: Path | None
    baseline: Path | None
    tolerance: float


@click.command(
    "eval",
    epilog="Exit codes: 0 measured, 1 a loss against the baseline, 2 an error.",
    short_help="Measure the search on questions with known answers.",
)
@click.argument("words", nargs=-1, metavar="QUESTIONS [PATH]")
@click.option(
    "--from-docs",
    is_flag=True,
    help="Make the questions from doc comments of PATH; takes no QUESTIONS.",
)
@click.option("-n", default=200, type=click.IntRange(min=1), help="How many, with --from-docs.")
@click.option("--seed", default=0, metavar="N", help="Of every random choice.")
@click.option(
    "--scope",
    metavar="SCOPE",
    multiple=True,
    help="A table for 'all', a path glob, or 'label:source'; several give several tables.",
)
@click.option(
    "--embedder",
    metavar="NAME",
    multiple=True,
    help="Measure this model; several stand side by side.",
)
@click.option("--chunker", metavar="NAME", help="How to cut: syntax or lines.")
@click.option("--lang", default="", metavar="CODE", help="Ask what stands under question_CODE.")
@click.option("--against", default="", metavar="COLUMN", help="Compare this column with the rest.")
@click.option("--json", "format", flag_value="json", help="Print one JSON object.")
@click.option("--markdown", "format", flag_value="markdown", help="Print Markdown.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write one page with heat map, curves and scatter too.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Compare with an earlier --json; a loss ends with code 1.",
)
@click.option(
    "--tolerance",
    default=0.02,
    type=click.FloatRange(0.0, 1.0),
    show_default=True,
    help="How far hit@k, MRR or nDCG@10 may fall.",
)
@place_options
def eval_(**asked: Unpack[Asked]) -> int:
    """
    Ask the questions of the file QUESTIONS about the folder PATH, in every way there is.

    Prints for grep, BM25, the embedder, bare rank fusion and fiuto at which rank the
    answer came, and how sure one can be of the difference.
    """
    before = read_baseline(asked["baseline"]) if asked["baseline"] else None
    html = asked["html"]
    if html is not None and not html.absolute().parent.is_dir():
        raise UsageError(f"{html} cannot be written: there is no folder {html.parent}")
    try:
        with progress_bar() as bar:
            run = _measured(asked, bar)
    except BadQuestions as error:
        for fault in error.faults:
            say(f"fiuto: {fault}")
        return _ERROR
    if html is not None:
        _write(html, page(run))
    if asked["format"] == "json":
        give_data(run_data(run))
    elif asked["format"] == "markdown":
        give(markdown(run))
    else:
        give(text(run, style_of(sys.stdout)))
    warn(run.warnings)
    return _FINE if before is None else _judged(run, before, asked["tolerance"])


def _measured(asked: Asked, progress: Progress | None) -> Run:
    questions, path = _arguments(asked["words"], asked["lang"], from_docs=asked["from_docs"])
    wanted = Wanted(
        embedders=asked["embedder"],
        chunker=asked["chunker"] or UNSET,
        profile=asked["profile"] or UNSET,
    )
    asking = Asking(_scopes(asked["scope"]), asked["seed"], asked["against"], progress)
    if questions is None:
        return measure_docs(path, asked["n"], wanted, asking)
    return measure(questions, path, wanted, asking, asked["lang"])


def _arguments(words: Sequence[str], lang: str, *, from_docs: bool) -> tuple[Path | None, str]:
    """The question file, None where questions come from doc comments, and the folder."""
    most = 1 if from_docs else 2
    if len(words) > most:
        raise click.UsageError(f"unexpected argument {words[most]!r}")
    if from_docs:
        if lang:
            raise click.UsageError("--lang needs a question file")
        return None, folder_of(words[0] if words else ".")
    if not words:
        raise click.UsageError("name a question file, or ask for --from-docs")
    return Path(folder_of(words[0])), folder_of(words[1] if len(words) > 1 else ".")


def _scopes(names: Sequence[str]) -> tuple[Scope, ...]:
    return tuple(parse_scope(name) for name in dict.fromkeys(names or DEFAULT_SCOPES))


def _write(path: Path, content: str) -> None:
    """The whole file or nothing."""
    folder = path.absolute().parent
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=folder, prefix=f".{path.name}.", delete=False
    ) as file:
        try:
            file.write(content)
            file.close()
            os.replace(file.name, path)  # noqa: PTH105 - a name, not a path
        except OSError:
            with suppress(OSError):
                os.unlink(file.name)  # noqa: PTH108
            raise


def _judged(run: Run, before: Baseline, tolerance: float) -> int:
    """Tell what changed since the baseline; the exit code."""
    found = compare(run, before, tolerance)
    for line in _told(found, tolerance):
        say(f"fiuto: {line}")
    return _LOSS if found.losses else _FINE


def _told(found: Comparison, tolerance: float) -> list[str]:
    lines = [f"note: {note}" for note in found.notes]
    lines += [f"moved: {line}" for line in found.moved]
    lines += [f"loss: {change}" for change in found.losses]
    if not found.losses:
        lines.append(f"no figure fell by more than {tolerance:g} against the baseline")
    return lines
