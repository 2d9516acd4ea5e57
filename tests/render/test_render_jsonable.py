"""Tests of fiuto.render.jsonable: the schema that others build on, key by key."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from fiuto.model import (
    Counts,
    EmbedderIdentity,
    Hit,
    Manifest,
    Query,
    RefreshReport,
    Results,
    Skipped,
    Status,
)
from fiuto.render.jsonable import (
    data_size,
    hit_data,
    refresh_data,
    results_data,
    short_hit_data,
    skipped_data,
    status_data,
)

STATUS = Status(
    Manifest(
        root="/r", embedder_name="static", embedder=EmbedderIdentity("static", "abc", 256),
        chunker="syntax/1", terms="terms/1", scan="s", generation=4, complete=True,
    ),
    Counts(
        files=3, chunks=9, bytes=1200, skipped={"image": 1, "binary": 2}, truncated=5,
        unembedded=0,
    ),
)  # fmt: skip
INDEX = {
    "root": "/r",
    "files": 3,
    "chunks": 9,
    "bytes": 1200,
    "skipped": {"binary": 2, "image": 1},
    "embedder": {"name": "static", "revision": "abc", "dimension": 256},
    "chunker": "syntax/1",
    "generation": 4,
}


def test_a_hit_has_these_keys(hit_of: Callable[..., Hit]) -> None:
    """One hit of schema 1."""
    assert {
        "path": "src/sessions.py",
        "start": 127,
        "end": 137,
        "symbol": "Session.should_strip_auth",
        "language": "python",
        "label": "source",
        "score": 0.03,
        "parts": {"lexical": 0.02, "semantic": 0.01},
        "ranks": {"lexical": 1, "semantic": 7},
        "text": hit_of().text,
        "verified": True,
        "copies": ["w/a.py"],
    } == hit_data(hit_of(copies=("w/a.py",)))


def test_results_have_these_keys(hit_of: Callable[..., Hit]) -> None:
    """One answer of schema 1."""
    results = Results(Query("who", mode="lexical"), "default", (hit_of(),), STATUS, ("careful",))

    assert {
        "schema": 1,
        "query": "who",
        "mode": "lexical",
        "profile": "default",
        "hits": [hit_data(hit_of())],
        "also": None,
        "confidence": None,
        "index": INDEX,
        "warnings": ["careful", "more"],
    } == results_data(results, warnings=["more"])


def test_status_and_refresh_have_these_keys() -> None:
    """The index alone, and the index with what a run did."""
    report = RefreshReport(STATUS, 1, 2, 3, 4, 5, 0.12345, ("rebuilt",))

    assert status_data(STATUS) == INDEX | {"truncated": 5}
    assert refresh_data(report) == INDEX | {
        "truncated": 5,
        "embedded": 4,
        "reused": 5,
        "removed": 3,
        "fallbacks": 0,
        "seconds": 0.123,
        "warnings": ["rebuilt"],
    }


def test_an_index_without_a_model_says_null() -> None:
    """No embedder is not an embedder called nothing."""
    bare = Status(Manifest("/r", "", None, "c", "t", "s"), STATUS.counts)

    assert status_data(bare)["embedder"] is None


def test_skipped_files_are_named() -> None:
    """Path, reason, detail."""
    assert skipped_data(Skipped("a.png", "binary")) == {
        "path": "a.png",
        "reason": "binary",
        "detail": "",
    }


@pytest.mark.parametrize("room", [360, 420, 500])
def test_a_short_hit_fits_and_is_marked(hit_of: Callable[..., Hit], room: int) -> None:
    """Whole lines are kept while the JSON fits, quotes and line ends counted as written."""
    short = short_hit_data(hit_of(), room)

    assert short["shortened"] is True
    assert hit_of().text.startswith(short["text"] + "\n")
    assert data_size(short) <= room
    assert len(json.dumps(short, ensure_ascii=False)) == data_size(short)


def test_a_hit_that_fits_is_not_marked(hit_of: Callable[..., Hit]) -> None:
    """Nothing is added without need."""
    assert hit_data(hit_of()) == short_hit_data(hit_of(), 10_000)
    assert hit_data(hit_of()) == short_hit_data(hit_of(), None)


def test_no_room_leaves_the_place(hit_of: Callable[..., Hit]) -> None:
    """The text goes before anything else does."""
    short = short_hit_data(hit_of(), 10)

    assert (short["text"], short["shortened"], short["start"]) == ("", True, 127)
