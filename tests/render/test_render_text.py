"""Tests of fiuto.render.text."""

from __future__ import annotations

import re
from collections.abc import Callable

from fiuto.model import Hit
from fiuto.render.matches import matcher_of
from fiuto.render.style import Style
from fiuto.render.text import SHORTENED, Page, block, grep_line, path_line


def page(question: str = "authorization header", **more: object) -> Page:
    """What to draw for ``question``."""
    return Page(matcher_of(question), **more)


def test_a_block_gives_place_symbol_and_numbered_lines(hit_of: Callable[..., Hit]) -> None:
    """What a pipe gets for a hit, to the letter."""
    assert block(hit_of(), page()) == (
        "src/sessions.py:127-137  Session.should_strip_auth\n"
        "  127  def should_strip_auth(self, old_url, new_url):\n"
        '  128      """Decide whether Authorization header should be removed when redirecting"""\n'
        "  129      old_parsed = urlparse(old_url)\n"
        "  130      new_parsed = urlparse(new_url)\n"
        "  131      if old_parsed.hostname != new_parsed.hostname:\n"
        "  132          return True\n"
    )


def test_marks_say_what_is_not_as_usual(hit_of: Callable[..., Hit]) -> None:
    """Label, staleness and copies are told; a hit without a symbol has no gap."""
    hit = hit_of(symbol="", label="test", verified=False, copies=("w1/a.py", "w2/a.py"))

    assert (
        (block(hit, page(prefix="../x/")).splitlines()[0])
        == "../x/src/sessions.py:127-137  [test]  (stale)  +2 copies"
    )
    assert "+1 copy" in block(hit_of(copies=("a",)), page())


def test_of_many_names_those_asked_about_come_first(hit_of: Callable[..., Hit]) -> None:
    """A run of small definitions has all their names, the largest first."""
    many = hit_of(symbol="Retry Ok A.send_header B.header Close")
    heading = hit_of(symbol="How to set a header by hand", kind="section")

    assert block(many, page()).splitlines()[0].endswith("  A.send_header B.header Retry +2")
    assert block(heading, page()).splitlines()[0].endswith("  How to set a header by hand")
    assert block(hit_of(symbol="x" * 300), page()).splitlines()[0].endswith("x…")


def test_explain_shows_the_sum(hit_of: Callable[..., Hit]) -> None:
    """The parts stand right under the place."""
    assert (
        block(hit_of(), page(explain=True)).splitlines()[1]
        == "  0.0300 = lexical 0.0200 + semantic 0.0100 (lexical rank 1, semantic rank 7)"
    )


def test_a_terminal_gets_colours_matches_and_a_link(hit_of: Callable[..., Hit]) -> None:
    """Escapes go around the text and change none of it."""
    style = Style(colour=True, width=60, links="file://host/root/")
    drawn = block(hit_of(), page(style=style))
    bare = re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;.*?\x1b\\", "", drawn)

    assert "\x1b[1;31mAuthorization\x1b[0m" in drawn
    assert "\x1b]8;;file://host/root/src/sessions.py#127\x1b\\" in drawn
    assert bare.startswith("src/sessions.py:127-137  Session.should_strip_auth\n")
    assert max(map(len, bare.splitlines()[1:])) <= 60


def test_a_long_line_is_cut_around_its_match(hit_of: Callable[..., Hit]) -> None:
    """A minified line shows the place that matters, and says that it was cut."""
    drawn = block(hit_of(text="x" * 900 + " header " + "y" * 900), page()).splitlines()[1]

    assert " header " in drawn
    assert "  127  …x" in drawn
    assert drawn.endswith("y…")
    assert len(drawn) < 260


def test_a_long_line_whose_match_stands_early_is_cut_at_its_end(
    hit_of: Callable[..., Hit],
) -> None:
    """Nothing is cut from the start without need."""
    drawn = block(hit_of(text="header " + "y" * 900), page()).splitlines()[1]

    assert drawn.startswith("  127  header y")
    assert drawn.endswith("…")


def test_content_cannot_command_the_terminal(hit_of: Callable[..., Hit]) -> None:
    """Escapes in text, symbol and path are written out."""
    drawn = block(hit_of(text="\x1b[2Jheader\r", symbol="\x1bS", path="a\x1b.py"), page())

    assert "\x1b" not in drawn
    assert "\r" not in drawn
    assert r"\x1b[2Jheader" in drawn


def test_too_little_room_shortens_and_says_so(hit_of: Callable[..., Hit]) -> None:
    """The place is always whole, lines are kept while they fit."""
    whole = block(hit_of(), page())
    some = block(hit_of(), page(), 180)
    none = block(hit_of(), page(), 5)

    assert whole == block(hit_of(), page(), len(whole))
    assert len(some) <= 180
    assert whole.splitlines()[:2] == some.splitlines()[:2]
    assert f"  {SHORTENED}" == some.splitlines()[-1]
    assert f"src/sessions.py:127-137  Session.should_strip_auth\n  {SHORTENED}\n" == none


def test_grep_line_points_at_the_first_match_of_the_best_line(hit_of: Callable[..., Hit]) -> None:
    """path:line:column:text; the column counts bytes, as editors do."""
    hit = hit_of(text="first\n  größe = header\nlast")

    assert grep_line(hit, page("header")) == "src/sessions.py:128:13:  größe = header\n"
    assert grep_line(hit, page("größe header")) == "src/sessions.py:128:3:  größe = header\n"
    assert grep_line(hit, page("absent")) == "src/sessions.py:127:1:first\n"


def test_grep_line_is_shortened_within_its_room(hit_of: Callable[..., Hit]) -> None:
    """One line stays one line."""
    line = grep_line(hit_of(), page(), 60)

    assert line.startswith("src/sessions.py:128:23:")
    assert line.endswith(f"{SHORTENED}\n")
    assert len(line) == 60


def test_path_line_is_safe_on_a_terminal_and_exact_in_a_pipe(hit_of: Callable[..., Hit]) -> None:
    """Other programs open the path; a person only reads it."""
    hit = hit_of(path="a\x1b.py")

    assert path_line(hit, page(prefix="x/")) == "x/a\x1b.py\n"
    assert path_line(hit, page(style=Style(width=80))) == "a\\x1b.py\n"
