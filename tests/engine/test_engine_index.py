"""An index follows its folder: what is indexed again, what is refused, what is mended."""

import os
import subprocess
import threading
import time
from dataclasses import replace

import pytest

import fiuto
from fiuto.config import UNSET
from fiuto.embed.scripted import ScriptedEmbedder


def paths(results):
    """Where the hits are, best first."""
    return [hit.path for hit in results]


def test_search_indexes_what_is_missing(opened):
    """The first question makes the index."""
    results = opened().search("cooldown user")
    assert paths(results)[0] == "src/limits.py"
    assert results.status.counts.files == 4
    assert results.warnings == ()


def test_second_refresh_does_nothing(opened, embedder):
    """Nothing is embedded twice, and no generation is made."""
    index = opened()
    first = index.refresh()
    embedder.embedded.clear()
    second = index.refresh()
    assert first.added == 4
    assert first.embedded == first.status.counts.chunks
    assert (second.added, second.changed, second.removed, second.embedded) == (0, 0, 0, 0)
    assert embedder.embedded == []
    assert second.status.manifest.generation == first.status.manifest.generation


def test_editing_one_function_embeds_one_chunk(opened, tree, embedder):
    """Only the chunk that changed goes through the model."""
    target = tree / "src/many.py"
    functions = [
        f"def function_{i}(value):\n"
        + "".join(f"    value = work_{i}_{j}(value)\n" for j in range(60))
        for i in range(6)
    ]
    target.write_text("\n\n".join(functions))
    index = opened()
    index.refresh()
    embedder.embedded.clear()
    target.write_text("\n\n".join(functions).replace("work_3_7(", "other("))
    report = index.refresh()
    assert report.changed == 1
    assert report.embedded == 1
    assert "other(value)" in embedder.embedded[0]
    assert report.reused >= 5


def test_edit_with_size_and_mtime_restored_is_found(opened, tree):
    """The content decides, not what a careless tool leaves in the stamp."""
    index = opened()
    index.refresh()
    target = tree / "src/net.py"
    before = target.stat()
    target.write_text(target.read_text().replace("proxy", "tunel"))
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert target.stat().st_size == before.st_size
    assert paths(index.search("tunel", mode="lexical")) == ["src/net.py"]
    assert paths(index.search("proxy", mode="lexical")) == []


def test_changed_rules_are_noted_once(opened, monkeypatch):
    """Other scan rules mean one look at every file, not one at each search from then on."""
    time.sleep(0.06)  # or files are so young that they are read again all the same
    opened().refresh()
    index = opened(secrets=True)
    index.refresh()
    read = []
    monkeypatch.setattr("fiuto.scan.scanner.FileScanner.read", lambda _, found: read.append(found))
    again = index.refresh()
    assert again.embedded == 0
    assert read == []
    assert index.search("cooldown user", mode="lexical")[0].path == "src/limits.py"
    assert read == []


def test_deleted_and_renamed_files(opened, tree):
    """Gone is gone; the new path only."""
    index = opened()
    index.search("cooldown")
    (tree / "src/limits.py").rename(tree / "src/cooldown.py")
    (tree / "README.md").unlink()
    found = paths(index.search("cooldown users blocked", mode="lexical"))
    assert "src/cooldown.py" in found
    assert not {"src/limits.py", "README.md"} & set(found)


def test_empty_folder_then_a_file(opened, tmp_path):
    """No files is an answer; a file that appears is found."""
    root = tmp_path / "empty"
    root.mkdir()
    index = opened(root)
    results = index.search("anything")
    assert len(results) == 0
    assert results.status.counts.files == 0
    (root / "a.py").write_text("def anything(): pass\n")
    assert paths(index.search("anything")) == ["a.py"]


def test_first_five_of_twenty_are_the_five(opened):
    """The order does not depend on how many are asked for."""
    index = opened()
    for question in ("cooldown", "def user", "open host connect", "users"):
        assert index.search(question, k=20)[:3] == index.search(question, k=3)[:]


def test_filter_that_matches_nothing(opened):
    """No hits, rather than all."""
    index = opened()
    assert len(index.search("cooldown", paths=["nowhere/**"])) == 0
    assert len(index.search("cooldown", languages=["zig"])) == 0
    assert set(paths(index.search("cooldown", only=["test"]))) == {"tests/test_limits.py"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"question": "  "}, "the question is empty"),
        ({"question": "q", "k": 0}, "k is 0"),
        ({"question": "q", "mode": "fuzzy"}, "no mode is called 'fuzzy'"),
        ({"question": "q", "languages": ["pyton"]}, "did you mean 'python'"),
        ({"question": "q", "only": ["tests"]}, "did you mean 'test'"),
        ({"question": "q", "without": ["magic"]}, "no signal is called 'magic'"),
    ],
)
def test_bad_questions_are_named(opened, arguments, message):
    """One line that says what is wrong, with the nearest that exists."""
    with pytest.raises(fiuto.UsageError, match=message):
        opened().search(**arguments)


@pytest.mark.parametrize(
    "question",
    ['"', "(", "a AND (b", "*", "foo:bar?", "don't", "-x", "\x00", "🦊", "x " * 50_000, "ÄÖ\u2028"],
)
def test_any_text_is_a_question(opened, question):
    """Never an exception: a question is words, not a query language."""
    opened().search(question)


def test_hits_are_verified(opened, tree):
    """Without a refresh, moved lines are followed and lines that are gone are marked."""
    index = opened()
    index.search("cooldown")
    target = tree / "src/limits.py"
    original = target.read_text()
    before = index.search("open_proxy block_user cooldown", refresh=False)
    target.write_text("\n" * 20 + original)
    after = index.search("open_proxy block_user cooldown", refresh=False)
    moved = {hit.text: hit for hit in after if hit.path == "src/limits.py"}
    for hit in before:
        if hit.path == "src/limits.py":
            assert moved[hit.text].start == hit.start + 20
            assert moved[hit.text].verified
    target.write_text("nothing of the sort\n")
    stale = index.search("block_user cooldown", refresh=False)
    assert not any(hit.verified for hit in stale if hit.path == "src/limits.py")


def test_explanation_adds_up(opened):
    """The parts are the score."""
    for hit in opened().search("cooldown user proxy"):
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-12)
        assert hit.explain().startswith(f"{hit.score:.4f} = ")


def test_worktree_embeds_nothing(tmp_path, opened, tree, embedder):
    """A second checkout of the same code finds its vectors."""
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    opened().refresh()
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "second")], check=True)
    embedder.embedded.clear()
    report = opened(tmp_path / "second").refresh()
    assert report.added == 4
    assert report.embedded == 0
    assert embedder.embedded == []


def test_threads_share_an_index(opened):
    """Eight cold searches at once on one object all answer alike."""
    index = opened()
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(paths(index.search("cooldown user"))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]


def test_no_folder(tmp_path):
    """A path that is no folder is named."""
    with pytest.raises(fiuto.UsageError, match="does not exist"):
        fiuto.open(tmp_path / "nothing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(fiuto.UsageError, match="is not a folder"):
        fiuto.open(tmp_path / "file")


def test_no_refresh_needs_an_index(opened):
    """Nothing to answer from is an error, not an empty list."""
    with pytest.raises(fiuto.IndexMissing):
        opened().search("q", refresh=False)


def test_list_and_forget(opened, tree, tmp_path):
    """Every index is listed with its root, and can be thrown away."""
    opened().refresh()
    opened(profile="article").refresh()
    home = tmp_path / "home"
    assert [(p.root, p.profile) for p in fiuto.list_indexes(home)] == [
        (tree, "default"),
        (tree, "article"),
    ]
    assert len(fiuto.forget(tree, home)) == 2
    assert list(fiuto.list_indexes(home)) == []
    with pytest.raises(fiuto.IndexMissing):
        opened().status()
    assert paths(opened().search("cooldown"))


class TestWhoBuiltIt:
    """An index and a question must agree on the model and the chunker."""

    def test_other_model_of_equal_dimension_is_refused(self, opened):
        """Both names are in the message; the index stays as it was."""
        opened().refresh()
        other = opened(embedder=ScriptedEmbedder("second", 16))
        with pytest.raises(fiuto.IndexMismatch, match=r"first.*second"):
            other.search("cooldown")
        assert opened().status().manifest.embedder.name == "first"

    def test_index_builds_anew_and_says_so(self, opened):
        """Asking for the index itself is asking for the change."""
        opened().refresh()
        report = opened(embedder=ScriptedEmbedder("second", 16)).refresh()
        assert len(report.warnings) == 1
        assert "first" in report.warnings[0]
        assert "second" in report.warnings[0]
        assert report.status.manifest.embedder.name == "second"

    def test_chunker_by_name(self, opened):
        """The same for chunkers."""
        opened(chunker="lines").refresh()
        with pytest.raises(fiuto.IndexMismatch, match=r"lines.*syntax"):
            opened(chunker="syntax").search("cooldown")
        report = opened(chunker="syntax").refresh()
        assert "lines" in report.warnings[0]

    def test_not_asked_for_is_taken_from_the_index(self, opened):
        """Defaults never throw an index away."""
        opened(chunker="lines").refresh()
        results = opened().search("cooldown")
        assert results.status.manifest.chunker.startswith("lines/")
        assert results.warnings == ()

    def test_same_name_other_revision_is_rebuilt(self, opened, monkeypatch):
        """An upgrade brings new weights: one line, and the index is right again."""
        opened(embedder="scripted").refresh()
        monkeypatch.setattr("fiuto.engine.parts.make_embedder", lambda *_: Newer())
        index = opened(embedder=UNSET)
        results = index.search("cooldown")
        assert len(results.warnings) == 1
        assert "built anew" in results.warnings[0]
        assert results.status.manifest.embedder.revision == "2"
        assert index.search("cooldown").warnings == ()


class Newer(ScriptedEmbedder):
    """The same model after an upgrade."""

    @property
    def identity(self):
        return replace(super().identity, revision="2")
