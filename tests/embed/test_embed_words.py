"""How the static model cuts a text into word parts."""

import pytest

from fiuto.embed.words import parts_of, pieces_of, runs_of


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        ("should_strip_auth", ["should", "strip", "auth"]),
        ("rebuildMethod", ["rebuild", "method"]),
        ("HTTPSConnectionPool", ["https", "connection", "pool"]),
        ("getHTTP", ["get", "http"]),
        ("utf16le", ["utf", "16", "le"]),
        ("__init__", ["init"]),
        ("MAX_SIZE", ["max", "size"]),
        ("größe_MAX", ["größe", "max"]),
        ("求职者登录", ["求职者登录"]),
        ("___", []),
    ],
)
def test_identifiers_are_cut_at_every_seam(run, parts):
    """Underscores, capitals and digits end a word part; parts are lower-case."""
    assert parts_of(run) == parts


def test_runs_keep_identifiers_whole():
    """A run ends at punctuation and space only."""
    assert runs_of("a.b_c(d2, 'größe')\n") == ["a", "b_c", "d2", "größe"]


def test_unknown_words_fall_into_known_pieces():
    """Words written together are cut from the left, the longest known word first."""
    known = {"net", "netrc", "auth", "rewind", "body"}.__contains__

    assert pieces_of("netrcauth", known) == ["netrc", "auth"]
    assert pieces_of("rewindbody", known) == ["rewind", "body"]


def test_pieces_must_cover_the_whole_word():
    """A word with an unknown rest has no pieces: a chance match says nothing."""
    assert pieces_of("rewindx", {"rewind"}.__contains__) == []
    assert pieces_of("ab", {"a", "b", "ab"}.__contains__) == []


def test_data_is_not_searched_for_words():
    """A very long run of letters is no word, even where words would cover it."""
    assert pieces_of("abc" * 13, {"abc"}.__contains__) == ["abc"] * 13
    assert pieces_of("abc" * 14, {"abc"}.__contains__) == []
