"""
Learns how much each signal counts, for each kind of question, and writes the table.

``python -m benchmarks.learn --repos JSON --annotations DIR --questions DIR --checkouts DIR``

Names and phrases are learnt from the public set, whose answers are files; whole questions
from the grep-proof set (whose answers are lines) and those of the public set.  A softmax
over the candidates makes the answer likely; a penalty holds the weights down.  Judged by
cross-validation over repositories: none is ranked by weights that saw it.

``--write`` puts the weights of all repositories together into ``search/weights.py``;
``--worth`` leaves each signal out in turn and learns the others anew.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

import fiuto
from benchmarks.command import Case
from benchmarks.learning import PUBLIC, cases, parser
from benchmarks.questions import Question
from benchmarks.running import Answer
from benchmarks.summary import each
from fiuto.search.asked import Kind, parse
from fiuto.search.fuse import K
from fiuto.search.rank import MOST_REPEATS
from fiuto.search.retrieve import FUSED
from fiuto.search.signals import SIGNALS
from fiuto.search.weights import REPEAT, WEIGHTS

__all__ = ["main"]

NAMES = (*FUSED, *SIGNALS)
SIGNS_KEPT = {"frame", "wanted", "quoted", "passed_on", "example", "generated", "vendored"}
"""Rules hardly a benchmark question needs: their weights are set by hand and kept."""
FAMILIES: Mapping[str, tuple[Kind, ...]] = {
    "name": ("name",), "phrase": ("phrase", "how"), "sentence": ("sentence",),
}  # fmt: skip
"""Kinds learnt together, with the same signals: each after the first by how it departs from it."""
APART = 0.25
"""Of a value that also counts for the kind alone: the smaller, the dearer it is to depart."""
FREE = {
    "size", "depth", "first", "nameless", "short", "header", "test", "docs", "config",
}  # fmt: skip
"""What a place is, for better or worse; everything else is evidence and never counts against."""
STRENGTH = {"name": 2e-3, "phrase": 3e-4, "sentence": 8e-3}
"""Of the penalty on squared weights; a fifth as many questions need a stronger one."""
KEPT = 120
"""Candidates learnt from for each question: the best by an even mix, and every answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its candidates."""

    set: str
    repository: str
    question: Question
    kind: str
    paths: list[str]
    starts: np.ndarray
    values: np.ndarray
    """Candidates × names, float32."""
    answers: list[np.ndarray]
    """For each target, the candidates that meet it."""


def gather(case: Case, name: str, place: Path) -> list[Asked]:
    """Ask every question of ``case`` with all weights 1, so that parts are values."""
    out = []
    with fiuto.open(case.root, home=place) as index:
        index.refresh()
        for question in case.questions:
            hits = index.search(
                question.text, k=100_000, mode="hybrid", weights=dict.fromkeys(NAMES, 1.0),
                refresh=False, verify=False,
            )  # fmt: skip
            values = np.array(
                [[hit.parts.get(n, 0.0) * (K + 1) for n in NAMES] for hit in hits], np.float32
            )
            places = [(hit.path, hit.start, hit.end) for hit in hits]
            answers = [
                np.array([any(p.meets(*place) for p in target.places) for place in places])
                for target in question.targets
            ]
            out.append(
                Asked(
                    name, case.repository, question, parse(question.text).kind,
                    [hit.path for hit in hits], np.array([hit.start for hit in hits]), values,
                    answers,
                )
            )  # fmt: skip
    return out


class Problem:
    """The questions of a family as arrays, for the optimiser."""

    def __init__(
        self, asked: Sequence[Asked], columns: Sequence[int], others: Sequence[Kind]
    ) -> None:
        values, groups, owners, likely = [], [], [], []
        count = 0
        usable = [a for a in asked if any(m.any() for m in a.answers)]
        for nth, one in enumerate(usable):
            keep, group, answer = _units(one)
            own = one.values[np.ix_(keep, columns)]
            values.append(np.hstack([own, *(APART * (one.kind == k) * own for k in others)]))
            groups.append(group + count)
            owners.append(np.full(len(answer), nth))
            likely.append(answer)
            count += len(answer)
        self.values = np.concatenate(values).astype(np.float64)
        self.group, self.owner = np.concatenate(groups), np.concatenate(owners)
        self.answer, self.size = np.concatenate(likely), len(usable)

    def loss(self, w: np.ndarray, l2: float) -> tuple[float, np.ndarray]:
        """Mean negative log likelihood of the answers, and its gradient."""
        scores = self.values @ w
        order = np.lexsort((-scores, self.group))
        _, first = np.unique(self.group[order], return_index=True)
        best = order[first]  # each group is as good as its best candidate
        unit = scores[best]
        top = np.full(self.size, -np.inf)
        np.maximum.at(top, self.owner, unit)
        power = np.exp(unit - top[self.owner])
        total = np.bincount(self.owner, power, self.size)
        p = power / total[self.owner]
        weighted = p * self.answer
        hit = np.bincount(self.owner, weighted, self.size)
        value = -np.log(hit + 1e-12).mean() + l2 * (w @ w)
        slope = (p - weighted / (hit + 1e-12)[self.owner]) / self.size
        return value, self.values[best].T @ slope + 2 * l2 * w


def _units(one: Asked) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Candidates kept, the unit each belongs to (a file, or itself), which units answer."""
    met = np.logical_or.reduce(one.answers)
    even = one.values[:, : len(FUSED)].sum(1) + one.values[:, len(FUSED) :].mean(1)
    keep = np.zeros(len(met), bool)
    keep[np.argsort(-even)[:KEPT]] = True
    paths = np.array(one.paths)
    if one.set == PUBLIC:
        keep |= np.isin(paths, paths[met])
        kept = np.flatnonzero(keep)
        units, group = np.unique(paths[kept], return_inverse=True)
        answer = np.isin(units, paths[met])
    else:
        kept = np.flatnonzero(keep | met)
        group, answer = np.arange(len(kept)), met[kept]
    return kept, group, answer.astype(float)


def fit(asked: Sequence[Asked], family: str, names: Sequence[str]) -> dict[Kind, np.ndarray]:
    """The weights of ``names`` for each kind of ``family``, those set by hand, and 0 elsewhere."""
    first, *others = FAMILIES[family]
    mine = [one for one in asked if one.kind in FAMILIES[family]]
    columns = [NAMES.index(name) for name in names]
    problem = Problem(mine, columns, others)
    bounds = [(None if name in FREE else 0, None) for name in names]
    found = minimize(
        problem.loss, np.zeros(problem.values.shape[1]), (STRENGTH[family],), jac=True,
        method="L-BFGS-B", bounds=bounds + [(None, None)] * (len(names) * len(others)),
        options={"maxiter": 120},
    )  # fmt: skip
    base, *parts = found.x.reshape(-1, len(names))
    least = np.array([-np.inf if name in FREE else 0 for name in names])
    out: dict[Kind, np.ndarray] = {}
    for kind, part in zip((first, *others), (np.zeros(len(names)), *parts), strict=True):
        out[kind] = np.array([WEIGHTS[kind].get(n, 0.0) * (n in SIGNS_KEPT) for n in NAMES])
        out[kind][columns] = np.maximum(base + APART * part, least)
    return out


def ranks(one: Asked, weights: np.ndarray, price: float) -> list[int | None]:
    """The place of each target, as ``search`` would order the candidates."""
    scores = one.values @ weights
    seen: dict[str, int] = defaultdict(int)
    paid = scores.copy()
    for i in np.lexsort((one.starts, np.array(one.paths), -scores)):
        paid[i] -= price * min(seen[one.paths[i]], MOST_REPEATS)
        seen[one.paths[i]] += 1
    place = np.empty(len(paid), int)
    place[np.lexsort((one.starts, np.array(one.paths), -paid))] = np.arange(1, len(paid) + 1)
    return [int(place[met].min()) if met.any() else None for met in one.answers]


def figures(asked: Sequence[Asked], scored: Mapping[int, np.ndarray]) -> dict[str, float]:
    """nDCG@10 of the public set by category, hit@5 and MRR of the grep-proof set."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in asked:
        place = ranks(one, scored[id(one)], REPEAT[one.kind])
        value = each(Answer(one.question, tuple(place), 0.0))
        if one.set == PUBLIC:
            found["ndcg@10"].append(value["ndcg@10"])
            found[f"ndcg@10 {one.question.category}"].append(value["ndcg@10"])
        else:
            for name in ("hit@5", "hit@10", "mrr"):
                found[name].append(value[name])
    return {name: round(float(np.mean(values)), 4) for name, values in found.items()}


def validate(
    asked: Sequence[Asked], names: Mapping[str, Sequence[str]], seed: int = 0, folds: int = 6
) -> dict[str, float]:
    """The figures where no repository is ranked by weights that saw it."""
    repositories = sorted({one.repository for one in asked})
    np.random.default_rng(seed).shuffle(repositories)
    scored: dict[int, np.ndarray] = {}
    for n in range(folds):
        held = set(repositories[n::folds])
        train = [one for one in asked if one.repository not in held]
        for family, kinds in FAMILIES.items():
            tests = [one for one in asked if one.repository in held and one.kind in kinds]
            if tests:
                weights = fit(train, family, names[family])
                scored.update((id(one), weights[one.kind]) for one in tests)
    return figures(asked, scored)


def _mean(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(float(np.mean([run[name] for run in runs])), 4) for name in runs[0]}


def _names() -> dict[str, list[str]]:
    """The signals that the present table uses for each family."""
    return {
        family: [n for n in NAMES if any(n in WEIGHTS[k] for k in kinds) and n not in SIGNS_KEPT]
        for family, kinds in FAMILIES.items()
    }


def select(
    asked: Sequence[Asked], family: str, start: Sequence[str], seeds: Sequence[int]
) -> list[str]:
    """Drop signals one by one as long as the figures do not fall without them."""
    mine = [one for one in asked if one.kind in FAMILIES[family]]

    def value(names: Sequence[str]) -> float:
        runs = [validate(mine, {family: names}, seed) for seed in seeds]
        return float(np.mean([_headline(run) for run in runs]))

    names, best = list(start), value(start)
    for name in list(start):
        if name in FUSED:
            continue
        without = [n for n in names if n != name]
        now = value(without)
        if now >= best - 1e-4:
            names, best = without, max(best, now)
            print(f"{family}: {name} is worth nothing ({best:.4f} without)", file=sys.stderr)
    return names


def _headline(run: Mapping[str, float]) -> float:
    public = run.get("ndcg@10")
    proof = (run["mrr"] + run["hit@5"]) / 2 if "mrr" in run else None
    parts = [value for value in (public, proof) if value is not None]
    return sum(parts) / len(parts)


def table(weights: Mapping[str, Mapping[str, float]]) -> str:
    """``search/weights.py`` with these weights."""
    path = Path(fiuto.__file__).parent / "search" / "weights.py"
    head, _, _ = path.read_text("utf-8").partition("WEIGHTS: ")
    lines = []
    for kind in weights:
        lines.append(f'        "{kind}": {{')
        lines += [f'            "{n}": {weights[kind][n]:.2f},' for n in weights[kind]]
        lines.append("        },")
    body = "\n".join(lines)
    return (
        f"{head}WEIGHTS: Mapping[Kind, Mapping[str, float]] = MappingProxyType(\n    {{\n{body}\n"
        '    }\n)\n"""By kind of question and name; written by ``benchmarks/learn.py``."""\n'
    )


def learn(
    asked: Sequence[Asked], names: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """The table from every repository."""
    out = {}
    for family in FAMILIES:
        for kind, weights in fit(asked, family, names[family]).items():
            every = {n: round(float(w), 2) for n, w in zip(NAMES, weights, strict=True)}
            out[kind] = {n: w for n, w in every.items() if w}
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    options = parser(__doc__.split("\n", 2)[1])
    options.add_argument("--select", action="store_true", help="start from every signal")
    options.add_argument("--worth", action="store_true", help="leave out each in turn")
    options.add_argument("--write", action="store_true", help="write search/weights.py")
    options.add_argument("--seeds", type=int, default=3)
    given = options.parse_args(arguments)
    asked: list[Asked] = []
    for name, case, place in cases(given):
        asked += gather(case, name, place)
    seeds = range(given.seeds)
    names = _names()
    if given.select:
        every = [n for n in NAMES if n not in SIGNS_KEPT]
        names = {family: select(asked, family, every, seeds) for family in FAMILIES}
    report: dict[str, Any] = {"signals": names}
    report["cross-validated"] = _mean([validate(asked, names, seed) for seed in seeds])
    print(json.dumps(report, indent=1))
    if given.worth:
        report["worth"] = _worth(asked, names, seeds, report["cross-validated"])
    if given.write:
        path = Path(fiuto.__file__).parent / "search" / "weights.py"
        path.write_text(table(learn(asked, names)), "utf-8")
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return 0


def _worth(
    asked: Sequence[Asked],
    names: Mapping[str, Sequence[str]],
    seeds: Sequence[int],
    whole: Mapping[str, float],
) -> dict[str, dict[str, float]]:
    """What each figure loses without a signal, the others learnt anew."""
    out: dict[str, dict[str, float]] = {}
    for name in sorted({n for every in names.values() for n in every}):
        less = {family: [n for n in every if n != name] for family, every in names.items()}
        run = _mean([validate(asked, less, seed) for seed in seeds])
        out[name] = {figure: round(whole[figure] - run[figure], 4) for figure in whole}
        print(name, out[name], flush=True)
    return out


if __name__ == "__main__":
    sys.exit(main())
