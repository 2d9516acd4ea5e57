"""Comments become the sentences a person would ask with."""

import doctest
import importlib

import pytest
from training.sentences import is_prose_line, name_words, sentences

COMMENTS = {
    "javadoc": (
        "/**\n * Returns the {@link Foo} of a <b>peer</b>.\n *\n * @param peer it\n */",
        ["Returns the Foo of a peer."],
    ),
    "csharp": (
        '/// <summary>\n/// Gets a <see cref="A.Peer"/>.\n/// </summary>\n/// <param name="n"/>',
        ["Gets a Peer."],
    ),
    "rust": (
        "/// Drops [`Frame`]s that are stale.\n///\n/// # Panics\n/// Never.",
        ["Drops Frames that are stale."],
    ),
    "haddock": (
        "-- | Splits at the /first/ blank.\n--   Keeps it.",
        ["Splits at the first blank.", "Keeps it."],
    ),
    "google": ('"""Read one row.\n\n    Args:\n        n: which\n    """', ["Read one row."]),
    "numpy": (
        '"""Read one row.\n\n    Parameters\n    ----------\n    n : int\n    """',
        ["Read one row."],
    ),
    "sphinx": ('"""Ask :class:`~a.b.Peer`.\n\n    :param x: it\n    """', ["Ask Peer."]),
    "luadoc": ("--- Open the buffer\n---@param n number", ["Open the buffer"]),
    "doxygen": ("/** \\brief Frees \\a node.\n * \\param node it */", ["Frees node."]),
    "shell": (
        "# Print the version, e.g. 1.2, and leave.",
        ["Print the version, e.g. 1.2, and leave."],
    ),
    "swift": ("/// Sends it.\n///\n/// - Parameter x: it\n/// - Returns: nothing", ["Sends it."]),
    "elixir": (
        '"""\n  Fetches a row.\n\n  ## Examples\n\n      iex> f(1)\n  """',
        ["Fetches a row."],
    ),
}


@pytest.mark.parametrize("style", COMMENTS)
def test_each_comment_style_leaves_its_prose(style):
    """Markers, tags, parameter lists and examples go; the words that remain are the author's."""
    comment, expected = COMMENTS[style]
    assert sentences(comment) == expected


def test_a_legal_notice_yields_nothing():
    """A licence header is cut at its first word, so no question is made of it."""
    assert sentences("// Copyright 2020 Foo. All rights reserved.") == []


@pytest.mark.parametrize("code", ["x = call(y);", "return foo(bar, baz)", "if (a) {", "a <> b"])
def test_switched_off_code_is_no_prose(code):
    """A commented-out line must not become a question."""
    assert not is_prose_line(code)


def test_words_of_names():
    """Camel case, snake case, acronyms and digits come apart."""
    assert name_words("parseHTTPHeader_v2") == ["parse", "http", "header", "v", "2"]


@pytest.mark.parametrize("module", ["fitness", "licences", "sentences"])
def test_examples_in_docstrings_hold(module):
    """What a docstring shows is what happens."""
    found = doctest.testmod(importlib.import_module(f"training.{module}"))
    assert found.attempted
    assert not found.failed
