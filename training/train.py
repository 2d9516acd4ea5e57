"""
Trains the document side: static word vectors that land where the teacher puts the sentence.

``python -m training.train PAIRS SENTENCES MINILM OUT`` learns and writes ``OUT``; it saves its
state as it goes and takes it up again.  Everything is drawn from one seed.  The questions are not
trained: what moves are the vectors and the weights of the words.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from training.bags import Bags, Numbers
from training.learn import QUESTION, Floats, Table, contrast
from training.pairs import KINDS, Pairs, load
from training.teacher import Sentences, Teacher

__all__ = ["Model", "Recipe", "Trainer", "start_table"]

ALIKE = 0.95
"""Cosine of two sentences from which on they count as one: neither is the other's negative."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All choices of a run."""

    epochs: float = 3.0
    batch: int = 1024
    group: int = 32
    """Pairs of one repository that stand together in a batch: its hard negatives."""
    temperature: float = 0.05
    rate: float = 2e-3
    weight_rate: float = 1e-2
    rare: float = 3e-4
    """``a`` of the weights a / (a + p(word)) that training starts from (Arora et al., 2017)."""
    neighbours: float = 0.3
    """Share of the documents that get the code of another pair of the same file, as chunks do."""
    siblings: float = 0.5
    """Share of the documents that get the words of another sentence about the same code, as code
    has a name and a comment at once."""
    words_loss: float = 0.3
    """Weight of a second loss, for questions that are sums of word vectors."""
    words_share: float = 0.0
    """How much of that sum is added to a question while training."""
    kinds: tuple[float, ...] = (1.0,) * 9
    """Share of the pairs of each kind that an epoch draws."""
    most: int | None = None
    """Pairs at most, for trials."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt."""

    words: list[str]
    vectors: Floats
    weights: Floats
    recipe: Recipe

    def save(self, path: Path) -> None:
        """As a pickle of plain values."""
        values = (self.words, self.vectors, self.weights, asdict(self.recipe))
        path.write_bytes(pickle.dumps(values, protocol=5))

    @classmethod
    def load(cls, path: Path) -> Model:
        words, vectors, weights, recipe = pickle.loads(path.read_bytes())  # our own file
        return cls(words, vectors, weights, Recipe(**recipe))


def start_table(pairs: Pairs, vectors: Floats, rare: float) -> Table:
    """The teacher's vectors of single words, weighted by how rare each is in the documents."""
    counts = np.bincount(pairs.documents.words, minlength=len(pairs.words))
    chance = np.maximum(counts, 1) / counts.sum()
    weights = np.log(rare / (rare + chance))
    return Table(vectors.copy(), np.stack([weights] * 3, 1))


@dataclass(frozen=True, slots=True)
class Order:
    """Pairs sorted by something, and the place of each."""

    rows: Numbers
    places: Numbers

    @classmethod
    def by(cls, keys: Numbers) -> Order:
        rows = np.argsort(keys, kind="stable")
        return cls(rows, np.argsort(rows, kind="stable"))


class Trainer:
    """One run over prepared pairs."""

    def __init__(self, pairs: Pairs, sentences: Floats, table: Table, recipe: Recipe) -> None:
        self.pairs, self.sentences, self.table, self.recipe = pairs, sentences, table, recipe
        self._random = np.random.default_rng(recipe.seed)
        self._by_file, self._by_unit = Order.by(pairs.source), Order.by(pairs.unit)
        full = np.diff(pairs.documents.starts) > 0
        self._rows = np.flatnonzero(full & ~pairs.dev & (np.array(recipe.kinds)[pairs.kind] > 0))
        if recipe.most is not None:
            self._rows = self._random.permutation(self._rows)[: recipe.most]
        drawn = np.array(recipe.kinds)[pairs.kind[self._rows]].sum()
        self.steps = int(recipe.epochs * drawn / recipe.batch)
        self.pairs_used = len(self._rows)

    def run(self, done: int = 0) -> Iterator[tuple[int, float]]:
        """Steps from ``done`` on, each with its loss; batches do not depend on what was done."""
        for step, rows in enumerate(self._batches()):
            if step >= self.steps:
                return
            if step < done:
                continue
            fraction = step / self.steps
            pace = min(1.0, (step + 1) / 20) * (1 - 0.9 * fraction)
            yield step + 1, self._step(step, rows, pace)

    def _batches(self) -> Iterator[Numbers]:
        """Endless; each epoch draws by kind, and shuffles groups of one repository."""
        recipe, group = self.recipe, self.recipe.group
        share = np.array(recipe.kinds)[self.pairs.kind[self._rows]]
        while True:
            rows = self._random.permutation(self._rows[self._random.random(len(share)) < share])
            if group > 1:
                rows = rows[np.argsort(self.pairs.repository[rows], kind="stable")]
                shift = int(self._random.integers(group))
                rows = np.roll(rows, shift)[: len(rows) // group * group].reshape(-1, group)
                rows = self._random.permutation(rows).ravel()
            for start in range(0, len(rows) - recipe.batch + 1, recipe.batch):
                yield rows[start : start + recipe.batch]

    def _step(self, step: int, rows: Numbers, pace: float) -> float:
        recipe, pairs = self.recipe, self.pairs
        documents = self.table.begin(self._documents(step, rows))
        found = functional.normalize(documents.sums, dim=1)
        asked = torch.from_numpy(self.sentences[pairs.sentence[rows]].astype(np.float32))
        same = self._same(rows, asked)
        words = None
        if recipe.words_loss or recipe.words_share:
            words = self.table.begin(pairs.questions.take(rows), QUESTION)
            spelt = functional.normalize(words.sums, dim=1)
            if recipe.words_share:
                asked = functional.normalize(asked + recipe.words_share * spelt, dim=1)
        loss = contrast(asked, found, same, recipe.temperature)
        if words is not None and recipe.words_loss:
            loss = loss + recipe.words_loss * contrast(spelt, found, same, recipe.temperature)
        loss.backward()
        for batch in (documents, words):
            if batch is not None:
                self.table.learn(batch, recipe.rate * pace, recipe.weight_rate * pace)
        return loss.item()

    def _documents(self, step: int, rows: Numbers) -> Bags:
        pairs, recipe = self.pairs, self.recipe
        bags = pairs.documents.take(rows)
        # Drawn per step, so that a run that was taken up again draws the same.
        random = np.random.default_rng((recipe.seed, step))
        if recipe.neighbours:
            others = self._near(self._by_file, rows, random.choice([-2, -1, 1, 2], len(rows)))
            which = pairs.source[others] == pairs.source[rows]
            which &= pairs.unit[others] != pairs.unit[rows]
            which &= random.random(len(rows)) < recipe.neighbours
            bags = bags.with_code_of(pairs.documents.take(others), which)
        if recipe.siblings:
            others = self._near(self._by_unit, rows, random.choice([-2, -1, 1, 2], len(rows)))
            which = (pairs.unit[others] == pairs.unit[rows]) & (others != rows)
            which &= random.random(len(rows)) < recipe.siblings
            bags = bags.with_code_of(pairs.questions.take(others), which)
        return bags

    @staticmethod
    def _near(order: Order, rows: Numbers, away: Numbers) -> Numbers:
        """The rows that stand so far away in an order."""
        return order.rows[np.clip(order.places[rows] + away, 0, len(order.rows) - 1)]

    def _same(self, rows: Numbers, asked: torch.Tensor) -> torch.Tensor:
        """Which pairs of a batch must not be told apart, but for each with itself."""
        units = torch.from_numpy(self.pairs.unit[rows])
        same = (units[:, None] == units) | (asked @ asked.T > ALIKE)
        return same.fill_diagonal_(False)


def dev_rank(pairs: Pairs, sentences: Floats, table: Table, most: int = 400) -> float:
    """
    Mean reciprocal rank over the repositories held back, each sentence against all the code of
    its repository; every repository counts the same.
    """
    means = []
    for repository in np.unique(pairs.repository[pairs.dev]):
        rows = np.flatnonzero(
            (pairs.repository == repository) & (pairs.kind < KINDS.index("test_body"))
        )
        if len(rows) < 50:
            continue
        documents = table.rows(pairs.documents.take(rows))
        asked = np.random.default_rng(0).permutation(len(rows))[:most]
        scores = sentences[pairs.sentence[rows[asked]]].astype(np.float32) @ documents.T
        own = scores[np.arange(len(asked)), asked]
        means.append((1 / (1 + (scores > own[:, None]).sum(1))).mean())
    return float(np.mean(means))


def main() -> None:
    """Train with the recipe that is shipped."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    for name in ("pairs", "sentences", "minilm", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pairs, recipe = load(options.pairs), Recipe()
    table = start_table(pairs, Teacher(options.minilm).words(pairs.words), recipe.rare)
    trainer = Trainer(pairs, Sentences(options.sentences).rows, table, recipe)
    state = options.out.with_suffix(".state")
    done = 0
    if state.exists():
        done, table.vectors, table.weights, table.adams = pickle.loads(state.read_bytes())
    started, mean = time.monotonic(), 0.0
    for step, loss in trainer.run(done):
        mean = loss if not mean else 0.98 * mean + 0.02 * loss
        if step % 100 == 0:
            pace = (time.monotonic() - started) / (step - done)
            print(
                f"{step}/{trainer.steps} loss {mean:.3f} {pace:.2f} s", file=sys.stderr, flush=True
            )
            values = (step, table.vectors, table.weights, table.adams)
            partial = state.with_suffix(".partial")
            partial.write_bytes(pickle.dumps(values, protocol=5))
            partial.rename(state)
    Model(pairs.words, table.vectors, table.weights, recipe).save(options.out)
    print(f"dev MRR {dev_rank(pairs, trainer.sentences, table):.3f}", file=sys.stderr)


if __name__ == "__main__":
    main()
