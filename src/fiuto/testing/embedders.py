"""
What every embedder must do, whoever wrote it; authors of plug-ins call it too.

One call checks the whole contract and names what is broken::

    def test_contract():
        check_embedder(MyEmbedder())
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from fiuto.model import EmbedderIdentity, Role, Vectors
from fiuto.protocols import Embedder

__all__ = ["check_embedder"]

_ROLES: tuple[Role, ...] = ("document", "query")

_PLAIN = (
    "def should_strip_auth(self, old_url, new_url):\n    return old_url.host != new_url.host",
    "class Cache:\n    '''Keeps answers until they expire.'''",
    "don't send the password to another site after a redirect",
)

_ODD = (
    "",
    " \n\t\n",
    "let value = compute(previous);\n" * 3_300,  # 100 KB
    "x" * 100_000,
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 def \U0001f680",
    "求职者登录 größe Привет مرحبا",
    "a\x00b\x0c\x1b[31m\u2028\r",
    "half \ud83d a pair",
)

_SAME = 1e-3
"""How far the rows of one text may lie apart: batches of other sizes round otherwise."""


def check_embedder(embedder: Embedder) -> None:
    """
    Run every check on an embedder whose model is at hand.

    Raises:
        AssertionError: the first thing found that breaks the contract.
    """
    identity = embedder.identity
    assert isinstance(identity, EmbedderIdentity), "identity must be an EmbedderIdentity"
    assert identity.name, "identity needs a name"
    assert identity.revision, "identity needs a revision"
    for role in _ROLES:
        _check_shape(embedder, role, identity.dimension)
        _check_order(embedder, role)
        _check_odd_texts(embedder, role)
    assert embedder.identity == identity, "identity must not change with use"


def _check_shape(embedder: Embedder, role: Role, dimension: int) -> None:
    nothing = embedder.embed([], role)
    assert (len(nothing), nothing.data) == (0, b""), f"{role}: no text must give no row"
    assert nothing.dimension == dimension, f"{role}: no text must keep the dimension"
    vectors = embedder.embed(_PLAIN, role)
    assert len(vectors) == len(_PLAIN), f"{role}: one row per text"
    assert vectors.dimension == dimension, f"{role}: rows must be as wide as the identity says"
    _check_rows(vectors, role)


def _check_order(embedder: Embedder, role: Role) -> None:
    """Rows come in the order of the texts, and do not depend on the company they are in."""
    together = _rows(embedder.embed(_PLAIN, role))
    again = _rows(embedder.embed(list(reversed(_PLAIN)), role))[::-1]
    alone = [_rows(embedder.embed([text], role))[0] for text in _PLAIN]
    for i in range(len(_PLAIN)):
        assert _distance(together[i], alone[i]) < _SAME, f"{role}: a row depends on its batch"
        assert _distance(together[i], again[i]) < _SAME, f"{role}: rows must keep the order"
        for j in range(i):
            apart = _distance(together[i], together[j])
            assert apart > _SAME, f"{role}: different texts must give different rows"


def _check_odd_texts(embedder: Embedder, role: Role) -> None:
    vectors = embedder.embed(_ODD, role)
    assert len(vectors) == len(_ODD), f"{role}: odd texts must give a row each"
    _check_rows(vectors, f"{role}, odd texts")
    _check_rows(embedder.embed([""], role), f"{role}, an empty text alone")


def _check_rows(vectors: Vectors, where: str) -> None:
    expected = 4 * vectors.dimension * len(vectors)
    assert isinstance(vectors.data, bytes), f"{where}: data must be bytes"
    assert len(vectors.data) == expected, f"{where}: {len(vectors.data)} bytes, not {expected}"
    for row in _rows(vectors):
        length = math.hypot(*row)
        assert abs(length - 1) < _SAME, f"{where}: a row of length {length}, not 1"


def _rows(vectors: Vectors) -> list[tuple[float, ...]]:
    return [struct.unpack(f"<{vectors.dimension}f", vectors.row(i)) for i in range(len(vectors))]


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return math.dist(one, other)
