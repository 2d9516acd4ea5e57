"""
Judges a model by its vectors alone: no keywords, no signals, no fusion.

``python -m training.judge cut`` scans and cuts the benchmark's repositories once, because that
takes longer than all the judging of an afternoon; :func:`judge` then takes seconds per model.

Three sets, of which none may be learnt from: the public one (file level, nDCG@10, everything below
``benchmark_root``), the article's ten questions and grep-proof, these two over source files only.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmarks.questions import Place, Question, Target, load_annotations, load_grep_proof
from benchmarks.repositories import load_repositories

from fiuto.chunk.syntax import SyntaxChunker
from fiuto.evaluation.metrics import Estimate, bootstrap, hit, ndcg, reciprocal_rank
from fiuto.model import Skipped
from fiuto.scan import FileScanner

__all__ = ["Bench", "Figures", "Side", "judge", "judge_scores", "load"]

ARTICLE: tuple[tuple[str, str], ...] = (
    ("don't send the password to another site after a redirect", "should_strip_auth"),
    ("why a POST turns into a GET after a redirect", "rebuild_method"),
    ("stop following redirects that go in circles", "resolve_redirects"),
    ("move the upload back to the start so that it can be sent again", "rewind_body"),
    ("how big is the body that we are about to send", "super_len"),
    ("skip the proxy for machines on the local network", "should_bypass_proxies"),
    ("make sure a file is never left half-written if the process dies", "atomic_open"),
    ("tell UTF-16 from UTF-32 by looking at the first bytes of the JSON", "guess_json_utf"),
    ("read saved logins from a file in the home folder", "get_netrc_auth"),
    ("answer the server's 401 with a hashed password", "handle_401"),
)
"""The article's questions about psf/requests v2.32.3, each with the function that answers it."""

Side = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Texts to rows of unit length."""


@dataclass(frozen=True, slots=True)
class Bench:
    """One repository, cut, with the questions about it."""

    kind: str
    name: str
    texts: list[str]
    """What an embedder is given: path, newline, chunk."""
    places: list[tuple[str, int, int]]
    source: npt.NDArray[np.bool_]
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Figures:
    """One value a question, by measure."""

    values: dict[str, list[float]] = field(default_factory=dict)

    def add(self, measure: str, value: float) -> None:
        self.values.setdefault(measure, []).append(value)

    def estimate(self, measure: str) -> Estimate:
        """Mean and 95 % interval."""
        return bootstrap(self.values[measure], seed=1)

    def line(self) -> str:
        """Means, for a log."""
        return "  ".join(f"{name} {np.mean(values):.3f}" for name, values in self.values.items())


def judge(benches: Sequence[Bench], document: Side, query: Side) -> Figures:
    """All three sets, in the order of ``benches``."""
    figures = Figures()
    for bench in benches:
        documents = document(bench.texts)
        asked = query([question.text for question in bench.questions])
        judge_scores(bench, asked @ documents.T, figures)
    return figures


def judge_scores(bench: Bench, scores: npt.NDArray[np.float32], figures: Figures) -> None:
    """Add the figures of one bench, given (questions, chunks)."""
    for question, row in zip(bench.questions, scores, strict=True):
        if bench.kind == "public":
            figures.add("public nDCG@10", _file_ndcg(bench, question.targets, row))
            continue
        rank = _rank(bench, question.targets[0], np.where(bench.source, row, -np.inf))
        for k in (5, 10):
            figures.add(f"{bench.kind} hit@{k}", hit(rank, k))
        figures.add(f"{bench.kind} MRR", reciprocal_rank(rank))


def _file_ndcg(bench: Bench, targets: Sequence[Target], scores: npt.NDArray[np.float32]) -> float:
    order = np.argsort(-scores, kind="stable")
    files = list(dict.fromkeys(bench.places[i][0] for i in order))
    ranks: list[int | None] = []
    for target in targets:
        wanted = {place.path for place in target.places}
        ranks.append(next((n for n, path in enumerate(files, 1) if path in wanted), None))
    return ndcg(ranks)


def _rank(bench: Bench, target: Target, scores: npt.NDArray[np.float32]) -> int | None:
    order = np.argsort(-scores, kind="stable")[: np.isfinite(scores).sum()]
    return target.rank([bench.places[i] for i in order])


def cut(root: Path, name: str, kind: str, questions: Sequence[Question]) -> Bench:
    """Scan and cut one folder as ``fiuto index`` does."""
    scanner, chunker = FileScanner(root), SyntaxChunker()
    texts: list[str] = []
    places: list[tuple[str, int, int]] = []
    source: list[bool] = []
    for found in scanner.walk():
        file = found if isinstance(found, Skipped) else scanner.read(found)
        if isinstance(file, Skipped):
            continue
        for chunk in chunker.chunk(file.path, file.text, file.language):
            texts.append(f"{file.path}\n{chunk.text}")
            places.append((file.path, chunk.start, chunk.end))
            source.append(file.label == "source")
    return Bench(kind, name, texts, places, np.array(source), list(questions))


def article_questions(requests: Path) -> Iterator[Question]:
    """The article's questions; a definition is where a file of ``src/`` has the name after def."""
    files = sorted(requests.glob("src/**/*.py"))
    for text, symbol in ARTICLE:
        places = [
            Place(str(file.relative_to(requests)), number, number)
            for file in files
            for number, line in enumerate(file.read_text("utf-8").split("\n"), 1)
            if line.strip().startswith(f"def {symbol}(")
        ]
        yield Question("requests", text, "article", "python", (Target(tuple(places)),))


def cut_all(benchmark: Path, checkouts: Path, requests: Path) -> Iterator[Bench]:
    """Every repository of the three sets."""
    yield cut(requests, "requests", "article", list(article_questions(requests)))
    repositories = load_repositories(benchmark / "repos.json")
    for repository in repositories.values():
        checkout = checkouts / repository.name
        file = benchmark / "annotations" / f"{repository.name}.json"
        questions, _ = load_annotations(file, repository, checkout)
        yield cut(checkout / repository.root, repository.name, "public", questions)
    for file in sorted((benchmark / "grep_proof").glob("*.json")):
        questions = load_grep_proof(file, file.stem, checkouts / file.stem)
        yield cut(checkouts / file.stem, file.stem, "grep_proof", questions)


def load(path: Path) -> list[Bench]:
    """What ``cut`` wrote."""
    with path.open("rb") as stream:
        return [Bench(*fields) for fields in pickle.load(stream)]  # our own file


def main() -> None:
    """Cut the benchmark once."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    parser.add_argument("step", choices=["cut"])
    parser.add_argument("--benchmark", type=Path, required=True)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--requests", type=Path, required=True, help="psf/requests at v2.32.3")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    benches = []
    for bench in cut_all(options.benchmark, options.checkouts, options.requests):
        print(bench.kind, bench.name, len(bench.texts), int(bench.source.sum()), file=sys.stderr)
        benches.append(tuple(getattr(bench, name) for name in Bench.__slots__))
    with options.out.open("wb") as stream:
        pickle.dump(benches, stream)


if __name__ == "__main__":
    main()
