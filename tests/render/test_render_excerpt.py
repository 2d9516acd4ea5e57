"""Tests of fiuto.render.excerpt."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fiuto.render.excerpt import best_line, excerpt
from fiuto.render.matches import matcher_of


def lines_with(**special: str) -> str:
    """Twenty lines that hold nothing, and the given ones (``at7="…"``)."""
    return "\n".join(special.get(f"at{i}", f"filler {i}") for i in range(20))


def test_the_window_holds_the_most_distinct_terms() -> None:
    """Two terms near each other beat one term many times."""
    text = lines_with(at1="proxy proxy", at2="proxy", at12="bypass", at14="proxy")

    found = excerpt(text, 100, matcher_of("bypass proxy"))

    assert found.first == 110
    assert found.lines == ("filler 10", "filler 11", "bypass", "filler 13", "proxy", "filler 15")


def test_a_definition_is_shown_from_its_first_line_where_the_terms_stand_near() -> None:
    """A window that can begin where the hit begins does."""
    found = excerpt(lines_with(at4="needle"), 1, matcher_of("needle"))

    assert found.first == 1
    assert found.lines[4] == "needle"


def test_two_lines_of_context_stand_above_a_far_match() -> None:
    """The first match is neither at the top nor at the bottom of the window."""
    found = excerpt(lines_with(at10="needle"), 1, matcher_of("needle"))

    assert found.lines[2] == "needle"
    assert found.first == 9


def test_without_a_match_the_hit_is_shown_from_its_first_line_with_text() -> None:
    """A hit by meaning has no word to show."""
    found = excerpt("\n\nfirst\nsecond\n\n", 5, matcher_of("needle"))

    assert found.first == 7
    assert found.lines == ("first", "second")


def test_best_line_prefers_more_terms_then_rarer_ones_then_the_first() -> None:
    """The line an editor jumps to."""
    text = "common\ncommon\nrare\ncommon rare\nrare"

    assert best_line(text, matcher_of("common rare")) == 3
    assert best_line("common\ncommon\nrare\ncommon", matcher_of("common rare")) == 2
    assert best_line("common\ncommon", matcher_of("common")) == 0
    assert best_line("\nx\ny", matcher_of("needle")) == 1


@given(st.lists(st.sampled_from(["", " ", "alpha", "beta", "alpha beta", "x"]), min_size=1))
def test_line_numbers_are_true(lines: list[str]) -> None:
    """Each line shown stands in the text under its number, six at most, blank ends cut."""
    found = excerpt("\n".join(lines), 10, matcher_of("alpha beta"))

    assert 1 <= len(found.lines) <= 6
    assert list(found.lines) == lines[found.first - 10 :][: len(found.lines)]
    if any(line.strip() for line in lines):
        assert found.lines[0].strip()
        assert found.lines[-1].strip()
