"""Tests of fiuto.web.highlight: nothing lost, nothing invented, nothing that acts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fiuto.languages import LANGUAGES
from fiuto.render.matches import matcher_of
from fiuto.render.style import printable
from fiuto.web.highlight import PLAIN, coloured, lexer_for


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_lexer(language: str) -> None:
    """But those that are no code."""
    assert (lexer_for(language) is None) == (language in PLAIN)


def test_colours_and_marks() -> None:
    """Eight classes; a mark cuts a piece where a term begins and ends."""
    (line,) = coloured('def block_user(name): return "x"  # 1', "python", matcher_of("user"))

    assert line == [
        ["k", "def"], ["", " "], ["f", "block_"], ["f", "user", 1], ["", "(name): "],
        ["k", "return"], ["", " "], ["s", '"x"'], ["", "  "], ["c", "# 1"],
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="aB_ \t\r\n\"'<>&/*#\u202e\x00é求", max_size=200),
    st.sampled_from(["python", "html", "markdown", "javascript", "text", "c"]),
)
def test_the_pieces_are_the_text(text: str, language: str) -> None:
    """Line by line, with what could act written out."""
    lines = coloured(text, language, matcher_of("ab é"))

    assert ["".join(piece[1] for piece in line) for line in lines] == [
        printable(line) for line in text.split("\n")
    ]


def test_long_lines_are_left_alone() -> None:
    """A minified file would take seconds."""
    text = "a=1;" * 5_000

    assert coloured(text, "javascript") == [[["", text]]]
