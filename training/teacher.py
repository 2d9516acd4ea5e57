"""
Sentence vectors of the frozen teacher, all-MiniLM-L6-v2, for every sentence of the pairs.

``python -m training.teacher SET MINILM OUT`` writes them in parts of some thousand sentences and
skips what is there already, so that it can be stopped, and run again when the pairs have grown.
A sentence is read in bfloat16, which is twice as fast and 0.9999 from float32 by cosine, in batches
of one length, so that nothing is padded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional

__all__ = ["DIMENSION", "LAYERS", "Sentences", "Teacher", "read_rows", "tidy"]

LAYERS = 6
HEADS = 12
DIMENSION = 384
LONGEST = 48
"""Tokens of a sentence that are read; few have more."""
TOKENS = 2048
"""Tokens a batch."""
PART = 16_384
"""Sentences a file."""


class Teacher:
    """MiniLM with mean pooling, as sentence-transformers runs it, in one precision."""

    def __init__(self, folder: Path, dtype: torch.dtype = torch.bfloat16) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        weights = load_file(folder / "model.safetensors")
        self._at = {
            name.removeprefix("encoder.layer."): tensor.to(dtype)
            for name, tensor in weights.items()
            if tensor.is_floating_point()
        }
        for layer in range(LAYERS):
            for kind in ("weight", "bias"):
                names = [
                    f"{layer}.attention.self.{part}.{kind}" for part in ("query", "key", "value")
                ]
                self._at[f"{layer}.qkv.{kind}"] = torch.cat([self._at[name] for name in names])

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """WordPiece ids with ``[CLS]`` and ``[SEP]``."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    @torch.inference_mode()
    def embed(self, tokens: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        """Unit rows for sentences of one length."""
        ids = torch.tensor(tokens)
        count, length = ids.shape
        state = self._at["embeddings.word_embeddings.weight"][ids]
        state = state + self._at["embeddings.position_embeddings.weight"][:length]
        state = state + self._at["embeddings.token_type_embeddings.weight"][0]
        state = self._normal(state.view(-1, DIMENSION), "embeddings.LayerNorm")
        for layer in range(LAYERS):
            mixed = self._linear(state, f"{layer}.qkv").view(count, length, 3, HEADS, -1)
            query, key, value = mixed.permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(query, key, value)
            seen = seen.transpose(1, 2).reshape(-1, DIMENSION)
            state = self._normal(
                state + self._linear(seen, f"{layer}.attention.output.dense"),
                f"{layer}.attention.output.LayerNorm",
            )
            inner = functional.gelu(self._linear(state, f"{layer}.intermediate.dense"))
            state = self._normal(
                state + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        mean = state.view(count, length, DIMENSION).float().mean(1)
        rows: npt.NDArray[np.float32] = functional.normalize(mean, dim=1).numpy()
        return rows

    def words(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit rows of single words."""
        tokens = self.tokens(words)
        rows = np.zeros((len(words), DIMENSION), np.float32)
        for batch in _batches(sorted(range(len(words)), key=lambda i: len(tokens[i])), tokens):
            rows[batch] = self.embed([tokens[i] for i in batch])
        return rows

    def _linear(self, state: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(state, self._at[f"{name}.weight"], self._at[f"{name}.bias"])

    def _normal(self, state: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self._at[f"{name}.weight"], self._at[f"{name}.bias"]
        return functional.layer_norm(state, (DIMENSION,), weight, bias, 1e-12)


class Sentences:
    """The vectors written so far: ``rows[of[text]]`` is the float16 row of a sentence."""

    def __init__(self, folder: Path) -> None:
        parts = sorted(folder.glob("part-*.npz"))
        texts: list[str] = []
        rows = [np.zeros((0, DIMENSION), np.float16)]
        for part in parts:
            with np.load(part) as arrays:
                texts += bytes(arrays["texts"]).decode().split("\n")
                rows.append(arrays["rows"])
        self.parts = len(parts)
        self.of = {text: number for number, text in enumerate(texts)}
        self.rows = np.concatenate(rows)


def read_rows(file: Path) -> Iterator[dict[str, str]]:
    """The rows of one file of pairs."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def tidy(text: str) -> str:
    """The sentence as it is looked up and read: on one line."""
    return " ".join(text.split())


def encode(texts: Iterable[str], teacher: Teacher, folder: Path) -> None:
    """Write the vectors of the sentences that have none."""
    folder.mkdir(parents=True, exist_ok=True)
    have = Sentences(folder)
    missing = sorted({tidy(text) for text in texts} - have.of.keys() - {""})
    number = have.parts
    del have
    random.Random(1).shuffle(missing)
    print(f"{len(missing)} sentences to do", file=sys.stderr)
    todo = iter(missing)
    while some := list(islice(todo, PART)):
        started = time.monotonic()
        tokens = teacher.tokens(some)
        order = sorted(range(len(some)), key=lambda i: len(tokens[i]))
        rows = np.zeros((len(some), DIMENSION), np.float16)
        for batch in _batches(order, tokens):
            rows[batch] = teacher.embed([tokens[i] for i in batch])
        data = np.frombuffer("\n".join(some).encode(), np.uint8)
        partial = folder / "partial.npz"
        np.savez(partial, texts=data, rows=rows)
        partial.rename(folder / f"part-{number:04}.npz")
        number += 1
        speed = len(some) / (time.monotonic() - started)
        print(f"part {number}: {speed:.0f} a second", file=sys.stderr, flush=True)


def _batches(order: Sequence[int], tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Sentences of one length, some two thousand tokens a batch."""
    batch: list[int] = []
    for i in order:
        full = batch and (len(batch) + 1) * len(tokens[i]) > TOKENS
        if batch and (full or len(tokens[batch[0]]) != len(tokens[i])):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def main() -> None:
    """Encode the sentences of the cleaned pairs."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    parser.add_argument("set", type=Path, help="folder with train.jsonl.gz and dev.jsonl.gz")
    parser.add_argument("minilm", type=Path, help="folder with MiniLM's files")
    parser.add_argument("out", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", help="only pairs of these kinds")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    texts = (
        row["query"]
        for name in ("train", "dev")
        for row in read_rows(options.set / f"{name}.jsonl.gz")
        if not options.kinds or row["kind"] in options.kinds
    )
    encode(texts, Teacher(options.minilm), options.out)


if __name__ == "__main__":
    main()
