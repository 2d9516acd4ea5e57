"""Tests of fiuto.render.matches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiuto.render.matches import matcher_of


def lit(question: str, line: str) -> list[str]:
    """The pieces of ``line`` that ``question`` lights up."""
    return [line[start:end] for start, end in matcher_of(question).spans(line)]


@pytest.mark.parametrize(
    ("question", "line", "pieces"),
    [
        ("redirects", "def rebuild_redirect_url():", ["redirect"]),
        ("redirect", "following redirects", ["redirects"]),
        ("strip auth", "shouldStripAuth(x)", ["StripAuth"]),
        ("should_strip_auth", "self.should_strip_auth()", ["should_strip_auth"]),
        ("should_strip_auth", "ShouldStripAuth()", ["ShouldStripAuth"]),
        ("HTTP server", "class HTTPServer:", ["HTTPServer"]),
        ("größe", "# die Größe der Datei", ["Größe"]),
        ("求职者登录", "# 求职者在此登录", ["求职者", "登录"]),
        ("unrelated", "def send():", []),
        ("where do we block", "where do we block users", ["block"]),
        ("to be or not to be", "not to be", ["not", "to", "be"]),
        ("don't send", "I don't send this", ["send"]),
        ("", "anything", []),
    ],
)
def test_spans_follow_the_rule_that_finds(question: str, line: str, pieces: list[str]) -> None:
    """What is lit up is what the keyword side matches, without words that all lines hold."""
    assert pieces == lit(question, line)


def test_terms_in_counts_distinct_terms() -> None:
    """A term that stands in a line twice counts once."""
    matcher = matcher_of("proxy bypass")

    assert {"proxy"} == matcher.terms_in("proxy = proxy or no_proxy")


def test_a_huge_line_is_read_only_at_its_start() -> None:
    """A minified bundle costs no more than its first characters."""
    line = "x " * 5_000 + "needle"

    assert lit("needle", line) == []
    assert lit("needle", "x " * 100 + "needle") == ["needle"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_spans_are_ordered_apart_and_inside(question: str, line: str) -> None:
    """Whatever the characters, spans can be cut out one after the other."""
    last = -1
    for start, end in matcher_of(question).spans(line):
        assert last < start < end <= len(line)
        last = end
