"""
Writes the two files that fiuto ships from what training learnt.

``python -m training.export MODEL MINILM FOLDER`` writes ``fiuto-static.vectors``, the words that
were trained, and ``fiuto-static.questions``, MiniLM's weights as they are; both in int8, a
scale for each row.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file
from training.train import Model

from fiuto.embed.question_file import Shape, pack_questions
from fiuto.embed.static_pack import Row, pack

__all__ = ["pack_documents", "pack_minilm", "quantise"]

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
PLACES = 256
"""Tokens; sentence-transformers cuts MiniLM's input there too."""


def quantise(rows: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """int8 values and a scale for each row: scale * value is at most half a step away."""
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12).astype(np.float32) / 127
    return np.round(rows / scales[:, None]).astype(np.int8), scales


def pack_documents(model: Model) -> bytes:
    """The file of the document side."""
    values, scales = quantise(model.vectors)
    weights = np.exp(model.weights)
    rows = [
        Row(word, tuple(weights[i].tolist()), float(scales[i]), values[i].tobytes())
        for i, word in enumerate(model.words)
    ]
    return pack(rows, model.vectors.shape[1])


def pack_minilm(folder: Path, words_share: float) -> bytes:
    """The file of the question side."""
    weights = load_file(folder / "model.safetensors")
    vocabulary = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    words, word_scales = quantise(weights["embeddings.word_embeddings.weight"])
    places = weights["embeddings.position_embeddings.weight"][:PLACES]
    places = places + weights["embeddings.token_type_embeddings.weight"][0]
    values, scales = [], []
    plain = [weights[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias")]
    for number in range(LAYERS):
        for name in _MATRICES:
            rows, steps = quantise(_joined(weights, number, name, "weight"))
            values.append(rows.tobytes())
            scales.append(steps)
            plain.append(_joined(weights, number, name, "bias"))
            if name in _NORMS:
                norm = f"encoder.layer.{number}.{_NORMS[name]}.LayerNorm"
                plain += [weights[f"{norm}.weight"], weights[f"{norm}.bias"]]
    shape = Shape(WIDTH, LAYERS, HEADS, INNER, PLACES, words_share)
    sections = {
        "words": words.tobytes(),
        "wscales": word_scales.astype("<f4").tobytes(),
        "places": places.astype("<f4").tobytes(),
        "layers": b"".join(values),
        "lscales": np.concatenate(scales).astype("<f4").tobytes(),
        "plain": np.concatenate(plain).astype("<f4").tobytes(),
    }
    return pack_questions(shape, pieces, sections)


_MATRICES = ("attention.self", "attention.output.dense", "intermediate.dense", "output.dense")
_NORMS = {"attention.output.dense": "attention.output", "output.dense": "output"}


def _joined(
    weights: dict[str, npt.NDArray[np.float32]], number: int, name: str, kind: str
) -> npt.NDArray[np.float32]:
    """One matrix or bias of a layer; query, key and value as one."""
    prefix = f"encoder.layer.{number}.{name}"
    if name != "attention.self":
        return weights[f"{prefix}.{kind}"]
    return np.concatenate(
        [weights[f"{prefix}.{part}.{kind}"] for part in ("query", "key", "value")]
    )


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    for name in ("model", "minilm", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, required=True, help="of a question's words")
    options = parser.parse_args()
    written = {
        "fiuto-static.vectors": pack_documents(Model.load(options.model)),
        "fiuto-static.questions": pack_minilm(options.minilm, options.share),
    }
    for name, data in written.items():
        partial = options.folder / f"{name}.partial"
        partial.write_bytes(data)
        partial.replace(options.folder / name)
        print(f"{options.folder / name}: {len(data)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
