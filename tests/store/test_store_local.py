"""The store on disk mends what was damaged, refuses what it cannot read, and locks."""

import json
import shutil
import sqlite3
import threading

import pytest

from fiuto.errors import IndexBusy, IndexCorrupt, IndexMismatch, IndexMissing
from fiuto.model import Batch, TermQuery, Where
from fiuto.store.local import LocalStore
from fiuto.store.memory import MemoryStore
from fiuto.terms import terms
from fiuto.testing.values import file_of, manifest, unit_vector


@pytest.fixture
def filled(tmp_path):
    """A folder with an index of two generations."""
    folder = tmp_path / "index"
    store = LocalStore(folder)
    with store.write(1) as writer:
        writer.reset(manifest())
        writer.apply(Batch(files=(file_of("a.py", "alpha one", "alpha two"),)))
        writer.apply(Batch(files=(file_of("b.py", "beta"),)))
    store.close()
    return folder / "1"


def files_of(folder):
    """Every file that a store may lose, by name."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock" and not path.name.startswith(".")
    )


def answers(store):
    """What both lists say, by path and text."""
    reader = store.read()
    words = reader.match_terms(TermQuery(tuple(terms("alpha beta"))), Where(), 10)
    near = reader.match_vector(unit_vector("q"), Where(), 10)
    chunks = reader.chunks([s.id for s in (*words, *near)])
    return [
        sorted((chunks[s.id].path, chunks[s.id].chunk.text) for s in found)
        for found in (words, near)
    ]


WHOLE = [("a.py", "alpha one"), ("a.py", "alpha two"), ("b.py", "beta")]


def damage(path, how):
    """Hurt one file."""
    data = bytearray(path.read_bytes())
    if how == "halved":
        del data[len(data) // 2 :]
    elif how == "emptied":
        data.clear()
    elif how == "removed":
        path.unlink()
        return
    elif how == "flipped":
        middle = len(data) // 2
        for i in range(middle, min(middle + 64, len(data))):
            data[i] ^= 0xFF
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("how", ["halved", "emptied", "flipped", "removed"])
def test_each_damaged_file_is_mended_or_named(filled, how):
    """Words are found again, vectors are dropped rather than wrong, one sentence says so."""
    home = filled.parent.with_name("copy")
    copy = home / "1"
    for path in files_of(filled):
        shutil.copytree(filled, copy)
        name = path.relative_to(filled)
        damage(copy / name, how)
        store = LocalStore(home)
        try:
            words, near = answers(store)
        except (IndexCorrupt, IndexMissing) as error:
            refused = (name.name, str(copy) in str(error))
            assert refused == ("index.db", True)
        else:
            assert words == WHOLE, name
            assert set(near) <= set(WHOLE), name
            assert len(near) == 3 or name.parent.name == "vectors"
            # A seal that is gone is written again; flipped bytes in a page's unused
            # part hurt nothing.
            unharmed = (how, name.name) in {("removed", "seal.json"), ("flipped", "index.db")}
            said = store.repairs()
            assert len(said) == (0 if unharmed else 1), (name, said)
            assert store.repairs() == []
        store.close()
        shutil.rmtree(home)


def test_lost_vectors_are_marked_for_embedding(filled):
    """A file whose segment was lost says that it needs vectors again."""
    for path in (filled / "vectors").iterdir():
        damage(path, "halved")
    files = LocalStore(filled.parent).read().files()
    assert {path: record.embedded for path, record in files.items()} == {
        "a.py": False,
        "b.py": False,
    }


def test_postings_behind_follow_in_silence(filled):
    """A writer that died between database and postings leaves nothing to warn about."""
    before = filled.parent.with_name("before")
    shutil.copytree(filled, before)
    store = LocalStore(filled.parent)
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("c.py", "alpha three"),), dropped=("b.py",)))
    store.close()
    for name in ("postings-chunk", "postings-file", "seal.json"):
        target = filled / name
        if target.is_dir():
            shutil.rmtree(target)
            shutil.copytree(before / name, target)
        else:
            shutil.copy(before / name, target)
    # What the writer had removed after its commit is gone for good.
    db = sqlite3.connect(filled / "index.db")
    generation = json.loads(db.execute("SELECT value FROM meta").fetchone()[0])["generation"]
    with db:
        db.execute(
            "INSERT INTO removed SELECT ?, id + 1 FROM files WHERE path = 'a.py'", (generation,)
        )
    db.close()

    store = LocalStore(filled.parent)
    words, near = answers(store)

    assert words == near == [*WHOLE[:2], ("c.py", "alpha three")]
    assert store.repairs() == []


def test_files_that_a_killed_writer_left_in_the_postings_are_no_obstacle(filled):
    """Killed between a file of deletions and its commit: the next would have the same name."""
    store = LocalStore(filled.parent)
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("c.py", "alpha c"), file_of("d.py", "alpha d"))))
    store.close()
    before = filled.parent.with_name("before")
    shutil.copytree(filled, before)
    with store.write(1) as writer:
        writer.apply(Batch(dropped=("d.py",)))
    store.close()
    left = [
        f for f in filled.glob("postings-*/*.del") if not (before / f.parent.name / f.name).exists()
    ]
    assert left
    for file in [*left, *filled.glob("postings-*/.managed.json")]:
        shutil.copy(file, before / file.relative_to(filled))
    shutil.rmtree(filled)
    before.rename(filled)

    with store.write(1) as writer:
        writer.apply(Batch(dropped=("d.py",)))

    words, near = answers(store)
    assert words == near == sorted([*WHOLE, ("c.py", "alpha c")])
    assert store.repairs() == []


def test_postings_ahead_are_made_again(filled):
    """Postings of a commit that the database lost are not believed."""
    before = filled.parent.with_name("before")
    shutil.copytree(filled, before)
    store = LocalStore(filled.parent)
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("c.py", "alpha three"),)))
    store.close()
    shutil.copy(before / "index.db", filled / "index.db")

    assert answers(LocalStore(filled.parent)) == [WHOLE, WHOLE]


def test_newer_format_is_refused(filled):
    """An index of a newer fiuto is kept, not rebuilt."""
    db = sqlite3.connect(filled / "index.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(IndexMismatch, match="format 99"):
        LocalStore(filled.parent).read()


def test_older_format_must_be_rebuilt(filled):
    """An index of an older format counts as one that cannot be read."""
    db = sqlite3.connect(filled / "index.db")
    db.execute("PRAGMA user_version = 0")
    db.close()
    with pytest.raises(IndexCorrupt, match="older format"):
        LocalStore(filled.parent).read()


def test_index_made_anew_replaces_the_old_one_when_complete(filled):
    """Until then, and after a kill, the old one answers."""
    store, reader = LocalStore(filled.parent), LocalStore(filled.parent)
    with store.write(1) as writer:
        writer.reset(manifest(chunker="other/1"))
        writer.apply(Batch(files=(file_of("c.py", "alpha new"),), complete=False))
        assert answers(reader) == [WHOLE, WHOLE]
    assert answers(reader) == [WHOLE, WHOLE]
    with store.write(1) as writer:
        writer.reset(manifest(chunker="other/1"))
        writer.apply(Batch(files=(file_of("c.py", "alpha new"),)))
        writer.apply(Batch(files=(file_of("d.py", "beta new"),)))
    new = [("c.py", "alpha new"), ("d.py", "beta new")]
    assert answers(reader) == answers(store) == [new, new]
    assert [path.name for path in filled.parent.iterdir() if path.is_dir()] == ["2"]


def test_second_writer_waits_and_gives_up(filled):
    """There is one writer; the second is told after its patience ends."""
    store, other = LocalStore(filled.parent), LocalStore(filled.parent)
    with store.write(1), pytest.raises(IndexBusy), other.write(0.05):
        pass
    with other.write(1):
        pass


def test_reader_waits_for_a_writer_between_commits(filled):
    """A reader that comes in the middle of a commit gets a whole generation."""
    seal = (filled / "seal.json").read_bytes()
    (filled / "seal.json").write_text('{"generation": 1, "database": [0, 0], "files": {}}')
    store = LocalStore(filled.parent)
    with LocalStore(filled.parent).write(1):
        timer = threading.Timer(0.3, (filled / "seal.json").write_bytes, [seal])
        timer.start()
        assert answers(store) == [WHOLE, WHOLE]
        timer.join()


def test_open_reader_is_kept_until_something_changes(filled):
    """Asking again costs nothing; a change by another process is seen."""
    store = LocalStore(filled.parent)
    first = store.read()
    assert store.read() is first
    with LocalStore(filled.parent).write(1) as writer:
        writer.apply(Batch(dropped=("b.py",)))
    assert store.read() is not first
    assert list(store.read().files()) == ["a.py"]


def test_merging_drops_rows_of_deleted_chunks(tmp_path):
    """Segments stay few however many commits there were, and every vector is still found."""
    store = LocalStore(tmp_path / "index")
    with store.write(1) as writer:
        writer.reset(manifest())
        for i in range(12):
            writer.apply(Batch(files=(file_of(f"f{i}.py", f"text {i}"),)))
    assert len(list((tmp_path / "index" / "1" / "vectors").iterdir())) <= 9
    reader = store.read()
    for i in range(12):
        best = reader.match_vector(unit_vector(f"f{i}.py\ntext {i}"), Where(), 1)[0]
        assert reader.chunks([best.id])[best.id].path == f"f{i}.py"


def test_bm25_agrees_with_exact_arithmetic(tmp_path):
    """Tantivy's scores are those of the formula, but for rounded lengths and the marker."""
    texts = [f"users {'cooldown ' * (i % 4)} word{i} {'filler ' * (i % 7)}" for i in range(60)]
    stores = LocalStore(tmp_path / "index"), MemoryStore()
    lists = []
    for store in stores:
        with store.write(1) as writer:
            writer.reset(manifest())
            writer.apply(Batch(files=(file_of("a.py", *texts),)))
        reader = store.read()
        found = reader.match_terms(TermQuery(("cooldown", "word7")), Where(), 60)
        chunks = reader.chunks([s.id for s in found])
        lists.append({chunks[s.id].chunk.start: s.score for s in found})

    assert lists[0].keys() == lists[1].keys()
    for line, score in lists[1].items():
        assert lists[0][line] == pytest.approx(score, rel=0.12)
