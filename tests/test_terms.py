"""The same text gives the same terms, whether it is indexed or asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiuto.terms import identifiers, split_identifier, stem, terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("should_strip_auth", ["should", "strip", "auth", "shouldstripauth"]),
        ("shouldStripAuth", ["should", "strip", "auth", "shouldstripauth"]),
        ("HTTPServer2", ["http", "server", "2", "httpserver2"]),
        ("__init__", ["init"]),
        ("UTF-16", ["utf", "16", "utf16"][:2]),
        ("größe", ["größe".casefold()]),
        ("Привет, мир", ["привет", "мир"]),
        ("求职者登录", ["求职", "职者", "者登", "登录"]),
        ("登", ["登"]),
        ("get求职data", ["get", "求职", "data"]),
        ("don't", ["don", "t"]),
        ("\"'()*&^%$#@!", []),
        ("", []),
        ("a\u2028b\fc\rd", ["a", "b", "c", "d"]),
    ],
)
def test_terms(text, wanted):
    """Identifiers are split and kept whole; words stay whole; CJK becomes pairs."""
    assert terms(text) == wanted


def test_snake_and_camel_are_one_name():
    """Whole identifiers meet across naming styles."""
    assert terms("rawBody") == terms("raw_body") == terms("RAW_BODY")


def test_very_long_runs_are_cut():
    """A megabyte of base64 is one short term, not a megabyte."""
    (term,) = terms("x" * 1_000_000)
    assert len(term) == 64


def test_identifiers_keep_their_form():
    """Distinct words as written, in order."""
    assert identifiers("a.b_c(a, dE)") == ["a", "b_c", "dE"]


def test_split_identifier_keeps_case():
    """Parts are as written."""
    assert split_identifier("getHTTPResponse_42b") == ["get", "HTTP", "Response", "42", "b"]
    assert split_identifier("größeÄnderung2x") == ["größe", "Änderung", "2", "x"]


@pytest.mark.parametrize("same", [["redirect", "redirects", "redirected", "redirecting"]])
def test_inflections_meet(same):
    """The endings that questions and code differ in do not keep them apart."""
    assert len({stem(word) for word in same}) == 1


@pytest.mark.parametrize("word", ["class", "bus", "this", "ring", "red", "größen", "2s"])
def test_stem_leaves_other_words(word):
    """Nothing short, irregular or foreign is cut."""
    assert stem(word) == word


@given(st.text())
def test_terms_are_stable(text):
    """No text raises; every term is a non-empty folded word without blanks."""
    for term in terms(text):
        assert term
        assert term == term.casefold() or not term.isascii()
        assert not any(c.isspace() for c in term)


@given(st.lists(st.text(max_size=20), max_size=5))
def test_lines_are_independent(lines):
    """Terms of lines joined are the terms of the lines, so chunks and files agree."""
    assert terms("\n".join(lines)) == [t for line in lines for t in terms(line)]
