"""The article's questions are well formed, and its tables say what was measured."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.article import published
from benchmarks.article.embedders import AtHand, Missing, embedders
from benchmarks.article.tables import document

from fiuto.evaluation.judgments import parse
from fiuto.evaluation.run import Cell, Column, IndexFacts, Row, Run, ScopeRun
from fiuto.evaluation.targets import Place, Question

QUESTIONS = Path(published.__file__).with_name("questions.json")
COLUMNS = (
    Column("fair grep", "grep"),
    Column("BM25", "lexical"),
    Column("fiuto static", "fiuto", "static"),
)
ABOUT = {"machine": {"cpu": "c", "cores": 2, "system": "Linux"}, "versions": {"fiuto": "1"}}


def test_the_questions_are_the_articles():
    """Ten questions and two identifiers, with the 22 line counts that grep must give."""
    entries, revision, faults = parse(QUESTIONS)

    assert not faults
    assert revision == "0e322af87745eff34caffe4df68456ebc20d9068"
    assert [entry.target.symbol for entry in entries] == list(published.RANKS)
    assert [entry.category for entry in entries] == ["question"] * 10 + ["identifier"] * 2
    assert [entry.phrase_lines for entry in entries] == [0] * 10 + [15, 9]
    assert [entry.word_lines for entry in entries] == [
        47, 625, 6, 54, 8, 94, 4, 98, 4, 17, None, None,
    ]  # fmt: skip


def test_published_hits_follow_from_the_published_ranks():
    """The second table is the first one counted, where both are published."""
    for i, name in enumerate(("BM25", "bge-m3", "hybrid (bge-m3)", "bge-small")):
        ranks = [row[i] for row in list(published.RANKS.values())[:10]]
        counted = tuple(sum(rank is not None and rank <= k for rank in ranks) for k in (5, 10))
        assert counted == published.HITS["all"][name], name


def run_of(profile: str) -> Run:
    """Every question answered at rank 6 by BM25 and 3 by fiuto."""
    raw = json.loads(QUESTIONS.read_text("utf-8"))["questions"]
    rows = tuple(
        Row(
            question=Question(
                entry["question"],
                entry["question"],
                (Place(entry["target"]["path"], 1, entry["target"]["symbol"]),),
                category=entry["category"],
                phrase=entry["grep_phrase"],
                word=entry.get("grep_word", ""),
            ),
            phrase_lines=entry["grep_phrase_lines"],
            word_lines=entry.get("grep_word_lines"),
            cells={
                "fair grep": Cell(None, None, 0, 0.0),
                "BM25": Cell(6, 2, 0, 0.0),
                "fiuto static": Cell(3, 1, 0, 0.0),
            },
        )
        for entry in raw
    )
    return Run(
        title="questions.json", root="/r", revision="", profile=profile, seed=0, columns=COLUMNS,
        reference="fiuto static", indexes=(IndexFacts("static", "s", "lines", 117, 318, 1, 0),),
        scopes=(ScopeRun("all", 117, 318, 0, rows), ScopeRun("src/**", 18, 84, 0, rows)),
        warnings=("grep finds 'loop' on 7 lines, the question file says 6",),
    )  # fmt: skip


def test_the_page_puts_published_and_measured_side_by_side():
    """Ranks, hits of the ten questions, grep counts, and what is missing."""
    missing = [Missing("bge-m3", "fiuto models pull bge-m3")]

    page = document([run_of("article"), run_of("default")], missing, ABOUT)

    article, default = page.split("## fiuto's defaults")
    assert "- grep: 21 of 22 line counts equal the article's" in article
    assert "| rebuild_method" not in article
    (row,) = [line for line in article.split("\n") if "`super_len`" in line]
    assert row.endswith("| how big: 0 | big: 8 | 54 | 65 | none | 233 | none | 6 |")
    (row,) = [line for line in default.split("\n") if "`super_len`" in line]
    assert row.endswith("| 54 | 65 | none | 233 | none | 6 | 3 |")
    assert "| whole repository, 117 files, 318 chunks | 6 / 7 | 4 / 5 | 5 / 7 |" in article
    (row,) = [line for line in default.split("\n") if line.startswith("| `src/**`")]
    assert row.endswith("| 0 / 0 | 0 / 10 | 10 / 10 |")
    assert default.rstrip().endswith("- bge-m3: fiuto models pull bge-m3")
    # Every line of a table has as many cells as its head.
    for block in page.split("\n\n"):
        widths = {line.count("|") for line in block.split("\n") if line.startswith("|")}
        assert len(widths) <= 1


def test_embedders_are_at_hand_or_say_how_to_get_them(tmp_path, monkeypatch):
    """The shipped one always is."""
    monkeypatch.setattr("benchmarks.article.embedders._packaged", lambda _folder: None)
    found = list(embedders(tmp_path))

    assert found[0] == AtHand("static")
    names = [one.name for one in found]
    assert len(names) == len(set(names)) == 4
    for one in found:
        assert isinstance(one, AtHand) or one.how
