"""
How a question is answered, as constants with names.

``article`` is the pipeline of the published measurement to the letter; every other
question is answered by ``default``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fiuto.values import dataclass

__all__ = ["FIELDS", "PROFILES", "Profile"]

FIELDS: tuple[str, ...] = ("symbol", "path")
"""What BM25 reads beside the text."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The settings of one way to answer."""

    name: str
    chunker: str
    """The chunker an index of this profile uses where none is named."""
    pool: int
    """Entries taken from each list, whatever the number of hits asked for, so that the first
    five of twenty are the five."""
    symbol: float
    """Weight of a chunk's symbol beside its text in BM25."""
    path: float
    """Weight of the path beside the text in BM25."""
    signals: bool
    """Whether anything but the two lists counts."""
    article_scan: bool
    """Whether files are chosen by the article's rules alone: nothing withheld as secret."""


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "default": Profile(
            name="default", chunker="syntax", pool=200, symbol=1.0, path=1.0,
            signals=True, article_scan=False,
        ),
        "article": Profile(
            name="article", chunker="lines", pool=30, symbol=0.0, path=0.0,
            signals=False, article_scan=True,
        ),
    }
)  # fmt: skip
"""By name. The weights of ``default`` were chosen by measurement: docs/decisions.md."""
