"""Tests of fiuto.render.budget."""

from __future__ import annotations

from collections.abc import Callable

from fiuto.model import Hit
from fiuto.render.budget import fit


def draw(hit: Hit, room: int | None) -> str:
    """A hit as its text, cut to the room."""
    return hit.text if room is None else hit.text[: max(room, 3)]


def fitted(hits: list[Hit], tokens: int | None) -> tuple[tuple[str, ...], str]:
    """What is drawn, and the note."""
    found = fit(hits, draw, len, tokens)
    return found.drawn, found.note


def test_without_a_budget_everything_is_drawn(hit_of: Callable[..., Hit]) -> None:
    """No limit, no note."""
    assert fitted([hit_of(text="aaaa"), hit_of(text="bbbb")], None) == (("aaaa", "bbbb"), "")


def test_a_budget_that_is_just_enough_cuts_nothing(hit_of: Callable[..., Hit]) -> None:
    """Four characters a token."""
    assert fitted([hit_of(text="aaaa"), hit_of(text="bbbb")], 2) == (("aaaa", "bbbb"), "")


def test_the_first_that_does_not_fit_is_shortened_and_is_the_last(
    hit_of: Callable[..., Hit],
) -> None:
    """What comes after it is counted, even if it would fit."""
    hits = [hit_of(text="a" * 6), hit_of(text="b" * 20), hit_of(text="c")]

    assert fitted(hits, 3) == (
        ("aaaaaa", "bbbbbb"),
        "to fit 3 tokens, the last hit is shortened and 1 more is left out",
    )


def test_the_first_hit_is_shown_whatever_the_budget(hit_of: Callable[..., Hit]) -> None:
    """Never "no results" for want of room."""
    drawn, note = fitted([hit_of(text="a" * 50)], 0)

    assert drawn == ("aaa",)
    assert note == "to fit 0 tokens, the last hit is shortened"


def test_a_hit_with_no_room_for_its_place_is_left_out(hit_of: Callable[..., Hit]) -> None:
    """A later hit that cannot even be named is counted instead."""
    hits = [hit_of(text="a" * 7), hit_of(text="b" * 9), hit_of(text="c" * 9)]

    assert fitted(hits, 2) == (("a" * 7,), "to fit 2 tokens, 2 more are left out")
