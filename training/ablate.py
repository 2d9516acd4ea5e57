"""
Tries variations of the recipe, one at a time, and judges each by its vectors alone.

``python -m training.ablate PAIRS SENTENCES MINILM BENCHES RESULTS [NAME ...]`` appends one JSON
line a variation and passes over those that are there.  A model is judged with questions read by the
teacher alone (share 0), with shares of their words added, and by their words alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from training.exam import Exam, papers
from training.learn import Floats
from training.pairs import Pairs
from training.pairs import load as load_pairs
from training.teacher import Sentences, Teacher
from training.train import Model, Recipe, Trainer, dev_rank, start_table

__all__ = ["VARIATIONS"]

BASE = Recipe(group=1, words_loss=0.0, neighbours=0.0, siblings=0.0)
CHOSEN = Recipe()
VARIATIONS: dict[str, Recipe] = {
    "base": BASE,
    "words loss 0.3": replace(BASE, words_loss=0.3),
    "neighbours 0.3": replace(BASE, neighbours=0.3),
    "group 32": replace(BASE, group=32),
    "with names": replace(BASE, kinds=(1.0,) * 9),
    "trained with words share 0.6": replace(BASE, words_share=0.6),
    "siblings 0.5": replace(BASE, siblings=0.5),
    "chosen": CHOSEN,
    "chosen, temperature 0.03": replace(CHOSEN, temperature=0.03),
    "chosen, temperature 0.08": replace(CHOSEN, temperature=0.08),
    "chosen, batch 2048": replace(CHOSEN, batch=2048),
    "chosen, 6 epochs": replace(CHOSEN, epochs=6),
    "chosen, rate 4e-3": replace(CHOSEN, rate=4e-3),
    "chosen, group 128": replace(CHOSEN, group=128),
    "chosen, siblings 0": replace(CHOSEN, siblings=0.0),
    "chosen, no names": replace(CHOSEN, kinds=(1.0,) * 7 + (0.0, 0.0)),
}
"""``base`` and one idea each; then ``chosen``, what is shipped, with one thing changed."""


def attempt(
    name: str,
    recipe: Recipe,
    pairs: Pairs,
    sentences: Floats,
    vectors: Floats,
    exam: Exam,
    keep: Path,
) -> dict[str, object]:
    """Train and judge one variation, and keep its model."""
    started, busy = time.monotonic(), time.process_time()
    table = start_table(pairs, vectors, recipe.rare)
    trainer = Trainer(pairs, sentences, table, recipe)
    loss = 0.0
    for step, now in trainer.run():
        loss = now if step == 1 else 0.98 * loss + 0.02 * now
        if step % 200 == 0:
            print(f"{name} {step}/{trainer.steps} loss {loss:.3f}", file=sys.stderr, flush=True)
    seconds, cpu = time.monotonic() - started, time.process_time() - busy
    Model(pairs.words, table.vectors, table.weights, recipe).save(keep)
    figures = {
        how: {measure: round(float(np.mean(values)), 4) for measure, values in found.values.items()}
        for how, found in exam.sit(table).items()
    }
    return {
        "name": name,
        "pairs": trainer.pairs_used,
        "steps": trainer.steps,
        "seconds": round(seconds),
        "cpu": round(cpu),
        "loss": round(loss, 3),
        "dev": round(dev_rank(pairs, sentences, table), 4),
        "figures": figures,
    }


def main() -> None:
    """Run the variations that have no line yet."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    for name in ("pairs", "sentences", "minilm", "benches", "results"):
        parser.add_argument(name, type=Path)
    parser.add_argument("names", nargs="*", default=list(VARIATIONS))
    parser.add_argument("--most", type=int, default=None, help="pairs at most")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pairs, sentences = load_pairs(options.pairs), Sentences(options.sentences).rows
    vectors = Teacher(options.minilm).words(pairs.words)
    exam = papers(options.benches, pairs.words, options.minilm)
    done = set()
    if options.results.exists():
        lines = options.results.read_text("utf-8").splitlines()
        done = {(row["name"], row["most"], row.get("file")) for row in map(json.loads, lines)}
    for name in options.names:
        if (name, options.most, options.pairs.name) in done:
            continue
        recipe = replace(VARIATIONS[name], most=options.most)
        keep = options.results.with_name(f"{name.replace(' ', '-')}.model")
        row = attempt(name, recipe, pairs, sentences, vectors, exam, keep)
        row |= {"most": options.most, "file": options.pairs.name}
        with options.results.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
        print(json.dumps(row, indent=1), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
