"""
A small sentence model on onnxruntime: what the deep tier reads chunks with.

The weights come in a package of their own (all-MiniLM-L6-v2, int8); the vocabulary is
that of the shipped question side, which is the same model, so no tokenizer library is
needed.  A file that is not byte for byte the one that was measured is not loaded.

A text is read as its word parts, identifiers cut and marks left out: a model of
sentences makes more of ``should bypass proxies`` than of ``should_bypass_proxies(``,
and 128 tokens reach twice as far.  docs/decisions.md has the figures.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from fiuto.embed.onnx_file import DIMENSION, EXTRA, SHA256, model_file
from fiuto.embed.question_file import QUESTIONS, open_questions
from fiuto.embed.wordpiece import WordPieces
from fiuto.embed.words import WORDS, parts_of, runs_of
from fiuto.errors import ModelUnavailable
from fiuto.model import EmbedderIdentity, Role, Vectors

__all__ = ["OnnxEmbedder", "open_minilm"]

_TOKENS = 128
"""Read of a text.  Time grows with it, and a window of the deep tier fits."""
_THREADS = 2
"""One text each.  The weights' int8 form scales a whole batch by its largest value, so only
texts that run alone give the same row in any company; two at a time are as fast as a batch."""


def open_minilm() -> OnnxEmbedder:
    """The model of the ``deep`` extra; nothing is read before it is used."""
    return OnnxEmbedder()


class OnnxEmbedder:
    """
    One BERT-like ONNX file; safe from several threads.

    Args:
        path: the file; by default that of the extra.
        digest: SHA-256 it must have, hexadecimal.
    """

    def __init__(self, path: Path | None = None, digest: str = SHA256) -> None:
        self._path = path
        self._digest = digest
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: WordPieces | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        self._found()
        return EmbedderIdentity(
            name="all-MiniLM-L6-v2-int8",
            revision=self._digest,
            dimension=DIMENSION,
            recipe=f"{WORDS}, mean pooling, {_TOKENS} tokens",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:  # noqa: ARG002 - one side
        session, pieces = self._loaded()
        read = [
            pieces.ids(" ".join(part for run in runs_of(text) for part in parts_of(run)), _TOKENS)
            for text in texts
        ]
        with ThreadPoolExecutor(_THREADS) as pool:
            rows = list(pool.map(lambda ids: _row(session, ids), [ids for ids, _ in read]))
        return Vectors(b"".join(rows), DIMENSION, tuple(cut for _, cut in read))

    def _found(self) -> Path:
        path = self._path or model_file()
        if path is None:
            raise ModelUnavailable(f"its model needs an extra; run pip install 'fiuto[{EXTRA}]'")
        return path

    def _loaded(self) -> tuple[Any, WordPieces]:
        with self._lock:
            if self._session is None or self._pieces is None:
                self._pieces = WordPieces(open_questions(QUESTIONS).vocabulary())
                self._session = _session(self._found(), self._digest)
            return self._session, self._pieces


def _session(path: Path, digest: str) -> Any:
    """The runtime with the file's checked bytes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable(
            f"the model file {path} cannot be read ({error}); run pip install 'fiuto[{EXTRA}]'"
        ) from error
    if sha256(data).hexdigest() != digest:
        raise ModelUnavailable(
            f"the model file {path} is not the one fiuto knows (SHA-256 differs); "
            f"run pip install --force-reinstall 'fiuto[{EXTRA}]'"
        )
    try:
        import onnxruntime  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ModelUnavailable(
            f"onnxruntime cannot be imported ({error}); run pip install 'fiuto[{EXTRA}]'"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the threads are ours, a text each
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def _row(session: Any, ids: Sequence[int]) -> bytes:
    """The unit float32 row of one text: the mean of its last layer."""
    import numpy as np  # noqa: PLC0415 - comes with the runtime

    tokens = np.array([ids], np.int64)
    inputs = {
        "input_ids": tokens,
        "attention_mask": np.ones_like(tokens),
        "token_type_ids": np.zeros_like(tokens),
    }
    (last,) = session.run(["last_hidden_state"], inputs)
    mean = last[0].mean(axis=0)
    row: bytes = (mean / np.linalg.norm(mean)).astype("<f4").tobytes()
    return row
