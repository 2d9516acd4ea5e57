"""
Probes a store on a user's own server: the checks every store must pass, in a scratch collection.

Whatever happens, the scratch collection is removed again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from fiuto.errors import FiutoError
from fiuto.protocols import Collection, Store
from fiuto.testing.stores import CHECKS
from fiuto.testing.values import IDENTITY

__all__ = ["Finding", "probe_store"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    about: str
    """The check, in the words of its docstring."""
    passed: bool
    what: str
    """Why not; empty where it passed."""
    seconds: float


def probe_store(
    collection: Collection, store_of: Callable[[str], Callable[[], Store]]
) -> Iterator[Finding]:
    """
    One finding a check, as each is made; the last says whether nothing is left.

    Args:
        collection: not there yet; removed again, whatever happens.
        store_of: makes stores of a repository in it, by the repository's name.

    Raises:
        StoreUnavailable: the server does not answer.
    """
    try:
        collection.current()  # an error of the connection is the caller's
        yield from _made(partial(_prepared, collection), "A collection can be made.")
        for number, check in enumerate(CHECKS):
            stores = store_of(f"check/{number}")
            yield from _made(partial(check, stores), check.__doc__ or "")
    finally:
        collection.remove()
    left = collection.current()
    collection.close()
    yield Finding("Nothing is left behind.", not left, f"build {left} is" if left else "", 0.0)


def _prepared(collection: Collection) -> None:
    assert collection.prepare(IDENTITY, rebuild=False) == 1


def _made(check: Callable[[], None], about: str) -> Iterator[Finding]:
    started = time.monotonic()
    what = ""
    try:
        check()
    except AssertionError as error:
        what = str(error) or "it gave something else"
    except FiutoError as error:
        what = str(error)
    sentence = " ".join(about.split())
    yield Finding(sentence, not what, what, time.monotonic() - started)
