"""Most questions find nothing changed, and make no walk to know it."""

import os
import random
import subprocess
import time

import pytest

import fiuto
import fiuto.indexing.glances
from fiuto.scan import FileScanner


@pytest.fixture
def walks(monkeypatch):
    """How often a folder was walked through; every index is worth a note."""
    made = []
    walk = FileScanner.walk
    monkeypatch.setattr(fiuto.indexing.glances, "_FEWEST", 1)
    monkeypatch.setattr(FileScanner, "walk", lambda self: made.append(1) or walk(self))
    return made


def told(index):
    """Every file of the index, and what it holds for a word that all have."""
    hits = index.search("user", k=50).hits
    return sorted((path, f.digest) for path, f in index.files().items()), [h.text for h in hits]


def settle():
    """Until a change must show in a stamp."""
    time.sleep(0.06)


def test_a_question_about_an_unchanged_folder_walks_once(opened, walks):
    """The first look notes what it found; all later ones, of any process, go by that."""
    settle()
    index = opened()
    index.search("cooldown")
    before = len(walks)
    for mode in ("hybrid", "lexical"):
        assert index.search("cooldown", mode=mode).hits
    assert opened().search("cooldown").hits

    assert len(walks) == before


@pytest.mark.parametrize("in_one_step", [False, True])
def test_an_edit_is_indexed_without_a_walk(opened, tree, walks, in_one_step):
    """Written in place, or by a draft that takes the file's place."""
    settle()
    index = opened()
    index.search("cooldown")
    before = len(walks)
    path = tree / "src" / "net.py"
    if in_one_step:
        (tree / "src" / "draft").write_text("zebra = 1\n")
        (tree / "src" / "draft").replace(path)
    else:
        path.write_text("zebra = 1\n")
    settle()
    found = index.search("zebra")
    settle()
    index.search("zebra")

    assert found.hits[0].text == "zebra = 1"
    assert len(walks) == before


def test_words_alone_do_not_vouch_for_vectors(opened, walks):
    """A keyword question is content with an index that has none."""
    settle()
    index = opened()
    index.search("cooldown", mode="lexical")
    settle()
    index.search("cooldown", mode="lexical")

    assert index.search("cooldown", mode="semantic").hits


def change(tree, chance, turn):
    """Edit, save in one step, add a folder, move, ignore, or edit and put the time back."""
    path = chance.choice(sorted(p for p in tree.rglob("*.py") if ".git" not in p.parts))
    match chance.randrange(6):
        case 0:
            path.write_text(f"user = {turn}\n")
        case 1:
            (tree / "draft").write_text(f"user = -{turn}\n")
            (tree / "draft").replace(path)
        case 2:
            (tree / f"new{turn}").mkdir()
            (tree / f"new{turn}" / "n.py").write_text(f"user = 'n{turn}'\n")
        case 3:
            path.rename(path.with_name(f"moved{turn}.py"))
        case 4:
            (tree / ".gitignore").write_text(f"new{turn - 1}/\nmoved*\n")
        case 5:
            stat = path.stat()
            path.write_text(path.read_text().swapcase())
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("repository", [False, True])
def test_any_row_of_changes_is_found(opened, tree, walks, tmp_path, seed, repository):
    """Edits, saves in one step, moves, folders: after each the index is a fresh one's equal."""
    if repository:
        subprocess.run(["git", "init", "-q", str(tree)], check=True)
    chance = random.Random(seed)
    index = opened()
    for turn in range(12):
        change(tree, chance, turn)
        if chance.random() < 0.7:
            settle()
        seen = told(index)
        if chance.random() < 0.5:
            settle()
            assert told(index) == seen
        with fiuto.open(tree, home=tmp_path / f"fresh{turn}", embedder="scripted") as fresh:
            assert [f for f, _ in told(fresh)[0]] == [f for f, _ in seen[0]]
            assert sorted(told(fresh)[0]) == sorted(seen[0])
