"""Comments become sentences that a person might ask with."""

from __future__ import annotations

import pytest

from fiuto.evaluation.prose import names, question


@pytest.mark.parametrize(
    ("comment", "asked"),
    [
        ('    """Read saved logins from a file in the home folder."""',
         "Read saved logins from a file in the home folder."),
        ('    r"""\n    Move the pointer back\n    to where it was.\n\n    :param x: y\n    """',
         "Move the pointer back to where it was."),
        ("/**\n * Waits until {@link Job} is done, {@code true} then.\n * @return it\n */",
         "Waits until Job is done, true then."),
        ("/// Returns the [`Router`] for a given path.\n///\n/// # Panics\n/// never",
         "Returns the Router for a given path."),
        ('/// <summary>\n/// Finds the <see cref="T:A.B"/> that fits best.\n/// </summary>',
         "Finds the A.B that fits best."),
        ("// Sort keeps equal elements in order.\n// It is slow.",
         "keeps equal elements in order. It is slow."),
        ("# Puts everything back in place\n# @param x [Array]", "Puts everything back in place"),
        ("--- Draws the bar at the bottom.\n-- @tparam number x", "Draws the bar at the bottom."),
        ("-- | Tells whether a list has no element.", "Tells whether a list has no element."),
        ('  @doc """\n  Turns every word around, e.g. Foo.\n\n  ## Examples\n  """',
         "Turns every word around, e.g. Foo."),
        ("/* ---- Checks that the sum is right. ---- */", "Checks that the sum is right."),
        ('"""Sends a :class:`Request <requests.Request>` over the wire."""',
         "Sends a Request over the wire."),
        ("/** @brief Grows the table to twice its size. */", "Grows the table to twice its size."),
        ("// See https://example.org/x for how it waits in line.", ""),
        ("/** Short one. Then a longer second sentence. Third. */",
         "Short one. Then a longer second sentence."),
        ("// Takes a map[string]string of [names] to values.",
         "Takes a map[string]string of names to values."),
        ("/** Sends. */", ""),
        ("/** @param x the number of things to be done here */", ""),
        ("// TODO make this work with empty lists", ""),
        ("// Deprecated: use the other one instead of this.", ""),
        ("// x = call(a, b); y[1] += {2: 3}; z = (x << 4)", ""),
        (f"/** {'word ' * 41}. */", ""),
        ("/***/", ""),
    ],
)  # fmt: skip
def test_questions(comment, asked):
    """Markers, tags and markup go; what is too short, too long or no prose asks nothing."""
    assert question(comment, "Sort") == asked


@pytest.mark.parametrize(
    ("sentence", "symbol", "said"),
    [
        ("Rebuild the proxies of a request", "rebuild_proxies", False),
        ("Rebuild proxies of a request", "rebuild_proxies", True),
        ("Rebuilds the method", "rebuildMethod", False),
        ("Rebuilds methods", "rebuildMethod", True),
        ("What shouldBypassProxies answers", "should_bypass_proxies", True),
        ("The HTTPServer itself", "http_server", True),
        ("Sends it off", "send", True),
        ("The sender of it", "send", False),
        ("Is it empty", "empty?", True),
        ("Reads a line", "__init__", False),
        ("größe der Datei", "größe", True),
        ("anything", "_", True),
    ],
)
def test_names(sentence, symbol, said):
    """One word or several in a row, in any case and spelling, but not words apart."""
    assert names(sentence, symbol) is said
