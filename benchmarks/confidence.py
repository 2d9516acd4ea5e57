"""
Learns what an answer looks like, and what the lack of one does.

``python -m benchmarks.confidence --repos JSON --annotations DIR --questions DIR --checkouts DIR
--home DIR``

Every question is judged three times: as it is; with the files of its answer hidden; and asked
of another repository.  A logistic regression for each kind of question, cross-validated by
repository, tells the first from the others.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import fiuto
from benchmarks.command import Case
from benchmarks.learning import cases, parser
from benchmarks.questions import Question
from fiuto.model import Query
from fiuto.search.asked import KINDS, Kind, parse
from fiuto.search.confidence import EVIDENCE, HIGH, NONE, evidence, logistic
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
    """``answered`` where one of the first five hits is a target, else ``not found``, ``hidden``
    where they were taken away, ``elsewhere`` where they are of another repository."""
    figures: tuple[float, ...]


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
                    seen = Pool(asked, left, pool.scores, pool.near)
                ranked = rank(query, seen, lists.fused, signals=True)
                best = [(r.stored.path, r.stored.chunk.start, r.stored.chunk.end) for r in ranked]
                found = not hidden and any(t.rank(best[:5]) for t in question.targets)
                there = "answered" if found else "not found"
                way = there if not hidden else "hidden" if own else "elsewhere"
                out.append(Judged(case.repository, asked.kind, way, evidence(seen, ranked)))
    return out


def fit(judged: Sequence[Judged]) -> np.ndarray:
    """The constant and the weights that tell answered questions from the others."""
    x = np.array([[1.0, *one.figures] for one in judged])
    y = np.array([one.way == "answered" for one in judged], float)
    weight = np.where(y > 0, 0.5 / y.mean(), 0.5 / (1 - y.mean()))

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        p = 1 / (1 + np.exp(-x @ w))
        value = -(weight * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))).mean()
        penalty = 1e-3 * (w[1:] @ w[1:])
        slope = x.T @ (weight * (p - y)) / len(y)
        slope[1:] += 2e-3 * w[1:]
        return value + penalty, slope

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    given = parser(__doc__.split("\n", 2)[1]).parse_args(arguments)
    every_case = cases(given)
    every = [question for _, case, _ in every_case for question in case.questions]
    random = np.random.default_rng(0)
    judged: list[Judged] = []
    for _, case, place in every_case:
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
                rows[kind][one.way].append(logistic(weights, one.figures))
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
