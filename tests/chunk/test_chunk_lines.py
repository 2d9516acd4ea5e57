"""The article's rule, on texts small enough to count by hand."""

from __future__ import annotations

import pytest

from fiuto.chunk import LinesChunker


def cut(text, **settings):
    """Start and end of each chunk."""
    return [(c.start, c.end) for c in LinesChunker(**settings).chunk("a.py", text, "python")]


def test_grows_until_the_target_and_steps_back_by_the_overlap():
    """Ten characters a line with its newline; 40 reach the target, 10 the overlap."""
    text = "123456789\n" * 10

    assert cut(text, target=10, overlap=2) == [(1, 4), (4, 7), (7, 10)]


def test_the_line_that_reaches_the_target_is_the_last_one():
    """A line belongs to the chunk that it completes, however long it is."""
    text = "a\n" + "b" * 60 + "\nc\n"

    assert cut(text, target=10, overlap=0) == [(1, 2), (3, 3)]


def test_counts_characters_not_bytes():
    """Two bytes a letter make no chunk shorter."""
    assert cut("é" * 9 + "\n" + "é" * 9 + "\n", target=5, overlap=0) == [(1, 2)]


def test_always_moves_forward():
    """An overlap as large as the target cannot stand still."""
    assert cut("12345\n" * 4, target=2, overlap=2) == [(1, 2), (2, 3), (3, 4)]


def test_blank_chunks_are_dropped():
    """Lines of blanks alone are no chunk, but they keep their numbers."""
    assert cut("   \n" * 20 + "x\n", target=10, overlap=0) == [(21, 21)]


def test_a_final_newline_starts_no_line():
    """Neither a last line end nor its absence shifts the end; only a line feed ends a line."""
    assert cut("a\nb") == cut("a\nb\n") == [(1, 2)]
    assert cut("a\r\nb\u2028c\x0cd\re\n") == [(1, 2)]
    assert cut("") == []
    assert cut("\n\n") == []


def test_text_is_the_lines_joined():
    """Carriage returns and trailing blanks stay as they are."""
    (chunk,) = LinesChunker().chunk("a", "  a \r\nb\r\n", "")

    assert (chunk.text, chunk.kind, chunk.symbol) == ("  a \r\nb\r", "lines", "")


def test_a_huge_line_is_cut_into_few_parts_of_itself():
    """800,000 characters on one line: sixteen parts at most, nothing lost, neighbours apart."""
    line = "word " * 160_000
    chunks = LinesChunker().chunk("a", f"before\n{line}\nafter\n", "")

    parts = [c for c in chunks if c.start == 2]
    assert 1 < len(parts) <= 17
    assert "".join("".join(c.text for c in parts).split()) == "word" * 160_000
    assert all(set(c.text.split()) == {"word"} for c in parts)
    assert [(c.start, c.end) for c in chunks if c not in parts] == [(1, 1), (3, 3)]


@pytest.mark.parametrize(("target", "overlap"), [(700, 80), (350, 0)])
def test_identity_tells_the_settings(target, overlap):
    """Other sizes are another chunker."""
    identity = LinesChunker(target, overlap).identity

    assert identity == f"lines/1 ({target} tokens, overlap {overlap})"
