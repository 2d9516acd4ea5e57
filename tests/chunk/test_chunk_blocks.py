"""Texts without a grammar: headings, the looks of definitions, blank lines."""

from __future__ import annotations

import pytest

from fiuto.chunk.packing import TARGET, limits
from fiuto.chunk.patterns import PATTERNS
from fiuto.chunk.syntax import SyntaxChunker
from fiuto.languages import LANGUAGES

SIZES = limits(TARGET)

PARAGRAPH = "Some words that fill a line of text and say nothing at all.\n" * 12


def chunks(language, text):
    """What the default chunker makes of a text."""
    return SyntaxChunker().chunk("", text, language)


def symbols(language, text):
    """The symbol of each chunk."""
    return [chunk.symbol for chunk in chunks(language, text)]


def test_markdown_is_cut_at_headings():
    """A section is known by the way to it; deeper ones end with their parent."""
    text = (
        f"---\ntitle: x\n---\n# Guide\n{PARAGRAPH}\n## Install `it`\n{PARAGRAPH}\n"
        f"### From [source](http://a.b) ##\n{PARAGRAPH}\nUsage\n-----\n{PARAGRAPH}"
    )

    assert symbols("markdown", text) == [
        "Guide",
        "Guide > Install it",
        "Guide > Install it > From source",
        "Guide > Usage",
    ]
    assert {chunk.kind for chunk in chunks("markdown", text)} == {"section"}


def test_code_in_markdown_is_no_heading():
    """Comments in a fenced block, a ruler and a table are what they are."""
    table = "| a | b |\n|---|---|\n"
    text = f"# One\n```sh\n# no heading\n```\n{PARAGRAPH}\n\n---\n\n{table}{PARAGRAPH}"

    assert set(symbols("markdown", text)) == {"One"}


def test_restructuredtext_is_cut_at_headings():
    """Levels by order of appearance; an overline belongs to its heading."""
    text = (
        f"=====\nGuide\n=====\n{PARAGRAPH}\nInstall\n-------\n{PARAGRAPH}\nDocker\n~~~~~~\n{PARAGRAPH}\n"
        f"Usage\n-----\n{PARAGRAPH}\n====  ====\na     b\n====  ====\n"
    )

    parts = chunks("restructuredtext", text)

    assert [part.symbol for part in parts] == [
        "Guide",
        "Guide > Install",
        "Guide > Install > Docker",
        "Guide > Usage",
    ]
    assert parts[0].start == 1


def test_small_sections_share_a_chunk():
    """A list of one-line sections is not a list of one-line chunks."""
    text = "".join(f"## 1.{i}\n\n- Fix.\n\n" for i in range(10))

    (part,) = chunks("markdown", text)

    assert part.symbol == "1.0"


SAMPLES = {
    "clojure": ("(ns app.core)\n(defn- area [r]\n  r)\n", "app.core area"),
    "dart": ("class A {\n  static int f(int a) {\n  }\n}\nvoid main() {\n}\n", "A A.f main"),
    "hcl": ('resource "aws_s3_bucket" "logs" {\n}\nvariable "x" {\n}\n', "aws_s3_bucket_logs"),
    "julia": ("module M\nfunction f(x)\nend\nstruct S\nend\nend\n", "M f S"),
    "make": ("# doc\nall: a b\n\tcc a\nX := 1\nclean:\n\trm a\n", "all"),
    "objectivec": ("@implementation A\n- (void)run:(int)x {\n}\n@end\n", "A run"),
    "perl": ("package A::B;\nsub area {\n}\n", "A::B area"),
    "powershell": ("Function Get-Area($r) {\n}\n", "Get-Area"),
    "protobuf": ("message A {\n}\nservice S {\n  rpc Get(A) returns (A);\n}\n", "A S S.Get"),
    "r": ("area <- function(r) {\n  r\n}\n", "area"),
    "sql": ('CREATE TABLE IF NOT EXISTS "t" (\n);\ncreate or replace view v as select 1;\n', "t v"),
    "toml": ("[tool.a]\nx = 1\n", "tool.a"),
    "vim": ("function! a#b(c)\nendfunction\n", "a#b"),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_definitions_are_known_by_their_looks(language):
    """Names, qualified where indentation shows what encloses them."""
    text, expected = SAMPLES[language]

    (found,) = symbols(language, text)

    assert sorted(found.split()) == sorted(expected.split())


def test_patterns_are_for_languages_that_exist():
    """A misspelt row would never be used."""
    assert set(PATTERNS) <= {*LANGUAGES, "awk"}


def test_a_comment_belongs_to_the_definition_below():
    """Also where no parser reads it."""
    body = "".join(f"    my $x{i} = call($some, $arguments);\n" for i in range(30))
    text = f"sub one {{\n{body}}}\n\n# About two.\nsub two {{\n{body}}}\n"

    parts = chunks("perl", text)

    assert [(part.symbol, part.kind) for part in parts] == [
        ("one", "function"),
        ("two", "function"),
    ]
    assert parts[1].text.startswith("# About two.\n")


def test_plain_texts_are_cut_at_blank_lines():
    """Paragraphs stay whole while they fit."""
    text = "\n".join([PARAGRAPH] * 9)

    parts = chunks("text", text)

    assert len(parts) > 1
    assert {part.kind for part in parts} == {"text"}
    assert all(part.text.count("\n") % 13 == 11 for part in parts)


def test_indented_texts_are_cut_where_least_is_open():
    """Without blank lines, a new entry on the left is the best place."""
    entry = "service:\n" + "  - some: value of no interest whatsoever\n" * 12
    parts = chunks("yaml", entry * 10)

    assert len(parts) > 1
    assert all(part.text.startswith("service:") for part in parts)
    assert {part.kind for part in parts} == {"block"}


def test_closing_brackets_begin_no_chunk():
    """They finish what stands above them."""
    entry = '  "key": {\n' + '    "some": "value of no interest whatsoever",\n' * 12 + "  },\n"
    parts = chunks("json", "{\n" + entry * 10 + "}\n")

    assert len(parts) > 1
    assert all(part.text.lstrip()[0] in '{"' for part in parts)


def test_pieces_come_near_the_target():
    """Neither crumbs nor lumps."""
    sizes = [
        len("".join(part.text.split())) for part in chunks("css", ("a {\n  b: c;\n}\n\n" * 999))
    ]

    assert all(TARGET / 2 < size <= TARGET for size in sizes[:-1])


def test_blank_stretches_count_for_the_cap():
    """A text of almost nothing but blanks makes no giant chunk."""
    text = "def a():\n    x = 1\n" + (" " * 79 + "\n") * 3000 + "    y = 2\n"

    assert all(len(part.text) <= SIZES.cap for part in chunks("python", text))


@pytest.mark.parametrize("language", ["c", "kotlin", "markdown", "perl", "restructuredtext", "sql"])
@pytest.mark.parametrize(
    "text",
    ["# " + " " * 200_000 + "x", "\n" * 400_000 + "x", "a " * 100_000 + "(", "=" * 200_000 + "x"],
    ids=["blanks", "empty lines", "words", "rule"],
)
def test_no_pattern_runs_away(language, text):
    """Lines of any length and stretches of any kind take a time in proportion to their size."""
    parts = SyntaxChunker().chunk("a.h", text + "\n", language)

    assert "".join("".join(part.text.split()) for part in parts) == "".join(text.split())
