"""
What the files of a sentence-transformers folder say about a model, read without it.

An identity must be had without importing a runtime that takes seconds, so the few
JSON files that decide on dimension, pooling, length and prompts are read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

from fiuto.errors import ModelUnavailable

__all__ = ["ModelFacts", "facts_of", "weights_digest"]

_WEIGHTS = ("*.safetensors", "*.bin")
_UNBOUNDED = 1_000_000
"""Tokenizers without a limit of their own say so by a huge number."""
_USUAL_LENGTH = 512
_DOCUMENT_PROMPTS = ("document", "passage", "corpus")
"""The names sentence-transformers tries, in its order."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Whatever in a model's files changes its numbers, the weights aside."""

    dimension: int
    pooling: str
    max_length: int
    query_prefix: str
    document_prefix: str


def facts_of(folder: Path) -> ModelFacts:
    """
    Read the configuration of a model folder.

    Raises:
        ModelUnavailable: it is no such folder, or its files cannot be understood.
    """
    config = _read(folder / "config.json")
    if "hidden_size" not in config:
        raise ModelUnavailable(
            f"{folder} is not a model folder: no config.json that tells a hidden_size"
        )
    dimension, pooling = _output_of(folder, int(config["hidden_size"]))
    settings = _read(folder / "config_sentence_transformers.json")
    prompts = settings.get("prompts") or {}
    return ModelFacts(
        dimension=dimension,
        pooling=pooling,
        max_length=_length_of(folder, config),
        query_prefix=prompts.get("query") or "",
        document_prefix=next((prompts[n] for n in _DOCUMENT_PROMPTS if prompts.get(n)), ""),
    )


def weights_digest(folder: Path) -> str:
    """
    BLAKE2b-128 of every weight file in a folder, hexadecimal; a second a gigabyte.

    Raises:
        ModelUnavailable: there are none.
    """
    files = sorted({path for pattern in _WEIGHTS for path in folder.rglob(pattern)})
    if not files:
        raise ModelUnavailable(f"{folder} holds no weights (*.safetensors or *.bin)")
    total = blake2b(digest_size=16)
    for path in files:
        try:
            with path.open("rb") as stream:
                total.update(file_digest(stream, blake2b).digest())
        except OSError as error:
            raise ModelUnavailable(f"{path} cannot be read ({error.strerror})") from error
    return total.hexdigest()


def _output_of(folder: Path, hidden: int) -> tuple[int, str]:
    """Dimension and pooling after all modules; mean pooling is added where none is listed."""
    dimension, pooling = hidden, "mean"
    for module in _read_list(folder / "modules.json"):
        kind = str(module.get("type", "")).rsplit(".", 1)[-1]
        config = _read(folder / str(module.get("path", "")) / "config.json")
        if kind == "Pooling":
            modes = _pooling_modes(config)
            width = config.get("embedding_dimension") or config.get("word_embedding_dimension")
            dimension, pooling = int(width or hidden) * len(modes), "+".join(modes)
        elif kind == "Dense":
            dimension = int(config.get("out_features", dimension))
    return dimension, pooling


def _pooling_modes(config: Mapping[str, Any]) -> list[str]:
    """The modes, in the newer spelling (a name or a list) or the older (a flag each)."""
    mode = config.get("pooling_mode")
    if mode:
        return [mode] if isinstance(mode, str) else list(mode)
    prefix = "pooling_mode_"
    flags = [key for key, value in config.items() if key.startswith(prefix) and value is True]
    return [re.sub("_tokens?$", "", flag.removeprefix(prefix)) for flag in flags] or ["mean"]


def _length_of(folder: Path, config: Mapping[str, Any]) -> int:
    """Tokens that the model reads, by the first file that sets a limit."""
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
    ):
        length = _read(folder / name).get(key)
        if length and length < _UNBOUNDED:
            return int(length)
    return int(config.get("max_position_embeddings", _USUAL_LENGTH))


def _read(path: Path) -> Mapping[str, Any]:
    content = _parse(path)
    return content if isinstance(content, dict) else {}


def _read_list(path: Path) -> list[Mapping[str, Any]]:
    content = _parse(path)
    return [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []


def _parse(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"{path} cannot be read ({error}); get the model again") from error
