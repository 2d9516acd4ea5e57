"""``fiuto eval`` from the command line to the exit code."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from fiuto.cli.main import cli


@pytest.fixture
def run():
    """Runs a command line in this process."""

    def running(*args):
        return CliRunner().invoke(cli, ["eval", *map(str, args)])

    return running


def test_a_table_for_people(run, tree, question_file):
    """Exit code 0; scopes default to everything and to sources."""
    result = run(question_file(), tree)

    assert result.exit_code == 0
    assert "the whole tree: 2 questions over 4 files, 4 chunks" in result.stdout
    assert "label:source: 2 questions over 2 files, 2 chunks" in result.stdout
    assert "fiuto static against" in result.stdout
    assert "2 questions are few" in result.stdout


def test_json_markdown_and_page(run, tree, question_file, tmp_path):
    """One object, one document, one file; the page is written beside either."""
    page = tmp_path / "page.html"

    as_json = run(question_file(), tree, "--json", "--scope", "src", "--html", page)
    as_markdown = run(question_file(), tree, "--markdown", "--scope", "src")

    data = json.loads(as_json.stdout)
    assert [scope["name"] for scope in data["scopes"]] == ["src"]
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert as_markdown.stdout.startswith("- ")
    assert "## src: 2 questions over 2 files, 2 chunks" in as_markdown.stdout
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "page.html", "questions.json",
    ]  # fmt: skip


def test_every_fault_is_one_line(run, tree, question_file, tmp_path):
    """Nothing is indexed, nothing written, exit code 2."""
    page = tmp_path / "page.html"
    path = question_file([
        {"question": "a"},
        {"question": "b", "target": {"path": "src/shop/gone.py", "line": 1}},
        {"question": "c", "target": {"path": "src/shop/login.py", "symbol": "lock_out", "line": 1}},
        {"question": "d", "target": {"path": "src/shop/login.py", "line": "7"}},
        {"question": "A", "target": {"path": "src/shop/login.py", "line": 7}},
        {"question": "a ", "target": {"path": "src/shop/login.py", "line": 7}},
    ])  # fmt: skip

    result = run(path, tree, "--html", page)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"fiuto: {path}: entry 1: has no target; give it a path with a line, a symbol or both",
        (
            f"fiuto: {path}: entry 2: target 'src/shop/gone.py' is not indexed: "
            "There is no such file, or it went away while it was read."
        ),
        (
            f"fiuto: {path}: entry 3: target 'src/shop/login.py' line 1 does not hold 'lock_out'; "
            "it is on line 7"
        ),
        f'fiuto: {path}: entry 4: target.line must be a whole number from 1, not "7"',
        f"fiuto: {path}: entry 6: question repeats that of entry 5",
    ]
    assert not page.exists()
    assert not (tmp_path / "home").exists()


def test_a_baseline_guards_a_build(run, tree, question_file, tmp_path):
    """0 while nothing is lost, 1 when an answer moved away, told question by question."""
    path = question_file()
    baseline = tmp_path / "baseline.json"
    baseline.write_text(run(path, tree, "--json").stdout, "utf-8")

    same = run(path, tree, "--baseline", baseline)
    data = json.loads(baseline.read_text("utf-8"))
    for scope in data["scopes"]:
        for row in scope["rows"]:
            row["ranks"] = dict.fromkeys(row["ranks"], 1)
    baseline.write_text(json.dumps(data), "utf-8")
    login = tree / "src/shop/login.py"
    login.write_text("def lock_out(a, b):\n    pass\n", "utf-8")
    (tree / "src/shop/other.py").write_text("# users blocked after too many wrong guesses\n" * 9)
    lost = run(path, tree, "--baseline", baseline)

    assert same.exit_code == 0
    assert "no figure fell by more than 0.02 against the baseline" in same.stderr
    assert lost.exit_code == 1
    assert "fiuto: loss: all, fiuto static: hit@1 1.000 -> 0.500 (-0.500)" in lost.stderr
    assert "fiuto: moved: all, fiuto static: 1 -> " in lost.stderr
    assert run(path, tree, "--baseline", baseline, "--tolerance", 1).exit_code == 0


def test_questions_from_doc_comments(run, tree):
    """No question file; the folder is the only argument."""
    result = run("--from-docs", tree, "-n", 1, "--seed", 3, "--scope", "all")

    assert result.exit_code == 0
    assert result.stdout.startswith("1 doc comment of shop (seed 3)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a question file, or ask for --from-docs"),
        (["{q}", "{tree}", "more"], "unexpected argument 'more'"),
        (["--from-docs", "{tree}", "more"], "unexpected argument 'more'"),
        (["{q}", "{tree}", "--scope", "label:sorce"], "no label 'sorce'"),
        (["{q}", "{tree}/gone"], "does not exist"),
        (["--from-docs", "{tree}", "--lang", "it"], "--lang needs a question file"),
        (
            ["{q}", "{tree}", "--embedder", "scripted", "--embedder", "scripted"],
            "two columns are called 'scripted'",
        ),
        (["{q}", "{tree}", "--against", "grep"], "no column is called 'grep'"),
        (["{q}", "{tree}", "--embedder", "stattic"], "no embedder is called 'stattic'"),
        (["{q}", "{tree}", "--html", "{tree}/no/page.html"], "there is no folder"),
        (["{q}", "{tree}", "--baseline", "{tree}/no.json"], "cannot be read"),
        (["{q}", "{tree}", "--tolerance", "2"], "tolerance"),
        (["{tree}/no.json", "{tree}"], "cannot be read: No such file"),
    ],
)
def test_errors_are_one_line(arguments, message, run, tree, question_file):
    """Exit code 2, and standard output stays empty."""
    given = [argument.format(q=question_file(), tree=tree) for argument in arguments]

    result = run(*given)

    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert message in line


def test_a_page_that_cannot_be_replaced_leaves_nothing_behind(run, tree, question_file, tmp_path):
    """No half-written file beside it."""
    folder = tmp_path / "page.html"
    folder.mkdir()
    (folder / "kept").write_text("x")

    result = run(question_file(), tree, "--html", folder)

    assert result.exit_code == 2
    assert [path.name for path in folder.iterdir()] == ["kept"]
    assert not list(tmp_path.glob(".page*"))
