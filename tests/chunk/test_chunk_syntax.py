"""What is defined where: small samples of every language, written by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fiuto.chunk.grammars import GRAMMARS
from fiuto.chunk.packing import TARGET, limits
from fiuto.chunk.syntax import SyntaxChunker
from fiuto.protocols import Chunker

SIZES = limits(TARGET)

SAMPLES = Path(__file__).parents[1] / "data" / "chunk"
"""A source for each language, ``python.txt`` and so on."""

NAMES = {
    "bash": "f g h",
    "c": "N MAX s t tag cb e f g table h",
    "cpp": "X X.X X.f X.operator== X.In X.In.g X.h X.k X.~X T1 Suite.Case",
    "csharp": "C C.C C.P C.M C.operator_+ C.S C.S.N I I.Q E R",
    "elixir": "A.B A.B.f A.B.g A.B.m A.B.none A.B.In A.B.In.q P P.z P.A.B P.A.B.z",
    "go": "Context.Next Map.Get F X A B C1 v",
    "haskell": "f f' D K K.m K.Tree K.Tree.m T +++",
    "java": "A A.A A.m A.I A.I.z A.E A.E.e R",
    "javascript": "f a b A A.x A.constructor A.y A.#p Foo.bar c named g k k.m",
    "kotlin": "A A.z A.constructor A.m A.c String.ext List.ext2 O O.o I I.i E E.e T top",
    "lua": "M M.fun M.meth loc M.x y",
    "php": "C C.m f I I.q T E E.m x",
    "python": "Y A A.m A.N A.N.q f g h Z",
    "ruby": "A.B A.B.C A.B.C.X A.B.C.m A.B.C.s A.B.C.t A.B.C.pp A.B.C.foo Foo Foo.bar",
    "rust": "S S.fmt S.new Tr Tr.a inner inner.x m E C Flags",
    "scala": "A A.m O O.i O.o T T.t ee",
    "swift": "A A.x A.init A.m A.B A.B.e S E E.f P P.p g",
    "typescript": "A A.m A.n A.f I I.a T E N N.g f",
    "tsx": "View Other P",
    "zig": "f S S.m x",
}
"""Every name that the sample of a language defines."""


def sample(language):
    """The source that stands for a language."""
    return (SAMPLES / f"{language}.txt").read_text()


def chunks(language, source, path=""):
    """What the default chunker makes of a source."""
    return SyntaxChunker().chunk(path, source, language)


def names(parts):
    """All names that chunks hold."""
    return [name for part in parts for name in part.symbol.split()]


def long_body(line, times=120):
    """Lines of distinct statements, well over what one chunk holds."""
    return "".join(line.format(i=i) + "\n" for i in range(times))


def test_every_grammar_has_a_sample():
    """A language added to the table must be added here."""
    assert set(NAMES) == {path.stem for path in SAMPLES.iterdir()} == set(GRAMMARS)


@pytest.mark.parametrize("language", sorted(NAMES))
def test_names_what_a_source_defines(language):
    """Each name once, qualified by what encloses it; nothing that is only mentioned."""
    chunker = SyntaxChunker()

    found = names(chunker.chunk("", sample(language), language))

    assert sorted(found) == sorted(NAMES[language].split())
    assert chunker.fallbacks == 0


@pytest.mark.parametrize("language", sorted(NAMES))
def test_a_windows_text_has_the_same_lines(language):
    """Carriage returns, a byte order mark or an emoji in front shift no line."""
    source = sample(language)
    plain = [(c.start, c.end, c.symbol) for c in chunks(language, source)]

    windows = chunks(language, source.replace("\n", "\r\n"))

    assert [(c.start, c.end, c.symbol) for c in windows] == plain


CLASSES = {
    "java": ("class Big {\n  int a;\n", "  /** Says {n}. */\n  void {n}() {{\n{b}  }}\n\n", "}\n",
             "    call({i}, some, arguments);", "method"),
    "python": ('class Big:\n    """Doc."""\n', "    # Says {n}.\n    def {n}(self):\n{b}\n", "",
               "        call({i}, some, arguments)", "method"),
    "rust": ("impl Big {\n", "    /// Says {n}.\n    fn {n}() {{\n{b}    }}\n\n", "}\n",
             "        call({i}, some, arguments);", "method"),
    "ruby": ("class Big\n", "  # Says {n}.\n  def {n}\n{b}  end\n\n", "end\n",
             "    call({i}, some, arguments)", "method"),
    "elixir": ("defmodule Big do\n", "  # Says {n}.\n  def {n}() do\n{b}  end\n\n", "end\n",
               "    call({i}, some, arguments)", "function"),
    "typescript": ("export class Big {\n", "  /** Says {n}. */\n  {n}() {{\n{b}  }}\n\n", "}\n",
                   "    call({i}, some, args);", "method"),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(CLASSES))
def test_methods_of_a_big_class_stand_apart_with_their_comments(language):
    """One chunk a method, its comment first; the class's first line goes with its header."""
    head, method, tail, line, kind = CLASSES[language]
    body = long_body(line, 40)
    source = head + "".join(method.format(n=n, b=body) for n in ("one", "two", "six")) + tail

    parts = chunks(language, source)

    by_name = {name: part for part in parts for name in part.symbol.split()}
    assert sorted(by_name) == ["Big", "Big.one", "Big.six", "Big.two"]
    assert by_name["Big"].start == 1
    for name in ("two", "six"):
        part = by_name[f"Big.{name}"]
        assert (part.symbol, part.kind) == (f"Big.{name}", kind)
        assert f"Says {name}." in part.text.split("\n")[0]


FUNCTIONS = {
    "c": ("int big(int a) {\n", "  call({i}, some, arguments);", "}\n"),
    "go": ("func big() {\n", "\tcall({i}, some, arguments)", "}\n"),
    "javascript": ("const big = () => {\n", "  call({i}, some, args);", "};\n"),
    "kotlin": ("fun big() {\n", "  call({i}, some, arguments)", "}\n"),
    "lua": ("local function big()\n", "  call({i}, some, arguments)", "end\n"),
    "php": ("<?php\nfunction big() {\n", "  call({i}, $some, $arguments);", "}\n"),
    "python": ("@decorated\ndef big(a):\n", "    call({i}, some, arguments)", ""),
    "swift": ("func big() {\n", "  call({i}, some, arguments)", "}\n"),
    "zig": ("fn big() void {\n", "    call({i}, some, arguments);", "}\n"),
}


@pytest.mark.parametrize("language", sorted(FUNCTIONS))
def test_a_long_function_is_cut_and_every_piece_knows_it(language):
    """The first piece is the function, the others parts of it; the next function is neither."""
    head, line, tail = FUNCTIONS[language]
    source = head + long_body(line) + tail

    parts = chunks(language, source)

    kinds = [part.kind for part in parts if part.symbol == "big"]
    assert len(kinds) == len(parts) > 1
    assert kinds == ["function"] + ["part"] * (len(kinds) - 1)
    assert all(len("".join(part.text.split())) <= SIZES.whole for part in parts)


@pytest.mark.parametrize("times", range(100, 160, 7))
def test_a_long_function_leaves_no_crumb(times):
    """Its last few lines stay with the piece before them, also when more follows."""
    body = long_body("    call({i}, some, arguments)", times)

    parts = chunks("python", f"def big(a):\n{body}\n\ndef other():\n{body}")

    assert {part.symbol for part in parts} == {"big", "other"}
    assert all(SIZES.small <= len("".join(part.text.split())) <= SIZES.whole for part in parts)


def test_a_definition_below_a_very_long_comment_is_still_found_at_its_line():
    """The comment may need chunks of its own; they are parts, and the definition is not."""
    comment = "".join(f"# Line {i} of a comment that never ends.\n" for i in range(90))
    source = f"{comment}def small():\n    return 1\n"

    *before, last = chunks("python", source)

    assert {part.symbol for part in before} == {"small"}
    assert {part.kind for part in before} == {"part"}
    assert (last.symbol, last.kind) == ("small", "function")
    assert "def small" in last.text


def test_long_functions_are_cut_between_statements():
    """A statement over several lines is not torn apart while its neighbours fit."""
    statement = "    call(\n        {i},\n        some,\n        arguments,\n    )"
    parts = chunks("python", "def big(a):\n" + long_body(statement))

    assert len(parts) > 1
    assert all(part.text.startswith(("def big", "    call(")) for part in parts)
    assert all(part.text.endswith("    )") for part in parts)


def test_definitions_inside_a_long_function_carry_its_name():
    """What a factory defines can be found by name; what stands between belongs to the factory."""
    inner = "  function inner() {\n" + long_body("    call({i}, some, args);", 90) + "  }\n"
    source = (
        "function factory() {\n" + long_body("  call({i}, a);", 60) + inner + "  return 1;\n}\n"
    )

    found = names(chunks("javascript", source))

    assert "factory.inner" in found
    assert set(found) == {"factory", "factory.inner"}


def test_neighbours_too_small_to_be_found_alone_share_a_chunk():
    """Ten one-line functions are one chunk that knows all ten, the largest first."""
    source = (
        "".join(f"def f{i}(): return {i}\n" for i in range(9)) + "def largest(): return 12345\n"
    )

    (part,) = chunks("python", source)

    assert part.symbol.split() == ["largest", *(f"f{i}" for i in range(9))]
    assert part.kind == "function"


def test_large_neighbours_do_not_share_a_chunk():
    """Two functions that both say enough are found apart."""
    body = long_body("    call({i}, some, arguments)", 22)

    parts = chunks("python", f"def one():\n{body}\n\ndef two():\n{body}\n")

    assert [part.symbol for part in parts] == ["one", "two"]


def test_a_comment_belongs_to_what_follows_it_directly():
    """A blank line parts a licence from a function, not a comment from its own."""
    body = long_body("    call({i}, some, arguments)", 25)
    licence = "# Licence\n" + "# of many words\n" * 60
    source = (
        f"{licence}\n# About one.\ndef one():\n{body}\n# About two.\n@decorated\ndef two():\n{body}"
    )

    parts = chunks("python", source)

    assert [part.symbol for part in parts] == ["", "one", "two"]
    assert parts[1].text.startswith("# About one.\n")
    assert parts[2].text.startswith("# About two.\n@decorated\n")


def test_a_comment_behind_a_statement_stays_there():
    """What stands on the same line is not about the next definition."""
    body = long_body("    call({i}, some, arguments)", 25)
    source = f"def one():\n{body}LAST = 1  # about LAST\ndef two():\n{body}"

    parts = chunks("python", source)

    assert parts[-1].text.startswith("def two")


def test_a_class_names_the_chunk_that_it_begins():
    """Although its first method is longer than its own header."""
    body = long_body("        call({i}, some, arguments)", 45)
    source = f"class A:\n    x = 1\n\n    def m(self):\n{body}\n    def n(self):\n{body}"

    first = chunks("python", source)[0]

    assert (first.symbol, first.kind) == ("A A.m", "class")


def test_clauses_of_one_function_stay_together():
    """Several equations, clauses or overloads are one definition with one name."""
    source = "f :: Int -> Int\n" + "".join(
        f"f {i} = {i} + some + more + words\n" for i in range(60)
    )

    parts = chunks("haskell", source)

    assert {part.symbol for part in parts} == {"f"}


def test_headers_in_cpp_are_read_as_cpp():
    """The ending .h belongs to two languages."""
    source = "namespace a {\nclass X {\n public:\n  int f() { return 1; }\n};\n}\n"

    assert names(chunks("c", source, "a.h")) == ["X", "X.f"]
    assert names(chunks("c", "int class(int template) { return 1; }\n", "a.h")) == ["class"]


def test_macros_alone_on_a_line_do_not_hide_a_definition():
    """Blanked for the parser, kept in the text."""
    source = "FMT_BEGIN_NAMESPACE\n\nFMT_EXPORT\nclass X {\n  FMT_INLINE X(int a) : b(a) {}\n};\n"

    parts = chunks("cpp", source)

    assert names(parts) == ["X", "X.X"]
    assert parts[0].text.startswith("FMT_BEGIN_NAMESPACE")


def test_broken_code_is_still_cut_and_named():
    """Errors cost names near them, not the file."""
    source = "def a(:\n    pass\n\n\ndef good():\n    return 1\n\nclass ((\n"

    found = names(chunks("python", source))

    assert "good" in found


def test_code_that_a_grammar_cannot_read_is_read_by_its_looks():
    """Kotlin's guard conditions turn a whole file into one error; the names are found anyway."""
    source = (
        "package a\n\n/** Doc. */\nclass Reader : Base<UUID>() {\n"
        "    override fun read(value: Any): UUID = when (value) {\n"
        "        is String if value.isHex() -> UUID.from(value)\n"
        '        else -> error("no")\n    }\n}\n\n'
        "fun Table.column(name: String): Column<UUID> = register(name)\n"
    )
    chunker = SyntaxChunker()

    found = names(chunker.chunk("a.kt", source, "kotlin"))

    assert found[:2] == ["Reader", "Reader.read"]
    assert "column" in found
    assert chunker.fallbacks == 1


def test_identity_and_protocol():
    """A name with a version, and all that the protocol asks."""
    chunker = SyntaxChunker()

    assert chunker.identity == "syntax/1 (1500 characters)"
    assert isinstance(chunker, Chunker)


def test_blank_texts_have_no_chunks():
    """Nothing to find, nothing to store."""
    assert chunks("python", "") == chunks("python", " \n\t\n\x0c") == chunks("", "\n") == []


def test_only_the_grammar_that_is_needed_is_imported():
    """Importing the chunker loads no parser; cutting Python loads Python's."""
    code = (
        "import sys; from fiuto.chunk.syntax import SyntaxChunker as C\n"
        "before = [m for m in sys.modules if m.startswith('tree_sitter')]\n"
        "C().chunk('a.py', 'def a(): pass', 'python')\n"
        "after = {m.split('.')[0] for m in sys.modules if m.startswith('tree_sitter')}\n"
        "print(before, sorted(after))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[] ['tree_sitter', 'tree_sitter_python']"


def test_two_definitions_on_one_line_are_both_known():
    """A row is one mark, whatever begins on it."""
    source = "class A { void m() {} } class B { void n() {} }\n"

    assert sorted(names(chunks("java", source))) == ["A", "A.m", "B", "B.n"]
