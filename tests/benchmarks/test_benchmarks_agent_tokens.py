"""What an agent reads is counted as it would read it."""

import pytest

pytest.importorskip("mcp")
from benchmarks.agent_tokens import (
    Spent,
    Target,
    by_word,
    careful,
    hindsight,
    seen,
    table,
)

TEXTS = {
    "a.py": "def login():\n    password = 1\n    password = 2\n",
    "b.py": "def secret():\n    login()\n    return password\n",
    "c.py": "x = 1\n",
}


def test_the_careful_grep_reads_whole_files_with_most_words_first():
    """The counts of each word's search, then b.py, which has as many lines less, after a.py."""
    spent = careful("login and password", Target("b.py", 1), TEXTS)
    listing = "a.py:1\nb.py:1\n" + "a.py:2\nb.py:1\n"
    assert spent == Spent(len(listing) + len(TEXTS["a.py"]) + len(TEXTS["b.py"]), 4, found=True)
    assert not careful("login and password", Target("c.py", 1), TEXTS).found


def test_a_name_is_searched_by_its_definition():
    """One line, and that is the target's."""
    assert careful("login", Target("a.py", 1), TEXTS) == Spent(
        len("a.py:1:def login():\n"), 1, found=True
    )


def test_a_line_that_grep_shows_is_seen():
    """Then no file is read."""
    shown = by_word("password", Target("b.py", 3), TEXTS)
    assert shown.calls == 1
    assert by_word("password", Target("b.py", 1), TEXTS).calls == 3
    assert hindsight("login and password", Target("b.py", 3), TEXTS) == shown


def test_excerpts_show_the_line_of_their_own_file_only():
    """The same number elsewhere is another line."""
    text = "a.py:1-9  login\n  3      password\n\nb.py:1-3  secret\n  2      login()\n"
    assert seen(text, Target("a.py", 3))
    assert not seen(text, Target("b.py", 3))
    assert not seen(text, Target("a.py", 2))


def test_who_has_not_found_it_goes_on_with_grep():
    """In the sums, not in the cell."""
    lines = table([("q", Spent(40, 2, found=False), Spent(80, 1, found=True),
                    Spent(4, 1, found=True))]).split("\n")  # fmt: skip
    assert lines[2] == "| q | not in 10 | 20 | 1 |"
    assert lines[4].endswith("| 30 | 20 | 1 |")
