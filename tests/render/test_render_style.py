"""Tests of fiuto.render.style."""

from __future__ import annotations

import pytest

from fiuto.render.style import PLAIN, Style, printable, visible_length


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("plain\ttext é 漢 😀", "plain\ttext é 漢 😀"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb", r"a\x0db"),
        ("a\x9bb", r"a\x9bb"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("a\nb", r"a\x0ab"),
    ],
)
def test_printable_writes_commands_as_escapes(raw: str, safe: str) -> None:
    """A file's content cannot clear a screen, go back in a line or turn text around."""
    assert safe == printable(raw)


def test_plain_adds_nothing() -> None:
    """A pipe gets text alone."""
    drawn = [
        PLAIN.path("a"), PLAIN.lines("a"), PLAIN.symbol("a"), PLAIN.mark("a"), PLAIN.match("a"),
        PLAIN.dim("a"), PLAIN.link("a", "p", 1),
    ]  # fmt: skip

    assert drawn == ["a"] * 7


def test_colours_and_links_have_no_visible_length() -> None:
    """A budget counts what is read, not what is drawn with."""
    style = Style(colour=True, links="file://host/root/")

    drawn = style.link(style.path("src/a b.py"), "src/a b.py", 7)

    assert "\x1b]8;;file://host/root/src/a%20b.py#7\x1b\\" in drawn
    assert drawn.endswith("\x1b]8;;\x1b\\")
    assert len("src/a b.py") == visible_length(drawn)
