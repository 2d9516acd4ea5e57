"""The bounds within which a text is parsed."""

from __future__ import annotations

import sys
import threading

import pytest

from fiuto.chunk import grammars, parsing
from fiuto.chunk.parsing import parse
from fiuto.chunk.syntax import SyntaxChunker


def test_what_is_read_keeps_its_rows():
    """Macros are blanked for the parser at their place."""
    tree = parse(b"FMT_BEGIN\nint a;\n", "c")

    assert tree is not None
    assert [child.start_point[0] for child in tree.root_node.children] == [1]


@pytest.mark.parametrize(
    "source",
    [
        b"def a():\n    '\0'\n",
        b"[\n" * 6000,
        b"x=>\n" * 20_000,
    ],
    ids=["binary", "nested", "senseless"],
)
def test_refuses_what_it_cannot_gain_from(source):
    """NUL bytes, brackets without end, and text that makes the parser work for nothing."""
    assert parse(source, "java") is None


def test_what_is_refused_is_counted_and_cut_anyway():
    """A number to show, so that nobody wonders where the symbols are."""
    chunker = SyntaxChunker()

    parts = chunker.chunk("a.py", "def a():\n    '\0'\n", "python")

    assert [part.text for part in parts] == ["def a():\n    '\0'"]
    assert chunker.fallbacks == 1


def test_gives_up_when_time_is_over(monkeypatch):
    """The last bound, for grammars that crawl without looking busy."""
    monkeypatch.setattr(parsing, "_SECONDS", -1.0)

    assert parse(b"def a():\n    pass\n" * 100, "python") is None


def test_a_missing_wheel_is_a_fallback(monkeypatch):
    """A machine without one grammar still finds text in that language."""
    monkeypatch.setitem(
        grammars.GRAMMARS, "zig", grammars.GRAMMARS["zig"].__class__("no_such_wheel")
    )
    chunker = SyntaxChunker()

    parts = chunker.chunk("a.zig", "fn a() void {}\n", "zig")

    assert [part.kind for part in parts] == ["block"]
    assert chunker.fallbacks == 1


def test_large_sources_are_parsed_with_more_stack(monkeypatch):
    """In a thread of their own, with the size restored afterwards."""
    names = []
    monkeypatch.setattr(parsing, "_USUAL_STACK", 0)
    inner = parsing._parse
    monkeypatch.setattr(
        parsing, "_parse", lambda *a: names.append(threading.current_thread().name) or inner(*a)
    )

    assert parse(b"x = 1\n", "python") is not None
    assert names == ["fiuto-parse"]
    assert threading.stack_size() == 0


def test_one_chunker_serves_several_threads():
    """Each parse has a parser of its own."""
    chunker = SyntaxChunker()
    source = "".join(f"def f{i}():\n    return {i}\n\n\n" for i in range(300))
    expected = chunker.chunk("a.py", source, "python")
    results = []

    def work():
        results.extend(chunker.chunk("a.py", source, "python") == expected for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [True] * 20


def test_parsed_sources_are_let_go():
    """The binding keeps what a read returned; it must never be the source itself."""
    sources = [(f"def f{i}():\n    pass\n" * 40 * i).encode() for i in range(1, 30)]
    before = [sys.getrefcount(source) for source in sources]

    assert all(parse(source, "python") for source in sources)
    assert [sys.getrefcount(source) for source in sources] == before


def test_sources_longer_than_a_window_are_read_whole():
    """Also where a window ends inside a character."""
    source = ("# é漢\n" * 9000 + "def last():\n    pass\n").encode()

    tree = parse(source, "python")

    assert tree is not None
    assert not tree.root_node.has_error
    assert tree.root_node.children[-1].start_point[0] == 9000
