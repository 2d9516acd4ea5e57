"""Never run: this file must only type-check, as a user's code would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import fiuto


class Mine:
    """A user's embedder."""

    identity = fiuto.EmbedderIdentity("mine", "1", 2)

    def embed(self, texts: Sequence[str], role: Literal["document", "query"]) -> fiuto.Vectors:
        return fiuto.Vectors(b"", 2, tuple(False for _ in texts))


def use() -> list[str]:
    """Everything the README promises."""
    with fiuto.open(".", embedder=Mine(), exclude=["gen/**"]) as index:
        report: fiuto.RefreshReport = index.refresh(progress=lambda _s, _d, _t: None)
        results: fiuto.Results = index.search("where do we block users", k=5, only=["source"])
        first: fiuto.Hit = results[0]
        some: tuple[fiuto.Hit, ...] = results[:2]
        lines = [f"{hit.location} {hit.symbol} {hit.explain()}" for hit in results]
        status: fiuto.Status = index.status()
        left_out: Sequence[fiuto.Skipped] = index.skipped()
    return [*lines, first.path, str(len(some)), str(report.embedded), str(status), str(left_out)]
