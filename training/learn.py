"""
The document side while it learns: word vectors and word weights, and one step of their training.

A text's vector is ``sum over its words of exp(weight) * (1 + ln(count)) * vector``, at length 1.
Sums over bags are products with sparse matrices, done by scipy; what follows, the loss and whatever
stands between a sum and its question, is small and dense, and is left to torch's autograd.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from scipy.sparse import csr_matrix
from torch.nn import functional

from training.bags import Bags

__all__ = ["Table", "contrast", "counted"]

Floats = npt.NDArray[np.float32]


@dataclass(slots=True)
class Adam:
    """Adam that moves only the rows that had a gradient (Kingma and Ba, 2015; "lazy")."""

    first: Floats
    second: Floats
    steps: npt.NDArray[np.int32]
    betas: tuple[float, float] = (0.9, 0.98)

    @classmethod
    def of(cls, values: Floats) -> Adam:
        return cls(np.zeros_like(values), np.zeros_like(values), np.zeros(len(values), np.int32))

    def move(self, values: Floats, rows: npt.NDArray[np.int64], slope: Floats, rate: float) -> None:
        """One step against ``slope``, in place."""
        one, two = self.betas
        self.steps[rows] += 1
        steps = self.steps[rows].astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
        first = self.first[rows] * one + (1 - one) * slope
        second = self.second[rows] * two + (1 - two) * slope * slope
        self.first[rows], self.second[rows] = first, second
        step = np.sqrt(second / (1 - two**steps)) + 1e-8
        values[rows] -= rate * first / (1 - one**steps) / step


def counted(bags: Bags, size: int) -> tuple[csr_matrix, csr_matrix]:
    """(texts, words) matrices of ``1 + ln(count)``: in the code, and in the path."""
    values = []
    for counts in (bags.code, bags.path):
        logs = np.zeros(256, np.float32)
        logs[1:] = 1 + np.log(np.arange(1, 256))
        matrix = csr_matrix((logs[counts], bags.words, bags.starts), (len(bags), size))
        values.append(matrix)
    return values[0], values[1]


class Table:
    """Vectors and weights of every word."""

    def __init__(self, vectors: Floats, weights: Floats, path: float = 0.0) -> None:
        self.vectors = vectors.astype(np.float32)
        self.weights = np.stack([weights, weights + path]).T.astype(np.float32).copy()
        """Logarithms: in code, in a path."""
        self._adams = (Adam.of(self.vectors), Adam.of(self.weights))

    def sums(self, bags: Bags) -> Floats:
        """(texts, dimension), not normalised."""
        code, path = counted(bags, len(self.vectors))
        factors = np.exp(self.weights)
        mixed = code.multiply(factors[:, 0]) + path.multiply(factors[:, 1])
        rows: Floats = csr_matrix(mixed, dtype=np.float32) @ self.vectors
        return rows

    def begin(self, bags: Bags) -> tuple[Floats, Local]:
        """The sums of a batch, and what :meth:`learn` needs."""
        used, words = np.unique(bags.words, return_inverse=True)
        small = Bags(bags.starts, words.astype(np.int32), bags.code, bags.path)
        code, path = counted(small, len(used))
        factors = np.exp(self.weights[used])
        code.data *= factors[code.indices, 0]
        path.data *= factors[path.indices, 1]
        path.eliminate_zeros()
        vectors = self.vectors[used]
        return code @ vectors + path @ vectors, Local(used, code, path, vectors)

    def learn(self, local: Local, slope: Floats, rate: float, weight_rate: float) -> None:
        """One step of Adam for the words of a batch, given the loss's slope along its sums."""
        code = local.code.T.tocsr() @ slope
        path = local.path.T.tocsr() @ slope
        weights = np.stack([(code * local.vectors).sum(1), (path * local.vectors).sum(1)], 1)
        self._adams[0].move(self.vectors, local.used, code + path, rate)
        self._adams[1].move(self.weights, local.used, weights, weight_rate)


@dataclass(frozen=True, slots=True)
class Local:
    """A batch in the numbering of its own words."""

    used: npt.NDArray[np.int64]
    code: csr_matrix
    path: csr_matrix
    vectors: Floats


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
