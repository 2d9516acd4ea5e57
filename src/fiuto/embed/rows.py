"""
What the adapters that work without numpy share: unit rows, and texts fit to send.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

__all__ = ["encodable", "unit_row"]


def unit_row(values: Sequence[float]) -> bytes:
    """
    ``values`` at length 1, as little-endian float32 bytes.

    Raises:
        ValueError: all zero, or not finite: no direction to point in.
    """
    length = math.hypot(*values)
    if length == 0 or not math.isfinite(length):
        raise ValueError("a vector without a direction")
    return struct.pack(f"<{len(values)}f", *[value / length for value in values])


def encodable(text: str) -> str:
    """
    The text with a mark for each lone surrogate, which UTF-8 cannot carry.

    They come from escapes in notebooks and from arguments that are not UTF-8, and
    tokenizers refuse them.
    """
    return text.encode("utf-8", "replace").decode("utf-8")
