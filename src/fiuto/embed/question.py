"""
The question side of the shipped model: a small BERT in numpy on int8 weights.

A question is one short text, so it can afford to be read in context where documents
cannot.  The runtime is numpy alone, which is there anyway: a dozen tokens are a few
small products, and a model runtime takes longer to import and to start than to run.

Sentence vector: mean of the last layer over all tokens, at length 1 (Reimers and
Gurevych, "Sentence-BERT", 2019); documents were trained into its space.  The layers
are those of Devlin et al., "BERT" (2019).
"""

from __future__ import annotations

from itertools import accumulate
from math import gcd
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fiuto.embed.question_file import QuestionFile
from fiuto.embed.wordpiece import WordPieces
from fiuto.values import dataclass

__all__ = ["QuestionSide"]

Floats: TypeAlias = npt.NDArray[np.float32]

_TOKENS = 20
"""Rows a product: with :data:`_MULTIPLIED` it bounds the size of each."""
_MULTIPLIED = 12_288
"""
Columns times rows of a block of a matrix.

OpenBLAS starts threads from 262,144 multiplications on.  For products as small as these
they bring nothing, on a busy machine they cost ten times the work, and they would make
the last digit of a vector depend on the number of cores: so no product is that large.
"""

_EPSILON = np.float32(1e-12)
"""Of BERT's layer normalisation."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """Float32 copies: matrices in (blocks, rows, columns), biases, gain and shift of each norm."""

    matrices: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    norms: tuple[Floats, Floats]


class QuestionSide:
    """
    Reads questions with one open file.

    Raises:
        ModelUnavailable: the file is damaged.
    """

    def __init__(self, file: QuestionFile) -> None:
        sections = file.container.sections
        file.container.verify(
            "pieces", "wscales", "wchecks", "places", "layers", "lscales", "plain"
        )
        self._file = file
        self._pieces = WordPieces(file.vocabulary())
        width = file.shape.width
        self._words = np.frombuffer(sections["words"], np.int8).reshape(-1, width)
        self._scales = np.frombuffer(sections["wscales"], "<f4")
        self._places = np.frombuffer(sections["places"], "<f4").reshape(-1, width)
        self._norm, self._layers = _read_layers(file)

    def embed(self, text: str, words: bytes) -> tuple[bytes, bool]:
        """
        The unit float32 row of one question, and whether its end was cut off.

        Args:
            text: the question.
            words: the unit float32 row of its words, as the static model has them.  A name
                that stands in the code tells more by itself than in its sentence.
        """
        sentence, truncated = self.sentence(text)
        share = np.float32(self._file.shape.words_share)
        row: Floats = sentence + share * np.frombuffer(words, "<f4").astype(np.float32)
        return _unit(row).astype("<f4").tobytes(), truncated

    def sentence(self, text: str) -> tuple[Floats, bool]:
        """The unit vector of the transformer alone, and whether the text's end was cut off."""
        ids, truncated = self._pieces.ids(text, self._file.shape.places)
        self._file.check_rows(ids)
        state = self._words[ids] * self._scales[ids, None] + self._places[: len(ids)]
        state = _normalised(state, self._norm)
        for layer in self._layers:
            state = self._through(state, layer)
        return _unit(state.mean(axis=0)), truncated

    def _through(self, state: Floats, layer: _Layer) -> Floats:
        mixing, output, up, down = layer.matrices
        mixing_bias, output_bias, up_bias, down_bias = layer.biases
        heads = self._file.shape.heads
        mixed = (_product(state, mixing) + mixing_bias).reshape(len(state), 3, heads, -1)
        query, key, value = mixed.transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[-1]))
        seen = _softmax(scores) @ value
        seen = seen.transpose(1, 0, 2).reshape(state.shape)
        state = _normalised(state + _product(seen, output) + output_bias, layer.norms[0])
        inner = _gelu(_product(state, up) + up_bias)
        return _normalised(state + _product(inner, down) + down_bias, layer.norms[1])


def _read_layers(file: QuestionFile) -> tuple[Floats, tuple[_Layer, ...]]:
    shape, sections = file.shape, file.container.sections
    values = np.frombuffer(sections["layers"], np.int8)
    scales = np.frombuffer(sections["lscales"], "<f4")
    plain = np.frombuffer(sections["plain"], "<f4")
    width = shape.width
    sizes = (3 * width, width, 2 * width, shape.inner, width, 2 * width)
    ends = list(accumulate(sizes))
    first, plain = plain[: 2 * width].reshape(2, width), plain[2 * width :].reshape(-1, ends[-1])
    layers = []
    # One array for all of them: the system gives it large pages, or gives thousands of small ones.
    whole = np.empty(len(values), np.float32)
    at = row = 0
    for numbers in plain:
        matrices = []
        for rows, columns in shape.matrices:
            part = whole[at : at + rows * columns].reshape(rows, columns)
            part[...] = values[at : at + rows * columns].reshape(rows, columns)
            part *= scales[row : row + rows, None]
            matrices.append(part.reshape(-1, gcd(rows, _MULTIPLIED // columns), columns))
            at, row = at + rows * columns, row + rows
        mixing, output, norm, up, down, last = np.split(numbers, ends[:-1])
        norms = (norm.reshape(2, width), last.reshape(2, width))
        layers.append(_Layer(tuple(matrices), (mixing, output, up, down), norms))
    return first, tuple(layers)


def _product(state: Floats, blocks: Floats) -> Floats:
    """``state`` times the transposed matrix that ``blocks`` are cut from, block by block."""
    parts = []
    for start in range(0, len(state), _TOKENS):
        part = state[start : start + _TOKENS] @ blocks.transpose(0, 2, 1)
        parts.append(part.transpose(1, 0, 2).reshape(part.shape[1], -1))
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _normalised(state: Floats, norm: Floats) -> Floats:
    state = state - state.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.square(state).mean(axis=1, keepdims=True) + _EPSILON)
    normalised: Floats = state / spread * norm[0] + norm[1]
    return normalised


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _gelu(values: Floats) -> Floats:
    """By tanh (Hendrycks and Gimpel, 2016): within 0.001 of the exact form, without an erf."""
    inner = np.float32(0.7978845608) * (values + np.float32(0.044715) * values * values * values)
    out: Floats = np.float32(0.5) * values * (1 + np.tanh(inner))
    return out


def _unit(row: Floats) -> Floats:
    length = np.sqrt(np.square(row).sum())
    return row / length if length else row
