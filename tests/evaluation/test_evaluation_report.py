"""Tables for terminals, Markdown and JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from fiuto.evaluation.jsonable import run_data
from fiuto.evaluation.report import markdown, text
from fiuto.render.style import Style

RANKS = {"fair grep": [2, None], "BM25": [7, 30], "fiuto static": [1, 4]}


def with_question(run, words):
    """The first question in other words."""
    scope = run.scopes[0]
    first = replace(scope.rows[0], question=replace(scope.rows[0].question, text=words))
    return replace(run, scopes=(replace(scope, rows=(first, *scope.rows[1:])),))


def test_the_terminal_shows_ranks_figures_and_differences(made):
    """Question by question, then column by column, then against each other."""
    lines = text(made(RANKS)).split("\n")

    assert lines[0] == "made.json on /made, profile default, seed 0"
    assert "7 files, 30 chunks by lines/1, static (revision 1)" in lines[1]
    assert "the embedder read only the start of 2" in lines[1]
    table = [re.split(r"  +", line) for line in lines]
    assert ["question 0", "name0", "0", "0", "2", "7", "1"] in table
    assert ["question 1", "name1", "0", "1", "none", "30", "4"] in table
    (row,) = [row for row in table if row[0] == "fiuto static"]
    assert row[1:6] == ["1/2", "2/2", "2/2", "2/2", "0.625"]
    assert any(row[0] == "fair grep, by file" for row in table)
    assert "2 questions are few" in lines[-2]


def test_many_questions_are_summed_up(made):
    """Two hundred lines of ranks help nobody in a terminal; Markdown has them."""
    run = made({"BM25": [3] * 200, "fiuto static": [1] * 200})

    assert "question 199" not in text(run)
    assert "show every rank" in text(run)
    assert "| question 199 |" in markdown(run)


def test_columns_stand_straight(made):
    """Wide characters take two columns, long questions are cut, nothing breaks a line."""
    run = with_question(made(RANKS), "求职者登录在哪里\x1b[31m检查" + "很长" * 40 + "\nnext")

    shown = text(run, Style(width=110)).split("\n")

    rows = shown[shown.index(next(line for line in shown if line.startswith("question"))) :][:3]
    assert "\x1b" not in rows[1]
    assert "…" in rows[1]
    wide = sum(1 for c in rows[1] if "\u4e00" <= c <= "\u9fff")
    assert len(rows[1]) + wide == len(rows[2]) <= 110


def test_colours_mark_good_ranks(made):
    """Only where colours are wanted: green to the fifth, yellow to the tenth, none dim."""
    drawn = text(made(RANKS), Style(colour=True))

    assert re.search(r"\x1b\[32m +1\x1b\[0m", drawn)
    assert re.search(r"\x1b\[33m +7\x1b\[0m", drawn)
    assert re.search(r"\x1b\[2m +none\x1b\[0m", drawn)
    assert "\x1b" not in text(made(RANKS))


def test_markdown_is_a_table_whatever_the_question(made):
    """A bar or a line break in a question does not end a cell."""
    lines = markdown(with_question(made(RANKS), "a | b\nc")).split("\n")

    (row,) = [line for line in lines if "a \\| b c" in line]
    head = lines[lines.index(row) - 2]
    assert len(re.findall(r"(?<!\\)\|", row)) == head.count("|")
    assert "## the whole tree: 2 questions over 7 files, 30 chunks" in lines


def test_json_holds_everything(made):
    """Ranks, tokens, figures with limits, differences, versions; and it is JSON."""
    data = json.loads(json.dumps(run_data(made(RANKS))))

    (scope,) = data["scopes"]
    assert data["schema"] == 1
    assert data["reference"] == "fiuto static"
    assert data["versions"]["python"]
    assert data["indexes"][0]["chunks"] == 30
    assert scope["rows"][1]["ranks"] == {"fair grep": None, "BM25": 30, "fiuto static": 4}
    assert scope["rows"][0]["targets"] == ["a.py:1"]
    summary = scope["summary"]["fiuto static"]["all"]
    assert summary["n"] == 2
    assert summary["mrr"]["value"] == 0.625
    assert summary["hit@5"]["low"] < 1 == summary["hit@5"]["high"]
    assert [one["other"] for one in scope["differences"]] == ["fair grep", "BM25"]


@pytest.mark.parametrize("module", ["fiuto.evaluation.report", "fiuto.evaluation.metrics"])
def test_reports_need_no_numpy(module):
    """Figures are few; importing numpy would cost more than computing them."""
    code = f"import sys, {module}; sys.exit('numpy' in sys.modules or 'rich' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
