"""
The indexes an evaluation asks: the user's own, or one for each embedder named.

Where an embedder or a chunker is named, indexes are kept apart from the user's,
in a folder of their own, so that measuring another model never rebuilds what he
works with, and the next run finds its vectors again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fiuto.config import UNSET, Maybe, Unset, user_home
from fiuto.engine import Index, forget, open_index

__all__ = ["Wanted", "opened", "opened_for_once"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the indexes are to be made by; what is not given comes from the settings."""

    embedders: tuple[str, ...] = ()
    """One index for each."""
    chunker: Maybe[str] = UNSET
    profile: Maybe[str] = UNSET
    home: Path | None = None


@contextmanager
def opened(root: str | Path, wanted: Wanted) -> Iterator[list[Index]]:
    """
    The indexes of ``root``: the user's own one where neither embedder nor chunker is named.

    Raises:
        UsageError: ``root`` is no folder, or a setting cannot be used.
    """
    own = not wanted.embedders and isinstance(wanted.chunker, Unset)
    homes = [wanted.home] if own else _apart(wanted)
    with ExitStack() as stack:
        yield [stack.enter_context(index) for index in _indexes(root, wanted, homes)]


@contextmanager
def opened_for_once(root: Path, wanted: Wanted) -> Iterator[list[Index]]:
    """As :func:`opened`, for a folder that will be gone: only the vectors of its texts are kept."""
    homes = _apart(wanted)
    try:
        with ExitStack() as stack:
            yield [stack.enter_context(index) for index in _indexes(root, wanted, homes)]
    finally:
        for home in homes:
            forget(root, home)


def _indexes(root: str | Path, wanted: Wanted, homes: Sequence[Path | None]) -> Iterator[Index]:
    for embedder, home in zip(_embedders(wanted), homes, strict=True):
        yield open_index(
            root,
            embedder=embedder,
            chunker=wanted.chunker,
            profile=wanted.profile,
            home=home,
        )


def _embedders(wanted: Wanted) -> Sequence[Maybe[str]]:
    return wanted.embedders or (UNSET,)


def _apart(wanted: Wanted) -> list[Path]:
    """A home for each embedder, beside the user's indexes."""
    homes = []
    for embedder in _embedders(wanted):
        parts = [name for name in (embedder, wanted.chunker) if not isinstance(name, Unset)]
        named = "-".join(parts) or "default"
        digest = hashlib.blake2b(named.encode(), digest_size=4).hexdigest()
        readable = re.sub(r"[^A-Za-z0-9._-]+", "_", named)[-40:]
        homes.append(user_home(wanted.home) / "eval" / f"{readable}-{digest}")
    return homes
