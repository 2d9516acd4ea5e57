"""A first index that takes long: answers from what there is, and how much that is."""

from __future__ import annotations

import threading
import time

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.engine import open_index
from fiuto.errors import IndexBusy
from fiuto.mcp import answers
from fiuto.mcp.answers import answer
from fiuto.mcp.roots import Roots

QUESTION = {"question": "block_user", "k": 3}


class Slow(ScriptedEmbedder):
    """Embeds no document before it may."""

    may = threading.Event()

    def embed(self, texts, role):
        if role == "document":
            assert self.may.wait(60)
        return super().embed(texts, role)


@pytest.fixture
def slow_roots(tree, monkeypatch):
    """The tree behind a model that waits, and calls that do not wait long."""
    monkeypatch.setattr(answers, "_PATIENCE", 2)
    Slow.may = threading.Event()
    roots = Roots([tree], lambda root: open_index(root, embedder=Slow()))
    yield roots
    Slow.may.set()
    roots.close()


def when_there_are_words(roots, progress):
    """The first answer that is not "nothing yet"; a slow machine takes a moment."""
    until = time.monotonic() + 30
    while True:
        try:
            found = answer("folder_search", QUESTION, roots, progress)
        except IndexBusy:
            assert time.monotonic() < until
            continue
        if "by meaning" in found.text:
            return found


def silent(*_):
    """Progress for nobody."""


def test_words_answer_while_vectors_are_made(slow_roots):
    """Lexical, from every file, and it says so; whole as soon as it is."""
    told = []
    part = when_there_are_words(slow_roots, lambda *stage: told.append(stage))

    assert part.data["mode"] == "lexical"
    assert part.data["hits"][0]["path"] == "src/limits.py"
    assert "still being built: so far it finds words in all files, 0 of 3 chunks" in part.text
    assert part.data["warnings"][0].startswith("the index is still being built")
    assert not any("fiuto index" in warning for warning in part.data["warnings"])
    assert ("embed", 0, 3) in told
    status = answer("index_status", {}, slow_roots, silent)
    assert status.text.startswith("the index is still being built")
    assert status.data["files"] == 3
    like = answer("find_related", {"file": "src/limits.py", "line": 1}, slow_roots, silent)
    assert like.data["mode"] == "lexical"

    Slow.may.set()
    until = time.monotonic() + 30
    while (whole := answer("folder_search", QUESTION, slow_roots, silent)).data["mode"] != "hybrid":
        assert time.monotonic() < until
    assert whole.data["warnings"] == []
    assert whole.data["hits"][0]["path"] == "src/limits.py"


def test_before_the_first_words_it_is_an_error_that_says_when(tree, monkeypatch):
    """Not an empty answer, which would look like a fact about the code."""
    monkeypatch.setattr(answers, "_PATIENCE", 0.3)
    go_on = threading.Event()

    class Waiting:
        """An index that is opened twice; the second, which builds, waits to begin."""

        def __init__(self):
            self.opened = 0

        def __call__(self, root):
            self.opened += 1
            index = open_index(root)
            if self.opened == 2:
                refresh = index.refresh
                index.refresh = lambda **more: go_on.wait(30) and refresh(**more)
            return index

    roots = Roots([tree], Waiting())
    with pytest.raises(IndexBusy, match=r"still being built.*ask again"):
        answer("folder_search", QUESTION, roots, silent)
    with pytest.raises(IndexBusy, match="still being built"):
        answer("index_status", {}, roots, silent)
    go_on.set()
    monkeypatch.setattr(answers, "_PATIENCE", 30)
    assert answer("folder_search", QUESTION, roots, silent).data["mode"] == "hybrid"
    roots.close()


def test_an_end_while_it_is_built_keeps_the_words(slow_roots, tree):
    """The next server goes on from there."""
    when_there_are_words(slow_roots, silent)
    Slow.may.set()
    slow_roots.close()

    again = Roots([tree], lambda root: open_index(root, embedder=ScriptedEmbedder()))
    whole = answer("folder_search", QUESTION, again, silent)
    again.close()
    assert whole.data["mode"] == "hybrid"
    assert whole.data["index"]["files"] == 3
