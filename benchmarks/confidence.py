"""
Learns what an answer looks like, and what the lack of one does.

``python -m benchmarks.confidence --repos JSON --annotations DIR --questions DIR --checkouts DIR
--home DIR``

Every question is judged three times: as it is; with the files of its answer hidden; and asked
of another repository.  A logistic regression for each kind of question, cross-validated by
repository, tells the first from the others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import fiuto
from benchmarks import grep_proof, quality
from benchmarks.command import Case
from benchmarks.questions import Question
from fiuto.model import Query
from fiuto.search.asked import KINDS, Kind, parse
from fiuto.search.confidence import EVIDENCE, HIGH, NONE, evidence
from fiuto.search.pool import Pool
from fiuto.search.profile import PROFILES
from fiuto.search.rank import rank
from fiuto.search.retrieve import Means
from fiuto.search.searcher import gather

__all__ = ["main"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One question as asked in one way."""

    repository: str
    kind: Kind
    way: str
    figures: tuple[float, ...]
    answered: bool
    """Whether one of the first five hits is a target."""


def ask(case: Case, strangers: Sequence[Question], place: Path) -> list[Judged]:
    """Every question of ``case`` as it is and without its answer, and those of others."""
    out = []
    with fiuto.open(case.root, home=place) as index:
        index.refresh()
        parts = index._upkeep.choose(may_rebuild=False)  # noqa: SLF001 - figures no user needs
        means = Means(parts.embedder, instant=True)
        reader = index._store.read()  # noqa: SLF001
        for question in [*case.questions, *strangers]:
            asked = parse(question.text)
            query = Query(question.text)
            pool, lists = gather(query, asked, reader, means, PROFILES["default"], signals=True)
            own = question.repository == case.repository
            targets = {p.path for t in question.targets for p in t.places} if own else set()
            for hidden in (False, True) if own else (True,):
                seen = pool
                if hidden and own:
                    left = [c for c in pool.chunks if c.path not in targets]
                    seen = Pool(asked, left, pool.scores, pool.cards)
                ranked = rank(query, seen, lists.fused, signals=True)
                best = [(r.stored.path, r.stored.chunk.start, r.stored.chunk.end) for r in ranked]
                found = not hidden and any(t.rank(best[:5]) for t in question.targets)
                way = "as it is" if not hidden else "hidden" if own else "elsewhere"
                out.append(Judged(case.repository, asked.kind, way, evidence(seen, ranked), found))
    return out


def fit(judged: Sequence[Judged]) -> np.ndarray:
    """The constant and the weights that tell answered questions from the others."""
    x = np.array([[1.0, *one.figures] for one in judged])
    y = np.array([one.answered for one in judged], float)
    weight = np.where(y > 0, 0.5 / y.mean(), 0.5 / (1 - y.mean()))

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        p = 1 / (1 + np.exp(-x @ w))
        value = -(weight * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))).mean()
        penalty = 1e-3 * (w[1:] @ w[1:])
        slope = x.T @ (weight * (p - y)) / len(y)
        slope[1:] += 2e-3 * w[1:]
        return value + penalty, slope

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x


def likely(weights: np.ndarray, one: Judged) -> float:
    """As :func:`fiuto.search.confidence.probability`."""
    return float(1 / (1 + np.exp(-weights @ np.array([1.0, *one.figures]))))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 2)[1])
    for name in ("--repos", "--annotations", "--questions", "--checkouts", "--home"):
        options.add_argument(name, type=Path, required=True)
    options.add_argument("--json", type=Path)
    given = options.parse_args(arguments)
    cases = [
        (case, given.home / "public" / case.repository)
        for case in quality.load_cases(given.repos, given.annotations, given.checkouts)[0]
    ] + [
        (case, given.home / "whole" / case.repository)
        for case in grep_proof.load_cases(given.questions, given.checkouts, "en")
    ]
    every = [question for case, _ in cases for question in case.questions]
    random = np.random.default_rng(0)
    judged: list[Judged] = []
    for case, place in cases:
        others = [q for q in every if q.repository != case.repository]
        some = [others[i] for i in random.choice(len(others), len(case.questions), replace=False)]
        judged += ask(case, some, place)
    repositories = sorted({one.repository for one in judged})
    random.shuffle(repositories)
    rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    model = {}
    for kind in KINDS:
        mine = [one for one in judged if one.kind == kind]
        model[kind] = [round(float(w), 2) for w in fit(mine)]
        for n in range(6):
            held = set(repositories[n::6])
            tests = [one for one in mine if one.repository in held]
            train = [one for one in mine if one.repository not in held]
            weights = fit(train) if tests else None
            for one in tests:
                way = (
                    "answered"
                    if one.answered
                    else "not found"
                    if one.way == "as it is"
                    else one.way
                )
                rows[kind][way].append(likely(weights, one))
    report = {
        "evidence": EVIDENCE,
        "model": model,
        "cross-validated": {
            kind: {
                way: {
                    "n": len(values),
                    "none": round(float(np.mean(np.array(values) < NONE)), 3),
                    "high": round(float(np.mean(np.array(values) >= HIGH)), 3),
                }
                for way, values in ways.items()
            }
            for kind, ways in rows.items()
        },
    }
    print(json.dumps(report, indent=1))
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
