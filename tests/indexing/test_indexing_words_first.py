"""Words before vectors, for somebody who waits."""

from __future__ import annotations

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.engine import open_index
from fiuto.errors import ModelUnavailable


class Watching(ScriptedEmbedder):
    """Looks at the index whenever documents are embedded."""

    def __init__(self):
        super().__init__()
        self.seen = []
        self.look = None

    def embed(self, texts, role):
        if role == "document" and self.look is not None:
            self.seen.append(self.look())
        return super().embed(texts, role)


@pytest.fixture
def tree(tmp_path):
    """Forty files; nothing of them is in any cache."""
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(40):
        (root / f"f{number}.py").write_text(f"def name_{number}():\n    return {number}\n")
    return root


def held(tree, home):
    """What a second reader sees: whether it is whole, files, files without vectors."""
    with open_index(tree, home=home, embedder=ScriptedEmbedder()) as index:
        status = index.status()
        return status.manifest.complete, status.counts.files, status.counts.unembedded


def rows(index):
    """Every chunk, with its vector's neighbours by meaning."""
    found = index.search("name_7", mode="semantic", k=50, refresh=False)
    return [(hit.location, round(hit.score, 6)) for hit in found]


def test_words_can_be_read_while_vectors_are_made(tree, tmp_path):
    """And in the end it is the index that both together make."""
    home = tmp_path / "home"
    embedder = Watching()
    embedder.look = lambda: held(tree, home)
    with open_index(tree, home=home, embedder=embedder) as index:
        report = index.refresh(words_first=True)
        assert embedder.seen[0] == (False, 40, 40)
        assert held(tree, home) == (True, 40, 0)
        assert (report.added, report.changed, report.embedded) == (40, 0, 40)
        apart = rows(index)
    with open_index(tree, home=tmp_path / "other", embedder=ScriptedEmbedder()) as index:
        index.refresh()
        assert rows(index) == apart


def test_the_shipped_model_is_quick_enough_for_a_small_folder(tree, tmp_path):
    """One generation, as without."""
    with open_index(tree, home=tmp_path / "home") as index:
        assert index.refresh(words_first=True).status.manifest.generation == 1


def test_a_model_that_fails_leaves_the_words(tree, tmp_path):
    """Whole, with a warning; the next refresh tries again."""

    class Failing(ScriptedEmbedder):
        def embed(self, texts, role):
            raise ModelUnavailable("it is away")

    home = tmp_path / "home"
    with open_index(tree, home=home, embedder=Failing()) as index:
        report = index.refresh(words_first=True)
    assert "it is away" in report.warnings[0]
    assert held(tree, home) == (True, 40, 40)
    with open_index(tree, home=home, embedder=ScriptedEmbedder()) as index:
        index.refresh()
    assert held(tree, home) == (True, 40, 0)


def test_a_stop_between_words_and_vectors_keeps_the_words(tree, tmp_path):
    """And the next refresh goes on from there."""
    home = tmp_path / "home"

    def stop(stage, _done, _total):
        if stage == "embed":
            raise InterruptedError

    with open_index(tree, home=home, embedder=ScriptedEmbedder()) as index:
        with pytest.raises(InterruptedError):
            index.refresh(words_first=True, progress=stop)
        assert held(tree, home) == (False, 40, 40)
        report = index.refresh(words_first=True)
        assert (report.added, report.changed, report.embedded) == (0, 0, 40)
    assert held(tree, home) == (True, 40, 0)


def test_beside_an_older_index_both_come_together(tree, tmp_path):
    """Nobody could read the words before the new one takes its place."""
    home = tmp_path / "home"
    embedder = Watching()
    embedder.look = lambda: held(tree, home)
    with open_index(tree, home=home, embedder=ScriptedEmbedder("another")) as index:
        index.refresh()
    with open_index(tree, home=home, embedder=embedder) as index:
        index.refresh(rebuild=True, words_first=True)
    assert embedder.seen[0] == (True, 40, 0)
    assert held(tree, home) == (True, 40, 0)
