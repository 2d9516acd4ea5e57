"""Damage, death and company: an index answers, or is made again, and says so once."""

import shutil
import subprocess
import sys
import time

import pytest

import fiuto
from fiuto.errors import ModelUnavailable

QUESTION = "cooldown user"


def index_files(home):
    """Every file of the indexes under ``home`` that a fault may hit."""
    return sorted(
        path
        for path in home.rglob("*")
        if path.is_file() and path.name != "lock" and not path.name.startswith(".")
    )


def answer(index):
    """Hits as they are compared, and what was said."""
    results = index.search(QUESTION)
    return [(hit.location, round(hit.score, 6)) for hit in results], results.warnings


def test_each_file_cut_in_turn(opened, tmp_path):
    """The same answer, with one warning at most, and the next search says nothing."""
    index = opened()
    wanted, _ = answer(index)
    index.close()
    home, copy = tmp_path / "home", tmp_path / "kept"
    shutil.copytree(home, copy)
    for path in index_files(copy):
        for keep in (0.5, 0.0):
            shutil.rmtree(home)
            shutil.copytree(copy, home)
            name = path.relative_to(copy)
            data = path.read_bytes()
            (home / name).write_bytes(data[: int(len(data) * keep)])
            index = opened()
            found, warnings = answer(index)
            assert found == wanted, name
            silent = name.name in {"root.json", "vectors.db"}
            assert len(warnings) == (0 if silent else 1), (name, warnings)
            assert answer(index) == (wanted, ()), name
            index.close()


def test_lost_vector_cache_costs_no_answer(opened, tmp_path, tree):
    """Vectors that are needed again are made again."""
    index = opened()
    index.refresh()
    index.close()
    (tmp_path / "home" / "vectors.db").write_bytes(b"this is no database, however long it is")
    (tree / "new.py").write_text("def fresh_cooldown(): pass\n")
    results = opened().search("fresh_cooldown")
    assert results[0].path == "new.py"
    assert len(results.warnings) == 1
    assert "vectors.db" in results.warnings[0]


def test_missing_model_leaves_words(opened, embedder):
    """One labelled warning, lexical results; the vectors come with the model."""

    def refuse(texts, role):
        raise ModelUnavailable("the model 'first' is not here")

    embedder.embed, works = refuse, embedder.embed
    index = opened()
    results = index.search(QUESTION)
    assert results[0].path == "src/limits.py"
    assert set(results[0].ranks) == {"lexical"}
    assert not {"semantic", "file_best", "card"} & set(results[0].parts)
    assert results.confidence is None
    assert results.warnings == ("keyword results only: the model 'first' is not here",)
    assert index.status().counts.unembedded == 4

    embedder.embed = works
    results = index.search(QUESTION)
    assert "semantic" in results[0].parts
    assert index.status().counts.unembedded == 0


SEARCH = """
import sys, fiuto
from pathlib import Path
with fiuto.open(sys.argv[1], home=Path(sys.argv[2]), embedder="scripted") as index:
    print([hit.location for hit in index.search("cooldown user")])
"""


def start(tree, home):
    """A search in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", SEARCH, str(tree), str(home)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_eight_processes_on_a_cold_index(tree, tmp_path):
    """All answer, and all alike."""
    runs = [start(tree, tmp_path / "home") for _ in range(8)]
    answers = {run.communicate(timeout=120) for run in runs}
    assert [run.returncode for run in runs] == [0] * 8, answers
    assert len(answers) == 1
    assert "src/limits.py" in next(iter(answers))[0]


def test_killed_while_writing(tree, tmp_path):
    """Wherever a writer dies, the next search answers without a word about it."""
    home = tmp_path / "home"
    started = time.monotonic()
    run = start(tree, home)
    run.communicate(timeout=120)
    whole = time.monotonic() - started
    for i in range(12):
        for j in range(30):
            (tree / f"src/gen_{j}.py").write_text(f"def generated_{i}_{j}(user): pass\n")
        run = start(tree, home)
        time.sleep(whole * (i + 1) / 10)
        run.kill()
        run.communicate()
        with fiuto.open(tree, home=home, embedder="scripted") as index:
            results = index.search(f"generated_{i}_7", mode="lexical")
            assert results[0].path == "src/gen_7.py"
            assert results.warnings == ()
            assert index.status().counts.files == 34
            assert index.status().counts.unembedded == 0


def test_one_writer_at_a_time(opened, monkeypatch, tree):
    """While another process writes, the last whole index answers and says so."""
    monkeypatch.setattr("fiuto.engine.upkeep._WAIT_WARM", 0.1)
    index = opened()
    index.refresh()
    (tree / "src/new.py").write_text("def cooldown_again(): pass\n")
    other = opened()
    with other._store.write(0):
        results = index.search(QUESTION)
    assert results[0].path == "src/limits.py"
    assert any("another process is indexing" in warning for warning in results.warnings)
    assert "src/new.py" in [hit.path for hit in index.search("cooldown_again")]


@pytest.mark.parametrize("name", ["root.json"])
def test_note_is_written_again(opened, tmp_path, name):
    """What belongs to whom is never lost for good."""
    index = opened()
    index.refresh()
    (note,) = (tmp_path / "home").rglob(name)
    note.write_text("{")
    assert list(fiuto.list_indexes(tmp_path / "home")) == []
    index.refresh()
    assert len(list(fiuto.list_indexes(tmp_path / "home"))) == 1
