"""The article's two tables as published: psf/requests at v2.32.3, 318 chunks."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CHUNKS", "COLUMNS", "HITS", "RANKS", "REVISION", "SCOPES"]

REVISION = "v2.32.3"

SCOPES = ("all", "src/**")

CHUNKS = {"all": 318, "src/**": 84}

COLUMNS = ("BM25", "bge-m3", "hybrid", "bge-small")
"""The hybrid is that of bge-m3."""

RANKS: Mapping[str, tuple[int | None, ...]] = {
    "should_strip_auth": (9, 1, 1, 1),
    "rebuild_method": (65, 10, 19, 6),
    "resolve_redirects": (5, 28, 5, 14),
    "rewind_body": (1, 4, 2, 20),
    "super_len": (54, 65, None, 233),
    "should_bypass_proxies": (2, 20, 6, 10),
    "atomic_open": (58, 16, 29, 1),
    "guess_json_utf": (4, 4, 5, 111),
    "get_netrc_auth": (1, 112, 7, 17),
    "handle_401": (1, 2, 1, 1),
    "raise_for_status": (2, 70, 12, 244),
    "UnrewindableBodyError": (1, 2, 2, 6),
}
"""Rank of the target's chunk among all, by :data:`COLUMNS`; None: not in the fused pool."""

HITS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "all": {
        "BM25": (6, 7), "bge-m3": (4, 5), "hybrid (bge-m3)": (5, 7),
        "bge-small": (3, 5), "hybrid (bge-small)": (7, 7),
    },
    "src/**": {
        "BM25": (7, 7), "bge-m3": (5, 7), "hybrid (bge-m3)": (7, 9),
        "bge-small": (5, 7), "hybrid (bge-small)": (8, 8),
    },
}  # fmt: skip
"""Scope -> column -> answers among the first 5 and the first 10 of the ten questions."""
