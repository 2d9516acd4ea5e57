"""Where a name defined elsewhere is passed on: ``pub use``, ``export {…}``, ``__init__``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["passes_on"]

_BRACES = r"\bexport\s+(?:type\s+)?(?:\{{[^}}]*\b{name}\b|\*\s+as\s+{name}\b)"
_SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "rust": r"\bpub(?:\([^)]*\))?\s+use\b[^;]*\b{name}\b",
        "python": r"\bfrom\s+[.\w]+\s+import\s+(?:\([^)]*|[^\n(]*)\b{name}\b",
        "typescript": _BRACES,
        "tsx": _BRACES,
        "javascript": _BRACES,
    }
)
"""By language; elsewhere a name is reached where it is defined."""


def passes_on(language: str, path: str, text: str, name: str) -> bool:
    """
    Whether ``text`` makes ``name`` part of what its own file offers, without defining it.

    >>> passes_on("rust", "lib.rs", "pub use core::{Body, Request};", "Request")
    True
    >>> passes_on("python", "shop/cart.py", "from .core import Request", "Request")
    False
    """
    if name not in text or language not in _SHAPES:
        return False
    if language == "python" and not path.endswith("__init__.py"):
        return False
    return re.search(_SHAPES[language].format(name=re.escape(name)), text) is not None
