"""Questions asked of a real index with an embedder that needs no weights."""

from __future__ import annotations

import pytest

from fiuto.engine import OPTIONAL, Index, open_index
from fiuto.errors import ModelUnavailable, UsageError
from fiuto.evaluation.files import source, sources
from fiuto.evaluation.indexes import Wanted
from fiuto.evaluation.measure import measure
from fiuto.evaluation.runner import Asking, evaluate, short_name
from fiuto.evaluation.scopes import Scope, parse_scope
from fiuto.evaluation.targets import Judgments, Place, Question
from fiuto.model import Skipped

ALL = Asking((Scope("all"),))
SCRIPTED = Wanted(embedders=("scripted",))


def test_a_run_has_every_column_question_and_scope(tree, question_file):
    """Grep, BM25, the embedder, bare RRF and fiuto answer in each scope."""
    scopes = tuple(map(parse_scope, ("all", "label:source")))

    run = measure(question_file(), tree, SCRIPTED, Asking(scopes, seed=5))

    assert [(column.name, column.kind) for column in run.columns] == [
        ("fair grep", "grep"),
        ("BM25", "lexical"),
        ("scripted", "semantic"),
        ("hybrid scripted", "hybrid"),
        ("fiuto scripted", "fiuto"),
    ]
    assert (run.reference, run.seed, run.profile) == ("fiuto scripted", 5, "default")
    assert [(scope.name, scope.files) for scope in run.scopes] == [("all", 4), ("label:source", 2)]
    for scope in run.scopes:
        for row in scope.rows:
            assert list(row.cells) == [column.name for column in run.columns]


def test_ranks_are_those_of_the_search(tree, question_file, home):
    """A column's rank is where the answer's line stands among the hits of such a search."""
    run = measure(question_file(), tree, Wanted(), ALL)

    with open_index(tree) as index:
        for row in run.scopes[0].rows:
            hits = index.search(row.question.text, k=50, mode="lexical", without=OPTIONAL)
            covering = [row.question.places[0].covered_by(hit) for hit in hits]
            assert row.cells["BM25"].rank == covering.index(True) + 1


def test_tokens_are_what_must_be_read_until_the_answer(tree, question_file):
    """Four characters each, of chunks down to the answer, and of whole files for grep."""
    run = measure(question_file(), tree, Wanted(), ALL)
    row = run.scopes[0].rows[1]

    with open_index(tree) as index:
        hits = index.search(row.question.text, k=50, mode="lexical", without=OPTIONAL)
    read = sum(len(hit.text) for hit in hits[: row.cells["BM25"].rank])

    assert row.cells["BM25"].tokens == read // 4
    cart = (tree / "src/shop/cart.py").read_text("utf-8")
    assert row.cells["fair grep"].rank == 1
    assert row.cells["fair grep"].tokens == len(cart) // 4


def test_grep_columns_count_lines_in_scope(tree, question_file):
    """A phrase that nobody wrote is on no line; a word is where it is."""
    scopes = tuple(map(parse_scope, ("all", "label:source")))
    whole, sources_only = measure(question_file(), tree, Wanted(), Asking(scopes)).scopes

    assert [(row.phrase_lines, row.word_lines) for row in whole.rows] == [(0, 4), (None, None)]
    assert [row.word_lines for row in sources_only.rows] == [1, None]


def test_a_count_that_the_file_gets_wrong_is_told(tree, question_file):
    """The tree is another one, or the count was never true."""
    path = question_file([
        {
            "question": "who is blocked", "grep_word": "block", "grep_word_lines": 9,
            "target": {"path": "src/shop/login.py", "symbol": "lock_out"},
        }
    ])  # fmt: skip

    run = measure(path, tree, Wanted(), ALL)

    assert "grep finds 'block' on 4 lines, the question file says 9" in run.warnings


def test_answers_outside_a_scope_are_misses(tree, question_file):
    """They count against every column, and their number is told."""
    (scope,) = measure(question_file(), tree, SCRIPTED, Asking((parse_scope("tests"),))).scopes

    assert scope.outside == 2
    assert {cell.rank for row in scope.rows for cell in row.cells.values()} == {None}


def test_several_embedders_stand_side_by_side(tree, question_file, home):
    """Each has three columns and an index of its own; the user's stays as it was."""
    with open_index(tree, embedder="scripted") as mine:
        mine.refresh()
        before = mine.status()

    run = measure(question_file(), tree, Wanted(embedders=("scripted", "static")), ALL)

    assert [column.name for column in run.columns[2:]] == [
        "scripted", "hybrid scripted", "fiuto scripted",
        "static", "hybrid static", "fiuto static",
    ]  # fmt: skip
    assert [facts.name for facts in run.indexes] == ["scripted", "static"]
    with open_index(tree) as mine:
        assert mine.status() == before


def test_the_other_column_to_compare_with(tree, question_file):
    """Any column may be; one that does not exist is named with those that do."""
    assert measure(question_file(), tree, Wanted(), Asking((Scope("all"),), against="BM25"))
    with pytest.raises(UsageError, match="no column is called 'bm25'; there are: fair grep, BM25"):
        measure(question_file(), tree, Wanted(), Asking((Scope("all"),), against="bm25"))


def test_a_missing_model_leaves_the_words(tree, question_file):
    """Alone it is a warning and columns fewer; beside another it is an error."""
    absent = f"st:{tree}/no-model"

    run = measure(question_file(), tree, Wanted(embedders=(absent,)), ALL)

    assert [column.name for column in run.columns] == ["fair grep", "BM25", "fiuto"]
    assert any("no search by meaning" in warning for warning in run.warnings)
    with pytest.raises(ModelUnavailable):
        measure(question_file(), tree, Wanted(embedders=("scripted", absent)), ALL)


def test_deep_answers_are_found(tmp_path):
    """Beyond the first hundred hits the whole list is read, and a file counts once."""
    for i in range(130):
        (tmp_path / f"m{i:03}.py").write_text(f"def basket():\n    basket({i})\n", "utf-8")
    (tmp_path / "z.py").write_text("# filler\n" * 400 + "def hidden():\n    basket = 1\n", "utf-8")
    question = Question("q", "basket", (Place("z.py", 402, "hidden"),))

    with open_index(tmp_path, chunker="lines", embedder="scripted") as index:
        run = evaluate(Judgments("made", (question,)), [index], ALL)

    cell = run.scopes[0].rows[0].cells["BM25"]
    assert cell.rank == cell.files == 131


def test_progress_counts_searches(tree, question_file):
    """Two questions, four columns that search, one scope."""
    told = []
    asking = Asking((Scope("all"),), progress=lambda *step: told.append(step))

    measure(question_file(), tree, SCRIPTED, asking)

    asked = [step for step in told if step[0] == "Asking"]
    assert asked[0] == ("Asking", 1, 8)
    assert asked[-1] == ("Asking", 8, 8)


def test_files_are_those_of_the_index(tree, home):
    """Grep searches what was indexed, and a target's file is read the same way."""
    (tree / "photo.png").write_bytes(b"\x89PNG\x00\x00")
    with open_index(tree) as index:
        assert isinstance(index, Index)
        assert [file.path for file in sources(index)] == [
            "README.md", "src/shop/cart.py", "src/shop/login.py", "tests/test_login.py",
        ]  # fmt: skip
        skipped = source(index, "photo.png")
        assert isinstance(skipped, Skipped)
        assert skipped.reason == "binary"
        gone = source(index, "gone.py")
        assert isinstance(gone, Skipped)
        assert gone.reason == "missing"
        with pytest.raises(UsageError):
            source(index, "../outside.py")


def test_names_of_columns():
    """A model in a folder goes by the folder's name."""
    assert short_name("st:/models/MiniLM") == "st:MiniLM"
    assert short_name("remote") == "remote"
    assert short_name("") == ""


def test_copies_do_not_end_a_list(tmp_path):
    """A list that folding made short is read on: here two hundred entries are sixty hits."""
    for i in range(300):
        text = f"def basket():\n    basket({i % 60})\n"
        (tmp_path / f"m{i:03}.py").write_text(text, "utf-8")
    (tmp_path / "z.py").write_text("# filler\n" * 400 + "def hidden():\n    basket = 1\n", "utf-8")
    question = Question("q", "basket", (Place("z.py", 402, "hidden"),))

    with open_index(tmp_path, chunker="lines", embedder="scripted") as index:
        run = evaluate(Judgments("made", (question,)), [index], ALL)

    assert run.scopes[0].rows[0].cells["BM25"].rank == 61
