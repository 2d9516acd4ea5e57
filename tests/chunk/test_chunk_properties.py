"""What holds for every chunker, every language and every text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fiuto.chunk import LinesChunker
from fiuto.chunk.grammars import GRAMMARS
from fiuto.chunk.headings import SECTIONED
from fiuto.chunk.packing import TARGET, limits
from fiuto.chunk.patterns import PATTERNS
from fiuto.chunk.sheet import MAX_SLICES
from fiuto.chunk.syntax import SyntaxChunker

SIZES = limits(TARGET)

LANGUAGES = sorted({*GRAMMARS, *PATTERNS, *SECTIONED, "css", "json", "text", "yaml", ""})

PIECES = (
    "def a(x):", "class B {", "}", "{", "(", ")", "function f() {", "fn g() {}", "end", "do",
    "if x:", "    return 1", "\treturn 2;", "// note", "# note", "/* open", "*/", '"', "'", "`",
    "@decorator", "#[attr]", "#ifdef X", "#endif", "impl A for B {", "module M", "x = 1", "a: b",
    "# Title", "Title\n=====", "```", "- item", "---", "<a>", "</a>", "=begin", "=end", "<<EOT",
    "EOT", '"""', "\r\n", "\n", "\n\n", " ", "\x0c", "\u2028", "\r", "\ufeff", "é", "漢字",
    "\N{PILE OF POO}", "\x85", "\x00", "\udc80", "[" * 50, "word " * 400, "x" * 3000,
)  # fmt: skip
"""What code is made of, and what breaks readers of it."""

texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=60).map(
    lambda pieces: "".join(
        piece + ("\n" if i % 3 else "") * (len(piece) > 2) for i, piece in enumerate(pieces)
    )
)
repeated = st.tuples(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4), st.integers(2, 150))
long_texts = repeated.map(lambda made: ("\n".join(made[0]) + "\n") * made[1])


def rows_of(text):
    """Lines as ``sed -n`` counts them."""
    rows = text.split("\n")
    return rows if rows[-1] else rows[:-1]


def check(text, chunks, cap, *, once):
    """Lines are true, sizes hold, order is kept, and nothing that can be seen is lost."""
    rows = rows_of(text)
    held = [[] for _ in rows]
    for chunk in chunks:
        assert 1 <= chunk.start <= chunk.end <= len(rows)
        lines = rows[chunk.start - 1 : chunk.end]
        whole = chunk.text == "\n".join(lines)
        assert whole or (chunk.start == chunk.end and chunk.text in lines[0])
        assert len(chunk.text) <= max(cap, -(-len(text) // MAX_SLICES))
        assert chunk.text.strip()
        for row, line in enumerate(lines if whole else [chunk.text], chunk.start - 1):
            held[row].append(line)
    assert [c.start for c in chunks] == sorted(c.start for c in chunks)
    for row, parts in zip(rows, held, strict=True):
        found = "".join("".join(parts).split())
        wanted = "".join(row.split())
        assert found == wanted if once else wanted in found


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None)
@given(text=st.one_of(texts, long_texts))
def test_syntax_chunks_hold_every_line_once(language, text):
    """Each non-blank line in exactly one chunk, at its true place, within the cap."""
    check(text, SyntaxChunker().chunk("", text, language), SIZES.cap, once=True)


@settings(max_examples=100, deadline=None)
@given(text=st.one_of(texts, long_texts), target=st.integers(5, 700))
def test_line_chunks_hold_every_line(target, text):
    """The same with overlap; the line that completes a chunk may be four targets long."""
    chunks = LinesChunker(target, target // 8).chunk("", text, "")

    check(text, chunks, 5 * 4 * target, once=False)


@settings(max_examples=40, deadline=None)
@given(text=texts)
def test_the_same_text_gives_the_same_chunks(text):
    """Nothing depends on what was cut before, or on another object."""
    chunker = SyntaxChunker()
    first = [chunker.chunk("a", text, language) for language in ("python", "c", "")]

    again = [chunker.chunk("a", text, language) for language in ("python", "c", "")]

    assert first == again
    assert again == [SyntaxChunker().chunk("a", text, language) for language in ("python", "c", "")]


@pytest.mark.parametrize("language", ["javascript", "python", "json", "css", "text", "markdown"])
def test_a_text_on_one_line_is_held_to_a_few_chunks(language):
    """A 900 KB bundle: slices of the line, not thousands of chunks, and no crawl through it."""
    text = "function a(b){return{c:[1,2,3]}};var d=a(e);" * 20_000

    chunks = SyntaxChunker().chunk("app.min.js", text, language)

    assert len(chunks) <= MAX_SLICES + 1
    assert {(c.start, c.end) for c in chunks} == {(1, 1)}
    check(text, chunks, SIZES.cap, once=True)


def test_a_bundle_of_long_lines_is_held_to_a_few_chunks():
    """Minifiers that break lines change nothing."""
    text = ("function a(b){return{c:[1,2,3]}};var d=a(e);" * 12 + "\n") * 1500

    chunks = SyntaxChunker().chunk("app.min.js", text, "javascript")

    assert len(chunks) <= 2 * MAX_SLICES
    check(text, chunks, SIZES.cap, once=True)


@pytest.mark.parametrize("language", sorted(GRAMMARS))
@pytest.mark.parametrize("unit", ["x=>", "(", "a<", "{(", "template<", '"a" ', "if x then\n"])
def test_text_that_parsers_choke_on_is_cut_all_the_same(language, unit):
    """Bounded in time, memory and stack, whether the parser gives up or not."""
    text = (unit * 10 + "\n") * 700

    check(text, SyntaxChunker().chunk("", text, language), SIZES.cap, once=True)


def test_deep_nesting_needs_no_recursion():
    """A statement inside ten thousand others is reached, or let be, without a traceback."""
    text = "".join(" " * depth + f"if x{depth}:\n" for depth in range(900)) + " " * 900 + "pass\n"

    check(text, SyntaxChunker().chunk("", text, "python"), SIZES.cap, once=True)
