"""Indexes that earlier versions wrote are opened, or told apart from ours."""

import tarfile
from pathlib import Path

import pytest

import fiuto
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.engine.places import place_of
from fiuto.errors import IndexMissing
from fiuto.model import TermQuery, Where
from fiuto.store.format import FORMAT
from fiuto.store.local import LocalStore
from fiuto.terms import terms

KEPT = Path(__file__).parents[1] / "data" / "index"
LIMITS = (
    "def block_user(user):\n"
    '    """Put a user on cooldown after too many failed tries."""\n'
    "    user.cooldown = True\n"
    "\n\n"
    "def allow_user(user):\n"
    "    user.cooldown = False\n"
)
README = "# Shop\n\nUsers can be blocked.\n"


def unpacked(name, folder):
    """A kept index in ``folder``, with times of today, as a copy or a restored backup has."""
    with tarfile.open(KEPT / name) as archive:
        archive.extractall(folder, filter="data")
    for path in folder.rglob("*"):
        path.touch()
    return folder


def test_every_format_is_kept():
    """A new format leaves an index of the one before here."""
    kept = {path.name.partition(".")[0] for path in KEPT.iterdir()}
    assert {f"format-{number}" for number in range(1, FORMAT + 1)} <= kept


def test_format_1_is_opened(tmp_path):
    """Rows, words and vectors of the first version that numbered its builds."""
    store = LocalStore(unpacked("format-1.tar.gz", tmp_path / "index"))
    reader = store.read()
    assert (reader.manifest.generation, reader.manifest.complete) == (1, True)
    assert sorted(reader.files()) == ["README.md", "src/limits.py"]
    assert [s.chunk.text for s in reader.chunks_of("src/limits.py")] == [LIMITS.rstrip("\n")]
    (found,) = reader.match_terms(TermQuery(tuple(terms("cooldown"))), Where(), 10)
    assert reader.chunks([found.id])[found.id].path == "src/limits.py"
    asked = ScriptedEmbedder("first", 16).embed([f"src/limits.py\n{LIMITS.rstrip()}"], "document")
    near = reader.match_vector(asked.row(0), Where(), 10)
    assert reader.chunks([near[0].id])[near[0].id].path == "src/limits.py"
    assert near[0].score == pytest.approx(1.0, abs=1e-3)
    assert store.repairs() == []


def test_format_1_answers_a_question(tmp_path):
    """Through the engine: the same hits, the files of today, and no word of damage."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src/limits.py").write_text(LIMITS)
    (root / "README.md").write_text(README)
    home = tmp_path / "home"
    unpacked("format-1.tar.gz", place_of(home, root, "default").folder)
    with fiuto.open(root, home=home, embedder=ScriptedEmbedder("first", 16)) as index:
        before = index.status().manifest
        assert (before.generation, before.embedder_name) == (1, "")
        results = index.search("cooldown user")
        assert results[0].location == "src/limits.py:1-7"
        assert not any("damaged" in said or "anew" in said for said in results.warnings)
        (root / "src/new.py").write_text("def cooldown_again(): pass\n")
        assert index.search("cooldown_again")[0].path == "src/new.py"


def test_files_from_before_the_builds_had_numbers_are_no_index(tmp_path):
    """They lie where no build is looked for: indexed anew, and gone with the index."""
    folder = unpacked("format-1-flat.tar.gz", tmp_path / "index")
    assert (folder / "index.db").is_file()
    with pytest.raises(IndexMissing):
        LocalStore(folder).read()
