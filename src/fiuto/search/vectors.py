"""Arithmetic on single rows, where loading numpy would take longer than the sum.  Pure."""

from __future__ import annotations

from operator import mul
from struct import unpack

__all__ = ["cosine", "values"]


def values(row: bytes) -> tuple[float, ...]:
    """The numbers of a little-endian float32 row."""
    return unpack(f"<{len(row) // 4}f", row)


def cosine(asked: tuple[float, ...], row: bytes) -> float:
    """Of a unit vector, as :func:`values` gives it, and a unit row."""
    return sum(map(mul, asked, values(row)), 0.0)
