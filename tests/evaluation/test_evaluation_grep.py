"""What grep finds, as grep itself counts it."""

from __future__ import annotations

import subprocess

import pytest

from fiuto.evaluation.grep import FileHits, Grep, content_words

TEXTS = {
    "a.py": "def Save(user):\n    save(user); save(again)\n\nSAVED = 1",
    "b.py": "user = None\n",
    "c.md": "Nothing of the kind.\r\nsave\r\n",
}


@pytest.mark.parametrize("pattern", ["save", "user", "SAVE(", "a.ai", "kind.", "again)\n"[:-1]])
def test_lines_are_those_of_grep(tmp_path, pattern):
    """``grep -iF`` over the same files counts the same lines: once a line, case aside."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_bytes(text.encode())
    found = subprocess.run(
        ["grep", "-iFh", pattern, *TEXTS], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert Grep(TEXTS.items()).lines(pattern) == found.stdout.count("\n")


def test_lines_can_be_counted_in_some_files():
    """A scope narrows what grep sees too."""
    assert Grep(TEXTS.items()).lines("save", ["b.py", "c.md"]) == 1


def test_files_are_ranked_by_words_then_lines_then_path():
    """Two words beat one, more lines beat fewer, and the path decides between equals."""
    texts = {"z.py": "x\nx\n", "b.py": "x y\n", "a.py": "x y\n", "m.py": "y\n", "n.py": "none\n"}

    found = Grep(texts.items()).files(["x", "y"], sorted(texts))

    assert found == [
        FileHits("a.py", 2, 2),
        FileHits("b.py", 2, 2),
        FileHits("z.py", 1, 2),
        FileHits("m.py", 1, 1),
    ]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Where do we keep the user's saved logins?", ["user", "saved", "logins"]),
        ("don't send the send twice", ["send", "twice"]),
        ("what is it", ["what", "is", "it"]),
        ("should_strip_auth", ["should_strip_auth"]),
        ("größe prüfen", ["größe", "prüfen"]),
        ("?!", []),
    ],
)
def test_content_words(question, words):
    """Function words go, unless there is nothing else; each word once, identifiers whole."""
    assert content_words(question) == words
