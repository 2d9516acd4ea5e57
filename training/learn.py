"""
The document side while it learns: word vectors and word weights, and one step of their training.

A text's vector is ``sum over its words of exp(weight) * (1 + ln(count)) * vector``, at length 1.
Sums over bags are products with sparse matrices, done by scipy; the loss on top is small and
dense, and is left to torch's autograd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from scipy.sparse import csr_matrix
from torch.nn import functional
from training.bags import Bags, Numbers

__all__ = ["DOCUMENT", "QUESTION", "Adam", "Batch", "Floats", "Table", "contrast"]

Floats: TypeAlias = npt.NDArray[np.float32]


DOCUMENT, QUESTION = (0, 1), (2,)
"""Columns of the weights: of the code and the path of a document, of a question."""


class Adam:
    """
    Adam that moves only the rows that had a gradient.

    Kingma and Ba, 2015; rows are moved "lazily", since a batch holds few of all words.
    """

    BETAS = (0.9, 0.98)

    def __init__(self, values: Floats) -> None:
        self.first = np.zeros_like(values)
        self.second = np.zeros_like(values)
        self.steps = np.zeros(len(values), np.int32)

    def move(self, values: Floats, rows: Numbers, slope: Floats, rate: float) -> None:
        """One step against ``slope``, in place."""
        one, two = self.BETAS
        self.steps[rows] += 1
        steps = self.steps[rows].astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
        first = self.first[rows] * one + (1 - one) * slope
        second = self.second[rows] * two + (1 - two) * slope * slope
        self.first[rows], self.second[rows] = first, second
        spread = np.sqrt(second / (1 - two**steps)) + 1e-8
        values[rows] -= rate * (first / (1 - one**steps)) / spread


@dataclass(frozen=True, slots=True)
class Batch:
    """Some bags in the numbering of their own words."""

    used: Numbers
    columns: tuple[int, ...]
    parts: tuple[csr_matrix, ...]
    """One (texts, words) matrix a column of weights."""
    vectors: Floats
    sums: torch.Tensor
    """(texts, dimension), not normalised; gathers a gradient."""


class Table:
    """Vectors and weights of every word."""

    def __init__(self, vectors: Floats, weights: Floats) -> None:
        self.vectors = vectors.astype(np.float32)
        self.weights = weights.astype(np.float32)
        """(words, 3): logarithms, in code, in a path and in a question."""
        self.adams = [Adam(self.vectors), *(Adam(column) for column in self.weights.T)]

    def begin(self, bags: Bags, columns: tuple[int, ...] = DOCUMENT) -> Batch:
        """The sums of some texts, and what :meth:`learn` needs."""
        used, words = np.unique(bags.words, return_inverse=True)
        factors = np.exp(self.weights[used])
        parts = tuple(
            _counted(counts, words, bags.starts, factors[:, column])
            for column, counts in zip(columns, (bags.code, bags.path), strict=False)
        )
        vectors = self.vectors[used]
        sums = torch.from_numpy(sum(part @ vectors for part in parts))
        return Batch(used, columns, parts, vectors, sums.requires_grad_())

    def rows(self, bags: Bags, columns: tuple[int, ...] = DOCUMENT) -> Floats:
        """Unit rows."""
        sums = self.begin(bags, columns).sums.detach()
        found: Floats = functional.normalize(sums, dim=1).numpy()
        return found

    def learn(self, batch: Batch, rate: float, weight_rate: float) -> None:
        """One step of Adam for the words of a batch, after ``backward`` was called."""
        assert batch.sums.grad is not None
        slope = batch.sums.grad.numpy() * len(batch.sums)
        slopes = [part.T.tocsr() @ slope for part in batch.parts]
        self.adams[0].move(self.vectors, batch.used, sum(slopes), rate)
        for column, one in zip(batch.columns, slopes, strict=True):
            weights = (one * batch.vectors).sum(1)
            self.adams[1 + column].move(self.weights[:, column], batch.used, weights, weight_rate)


_LOGS = np.concatenate([[0], 1 + np.log(np.arange(1, 256))]).astype(np.float32)


def _counted(
    counts: npt.NDArray[np.uint8], words: Numbers, starts: Numbers, factors: Floats
) -> csr_matrix:
    """(texts, words): ``1 + ln(count)`` times the factor of each word."""
    matrix = csr_matrix(
        (_LOGS[counts] * factors[words], words, starts), (len(starts) - 1, len(factors))
    )
    matrix.eliminate_zeros()
    return matrix


def contrast(
    questions: torch.Tensor, documents: torch.Tensor, same: torch.Tensor, temperature: float
) -> torch.Tensor:
    """
    Symmetric InfoNCE (van den Oord et al., 2018; both ways as in CLIP, Radford et al., 2021).

    Row ``i`` of both belong together; ``same[i, j]`` takes a pair out that may belong together too.
    """
    scores = (questions @ documents.T / temperature).masked_fill(same, -1e4)
    right = torch.arange(len(scores))
    return (functional.cross_entropy(scores, right) + functional.cross_entropy(scores.T, right)) / 2
