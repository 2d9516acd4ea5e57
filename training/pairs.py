"""
From the cleaned pairs to what training reads: numbers instead of texts, in one file.

``python -m training.pairs SET SENTENCES MINILM OUT`` keeps the pairs whose sentence has a vector,
chooses the words of the model and writes the bags of both sides.  SET holds ``train.jsonl.gz`` and
``dev.jsonl.gz``; the pairs of the second are marked and never learnt from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.bags import Bags, Cutter, Numbers, bag_all, choose_words, count_words
from training.distill import own_words
from training.teacher import Sentences, read_rows, tidy

__all__ = ["KINDS", "Pairs", "load", "prepare"]

KINDS = ("doc", "detail", "inline", "module", "prose", "example", "test", "test_body", "name")
LEAST, MOST = 3, 56_000
"""A word stands in three pieces of code at least; so many rows of 384 int8 are 22 MB."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Aligned arrays, one entry a pair."""

    words: list[str]
    """The vocabulary that the bags count in."""
    documents: Bags
    questions: Bags
    sentence: Numbers
    """Row of the sentence's vector in :class:`training.teacher.Sentences`."""
    repository: Numbers
    source: Numbers
    """The file a pair is from."""
    unit: Numbers
    """Equal where several sentences describe one piece of code."""
    kind: Numbers
    """Place in :data:`KINDS`."""
    dev: npt.NDArray[np.bool_]


def prepare(source: Path, sentences: Sentences, minilm: Path) -> Pairs:
    """Read the set and count."""
    texts: list[str] = []
    asked: list[str] = []
    told: list[tuple[str, str, str, str, bool]] = []
    for name in ("train", "dev"):
        for row in read_rows(source / f"{name}.jsonl.gz"):
            sentence = tidy(row["query"])
            if sentence in sentences.of:
                texts.append(f"{row['path']}\n{row['code']}")
                asked.append(sentence)
                unit = f"{row['repo']} {row.get('unit', len(texts))}"
                told.append((row["repo"], row["path"], unit, row["kind"], name == "dev"))
    print(f"{len(texts)} pairs", file=sys.stderr)
    words = choose_words(count_words(texts), own_words(minilm), LEAST, MOST)
    cutter = Cutter(words)
    repositories, paths, units, kinds, dev = zip(*told, strict=True)
    return Pairs(
        words=words,
        documents=bag_all(texts, cutter),
        questions=bag_all((f"\n{text}" for text in asked), cutter),
        sentence=np.array([sentences.of[text] for text in asked]),
        repository=_numbered(repositories),
        source=_numbered(
            [f"{repo} {path}" for repo, path in zip(repositories, paths, strict=True)]
        ),
        unit=_numbered(units),
        kind=np.array([KINDS.index(kind) for kind in kinds]),
        dev=np.array(dev),
    )


def _numbered(names: tuple[str, ...] | list[str]) -> Numbers:
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names])


def save(pairs: Pairs, path: Path) -> None:
    """One ``.npz``; the words as text."""
    arrays = dict(_arrays(pairs))
    np.savez(path, words=np.frombuffer(json.dumps(pairs.words).encode(), np.uint8), **arrays)


def _arrays(pairs: Pairs) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
    for field in fields(pairs):
        value = getattr(pairs, field.name)
        if isinstance(value, Bags):
            yield from ((f"{field.name}.{part}", getattr(value, part)) for part in Bags.__slots__)
        elif field.name != "words":
            yield field.name, value


def load(path: Path) -> Pairs:
    """What :func:`save` wrote."""
    with np.load(path) as arrays:
        values = {
            name: Bags(*(arrays[f"{name}.{part}"] for part in Bags.__slots__))
            for name in ("documents", "questions")
        }
        plain = {field.name for field in fields(Pairs)} - {"words", *values}
        return Pairs(
            words=json.loads(bytes(arrays["words"])),
            **values,
            **{name: arrays[name] for name in plain},
        )


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    for name in ("set", "sentences", "minilm", "out"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    save(prepare(options.set, Sentences(options.sentences), options.minilm), options.out)


if __name__ == "__main__":
    main()
