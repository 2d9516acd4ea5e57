"""Near-duplicate code by MinHash: which of two texts say the same with small changes."""

from __future__ import annotations

import re
import zlib

import numpy as np

__all__ = ["NearDuplicates"]

_HASHES = 32
_BANDS = 8
_WORDS_A_SHINGLE = 4
_ALIKE = 0.8
"""
Estimated Jaccard similarity of word shingles from which two codes count as one.
Eight bands of four values find such a pair with probability 0.985, one of 0.5 with 0.4.
"""

_TOKEN = re.compile(rb"[a-z]+|\d+")
_rng = np.random.default_rng(20240)
_FACTOR = _rng.integers(1, 2**32, _HASHES, dtype=np.uint64) | np.uint64(1)
_OFFSET = _rng.integers(0, 2**32, _HASHES, dtype=np.uint64)
_LOW = np.uint64(0xFFFFFFFF)


def _signature(text: str) -> np.ndarray:
    """``uint32[_HASHES]``: the least value of each hash function over the text's shingles."""
    words = _TOKEN.findall(text.lower().encode())
    last = max(1, len(words) - _WORDS_A_SHINGLE + 1)
    shingles = {zlib.crc32(b" ".join(words[at : at + _WORDS_A_SHINGLE])) for at in range(last)}
    values = np.fromiter(shingles, dtype=np.uint64, count=len(shingles))
    mixed = (values[:, None] * _FACTOR + _OFFSET) & _LOW
    mixed ^= mixed >> np.uint64(15)
    least: np.ndarray = ((mixed * np.uint64(2246822519)) & _LOW).min(axis=0)
    return least.astype(np.uint32)


class NearDuplicates:
    """Texts seen so far; :meth:`twin` finds one that a new text repeats."""

    def __init__(self) -> None:
        self._signatures: list[np.ndarray] = []
        self._bands: list[dict[bytes, list[int]]] = [{} for _ in range(_BANDS)]

    def twin(self, text: str) -> int | None:
        """The number of an earlier text alike to this one, or None: then it is remembered."""
        signature = _signature(text)
        width = _HASHES // _BANDS
        keys = [signature[at : at + width].tobytes() for at in range(0, _HASHES, width)]
        seen: set[int] = set()
        for band, key in zip(self._bands, keys, strict=True):
            for other in band.get(key, ()):
                if other in seen:
                    continue
                seen.add(other)
                if np.count_nonzero(self._signatures[other] == signature) >= _ALIKE * _HASHES:
                    return other
        number = len(self._signatures)
        self._signatures.append(signature)
        for band, key in zip(self._bands, keys, strict=True):
            found = band.setdefault(key, [])
            if len(found) < 20:  # a band that everyone shares tells nothing
                found.append(number)
        return None

    def __len__(self) -> int:
        return len(self._signatures)
