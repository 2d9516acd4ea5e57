"""
The benchmark in numbers: texts and questions as bags of one vocabulary, ready for any model of it.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from training.bags import Bags, Cutter, bag_all
from training.judge import Bench, Figures, judge_scores, load
from training.learn import QUESTION, Floats, Table
from training.teacher import Teacher

__all__ = ["SHARES", "Exam", "papers"]

SHARES = (0.0, 0.3, 0.6, 1.0)
"""How much of a question's words is added to what the teacher makes of it."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One repository's texts and questions in the numbering of a vocabulary."""

    bench: Bench
    documents: Bags
    questions: Bags
    read: Floats
    """The teacher's vectors of the questions."""


class Exam:
    """The benchmark, ready for any model of one vocabulary."""

    def __init__(self, benches: Sequence[Bench], words: list[str], teacher: Teacher) -> None:
        cutter = Cutter(words)
        self._papers = []
        for bench in benches:
            asked = [question.text for question in bench.questions]
            read = np.concatenate([teacher.embed([ids]) for ids in teacher.tokens(asked)])
            questions = bag_all((f"\n{text}" for text in asked), cutter)
            self._papers.append(Paper(bench, bag_all(bench.texts, cutter), questions, read))

    def sit(self, table: Table, shares: Sequence[float] = SHARES) -> dict[str, Figures]:
        """Figures by how questions were read."""
        found = {f"share {share}": Figures() for share in shares} | {"words alone": Figures()}
        for paper in self._papers:
            documents = table.rows(paper.documents)
            words = table.rows(paper.questions, QUESTION)
            for share in shares:
                asked = paper.read + share * words
                judge_scores(paper.bench, asked @ documents.T, found[f"share {share}"])
            judge_scores(paper.bench, words @ documents.T, found["words alone"])
        return found


def papers(benches: Path, words: list[str], minilm: Path) -> Exam:
    """The exam for a vocabulary, kept beside the benches."""
    digest = hashlib.blake2b("\n".join(words).encode(), digest_size=6).hexdigest()
    kept = benches.with_name(f"exam-{digest}.pkl")
    if not kept.exists():
        exam = Exam(load(benches), words, Teacher(minilm, torch.float32))
        kept.write_bytes(pickle.dumps(exam, protocol=5))
    exam = pickle.loads(kept.read_bytes())  # our own file
    assert isinstance(exam, Exam)
    return exam
