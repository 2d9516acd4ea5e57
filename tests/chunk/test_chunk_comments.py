"""Definitions with the comments that document them, in every kind of language."""

from __future__ import annotations

import pytest

from fiuto.chunk.comments import doc_comments

CASES = {
    "python": (
        '@cache\ndef area(r):\n    """Size.\n\n    r: radius\n    """\n    return 3 * r\n',
        ("area", "function", 2, 7, 3, 6),
    ),
    "javascript": (
        "/**\n * Adds up.\n */\nexport const sum = (a, b) => {\n  return a + b;\n};\n",
        ("sum", "function", 4, 6, 1, 3),
    ),
    "typescript": (
        "class A {\n  /** Opens it. */\n  @log()\n  open(): void {\n    go();\n  }\n}\n",
        ("open", "method", 4, 6, 2, 2),
    ),
    "go": (
        "package a\n\n// Next moves on.\n// It may wait.\nfunc (c *C) Next() {\n\tc.i++\n}\n",
        ("Next", "method", 5, 7, 3, 4),
    ),
    "rust": (
        "impl A {\n    /// Says so.\n    #[inline]\n    fn say() -> u8 {\n        1\n    }\n}\n",
        ("say", "function", 4, 6, 2, 2),
    ),
    "java": (
        "class A {\n  /**\n   * Reads.\n   */\n  @Override\n  int read() {\n    go();\n  }\n}\n",
        ("read", "method", 6, 8, 2, 4),
    ),
    "c": (
        "/* Frees it. */\nstatic void\nrelease(int *p)\n{\n  free(p);\n}\n",
        ("release", "function", 3, 6, 1, 1),
    ),
    "csharp": (
        "class A {\n  /// <summary>Is on.</summary>\n  public bool On() {\n    return x;\n  }\n}\n",
        ("On", "method", 3, 5, 2, 2),
    ),
    "ruby": (
        "class A\n  # Puts back.\n  def undo\n    x\n  end\nend\n",
        ("undo", "method", 3, 5, 2, 2),
    ),
    "php": (
        "<?php\n/**\n * Sends.\n */\nfunction post($a) {\n  return $a;\n}\n",
        ("post", "function", 5, 7, 2, 4),
    ),
    "lua": ("--- Opens.\nfunction M.open(a)\n  return a\nend\n", ("open", "function", 2, 4, 1, 1)),
    "elixir": (
        'defmodule A do\n  @doc """\n  Adds.\n  """\n  @spec add(1)\n  def add(x) do\n  end\nend\n',
        ("add", "function", 6, 7, 2, 4),
    ),
    "haskell": (
        "module A where\n\n-- | Doubles.\ndouble :: Int -> Int\ndouble x = x + x\n",
        ("double", "function", 4, 4, 3, 3),
    ),
    "kotlin": (
        "/** Waits. */\nsuspend fun await(a: Int): Int {\n    return a\n}\n",
        ("await", "function", 2, 4, 1, 1),
    ),
    "swift": (
        "struct A {\n  /// Draws.\n  func draw() {\n    go()\n  }\n}\n",
        ("draw", "function", 3, 5, 2, 2),
    ),
    "scala": (
        "object A {\n  /** Folds. */\n  def fold(a: Int): Int = {\n    a\n  }\n}\n",
        ("fold", "function", 3, 5, 2, 2),
    ),
    "bash": ("# Cleans.\nclean() {\n  rm x\n}\n", ("clean", "function", 2, 4, 1, 1)),
    "zig": (
        "/// Grows.\npub fn grow(a: u8) u8 {\n    return a;\n}\n",
        ("grow", "function", 2, 4, 1, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", CASES)
def test_a_comment_and_what_it_documents(language):
    """Name, kind, defining line, last line, and the comment's own lines."""
    text, expected = CASES[language]

    found = [
        (one.name, one.kind, one.line, one.end, one.first, one.last)
        for one in doc_comments("a", text, language)
    ]

    assert expected in found
    assert len(found) == 1


@pytest.mark.parametrize("language", CASES)
def test_the_text_is_the_comment_alone(language):
    """Its whole lines, as they stand."""
    text, (*_, first, last) = CASES[language]

    (found,) = doc_comments("a", text, language)

    assert found.text == "\n".join(text.split("\n")[first - 1 : last])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("go", "package a\n\n// Of the file.\n\nfunc f() {\n}\n"),
        ("go", "package a\n\nvar x = 1 // of x\nfunc f() {\n}\n"),
        ("c", "int x; /* of x */\nint f(void) {\n  return x;\n}\n"),
        ("python", 'def f():\n    """Nothing else stands here."""\n'),
        ("python", 'def f():\n    x = """no docstring"""\n    return x\n'),
        ("python", 'def f(): """on one line"""; return 1\n'),
        ("rust", "/// Of a constant.\nconst A: u8 = 1;\n"),
        ("elixir", "defmodule A do\n  @spec f(1) :: 1\n  def f(x), do: x\nend\n"),
        ("markdown", "# Title\n\ntext\n"),
        ("", "anything"),
        ("python", "def f(:\n  '''broken\n"),
        ("python", ""),
    ],
)
def test_what_documents_nothing(language, text):
    """Comments of files, of other lines, of data; code that would not stand without them."""
    assert doc_comments("a", text, language) == []


def test_a_header_is_read_in_the_language_it_is_written_in():
    """``.h`` may be C++."""
    text = "namespace n {\n/// Spins.\nclass Wheel {\n  int x;\n};\n}\n"

    (found,) = doc_comments("wheel.h", text, "c")

    assert (found.name, found.line) == ("Wheel", 3)


def test_members_inside_classes_and_functions():
    """Nested definitions are found, each with its own comment."""
    text = (
        'class A:\n    """Outer."""\n\n    def b(self):\n        """Inner."""\n'
        '        def c():\n            """Innermost."""\n            return 1\n        return c\n'
    )

    assert [one.name for one in doc_comments("a.py", text, "python")] == ["A", "b", "c"]
