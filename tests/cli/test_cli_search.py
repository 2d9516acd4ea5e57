"""Tests of fiuto.cli.search and fiuto.cli.answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_fakes import hit, status_of

from fiuto.config import UNSET
from fiuto.model import Also


def test_a_hit_is_printed_and_nothing_else(fake, run) -> None:
    """Exit code 0, hits on standard output, silence on standard error."""
    fake.hits = (hit(), hit("tests/t.py", 9, label="test", symbol=""))

    result = run("search", "where do we block users")

    assert result.exit_code == 0
    assert result.stdout == (
        "src/a.py:3-5  block\n"
        "  3  def block(user):\n"
        "  4      ban(user)\n"
        "  5      return user\n"
        "\n"
        "tests/t.py:9-11  [test]\n"
        "   9  def block(user):\n"
        "  10      ban(user)\n"
        "  11      return user\n"
    )
    assert result.stderr == ""
    assert fake.closed


def test_nothing_found_is_exit_code_1_and_one_line(fake, run) -> None:
    """Standard output stays empty."""
    result = run("search", "nonsense")

    assert (
        result.exit_code,
        result.stdout,
        result.stderr,
    ) == (1, "", "fiuto: nothing found in 2 files, 5 chunks\n")


def test_an_empty_index_says_why(fake, run) -> None:
    """0 files, because …"""
    fake.status_ = status_of(files=0, chunks=0)
    told = run("search", "x").stderr
    fake.status_ = status_of(files=0, chunks=0, skipped={})
    empty = run("search", "x").stderr

    assert told == "fiuto: nothing to search in /root/app: 0 files (3 skipped: 2 binary, 1 image)\n"
    assert empty == "fiuto: nothing to search in /root/app: 0 files (the folder is empty)\n"


def test_every_option_reaches_the_engine(fake, run, tmp_path: Path) -> None:
    """Nothing is lost between the command line and the index."""
    line = (
        "search q app -k 3 --mode lexical --path src/** --path *.py --lang python --only source "
        "--no test --no-refresh --lexical-unit file --embedder static --chunker lines "
        "--profile article --include *.lock --exclude gen --secrets --deep --deep-budget 500ms"
    )
    (tmp_path / "app").mkdir()
    run(*line.split())

    asked = fake.asked | {"progress": None}
    assert asked == {
        "question": "q", "k": 3, "mode": "lexical", "paths": ("src/**", "*.py"),
        "languages": ("python",), "only": ("source",), "no": ("test",), "lexical_unit": "file",
        "refresh": False, "progress": None, "deep": True, "deep_budget": 0.5,
    }  # fmt: skip
    assert fake.opened == {
        "root": "app", "embedder": "static", "chunker": "lines", "profile": "article",
        "include": ("*.lock",), "exclude": ("gen",), "secrets": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "deep", "budget"),
    [
        ((), None, None),
        (("--no-deep",), False, None),
        (("--deep-budget", "2"), True, 2.0),
        (("--no-deep", "--deep-budget", "1.5s"), False, 1.5),
        (("--deep", "--deep-budget", "2m"), True, 120.0),
    ],
)
def test_a_budget_asks_for_depth(fake, run, options, deep, budget) -> None:
    """Unless it was said not to; without either the settings choose."""
    run("search", "q", *options)
    assert (fake.asked["deep"], fake.asked["deep_budget"]) == (deep, budget)


@pytest.mark.parametrize("time", ["soon", "0s", "-1s", "3h"])
def test_a_budget_that_is_no_time_is_refused(fake, run, time: str) -> None:
    """Before anything is opened."""
    result = run("search", "q", "--deep-budget", time)
    assert result.exit_code == 2
    assert fake.opened == {}


def test_what_is_not_given_is_not_given(fake, run) -> None:
    """Settings files decide where the command line is silent."""
    run("search", "q")

    assert fake.opened.pop("root") == "."
    assert {UNSET} == set(fake.opened.values())
    assert tuple(fake.asked[name] for name in ("k", "mode", "refresh", "lexical_unit")) == (
        None,
        None,
        True,
        "chunk",
    )


def test_paths_lead_there_from_the_current_folder(fake, run, tmp_path: Path) -> None:
    """The folder as typed goes in front, so that sed and a click work."""
    fake.hits = (hit(),)
    (tmp_path / "app").mkdir()

    for folder, path in (("app", "app/src/a.py"), ("./app/", "./app/src/a.py"),
                         (".", "src/a.py"), ("./", "src/a.py"), ("..", "../src/a.py"),
                         (str(tmp_path), f"{tmp_path}/src/a.py"), ("/", "/src/a.py")):  # fmt: skip
        assert f"{path}\n" == run("search", "q", folder, "--files").stdout


def test_a_quoted_tilde_is_the_home_folder(fake, run, monkeypatch, tmp_path: Path) -> None:
    """Agents and scripts pass it unexpanded."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "app").mkdir()
    fake.hits = (hit(),)

    assert f"{tmp_path}/app/src/a.py\n" == run("search", "q", "~/app", "--files").stdout
    assert f"{tmp_path}/app" == fake.opened["root"]


def test_json_is_one_object_with_paths_relative_to_the_root(fake, run, tmp_path: Path) -> None:
    """Warnings are in the object, not beside it."""
    fake.hits = (hit(),)
    fake.warnings = ("careful",)

    result = run("search", "größe", str(tmp_path), "--json")

    data = json.loads(result.stdout)
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    assert (
        data["schema"], data["query"], data["hits"][0]["path"], data["warnings"],
    ) == (1, "größe", "src/a.py", ["careful"])  # fmt: skip
    assert data["hits"][0]["score"] == sum(data["hits"][0]["parts"].values())


def test_json_without_hits_is_an_object_too(fake, run) -> None:
    """Exit code 1, an empty list, nothing on standard error."""
    result = run("search", "q", "--json")

    assert (result.exit_code, json.loads(result.stdout)["hits"], result.stderr) == (1, [], "")


def test_jsonl_is_a_hit_a_line(fake, run) -> None:
    """Warnings go to standard error."""
    fake.hits = (hit(), hit("b.py"))
    fake.warnings = ("careful",)

    result = run("search", "q", "--jsonl")

    assert [json.loads(x)["path"] for x in result.stdout.splitlines()] == ["src/a.py", "b.py"]
    assert result.stderr == "fiuto: warning: careful\n"


def test_vimgrep_is_a_place_a_line(fake, run) -> None:
    """path:line:column:text of the best line."""
    fake.hits = (hit(), hit("b.py", 7))

    assert (
        run("search", "ban", "--vimgrep").stdout
        == "src/a.py:4:5:    ban(user)\nb.py:8:5:    ban(user)\n"
    )


def test_files_are_distinct_and_in_order_of_their_best_hit(fake, run) -> None:
    """For xargs."""
    fake.hits = (hit("b.py"), hit("a.py"), hit("b.py", 50))

    assert run("search", "q", "--files").stdout == "b.py\na.py\n"


def test_explain_shows_the_parts(fake, run) -> None:
    """Under each place."""
    fake.hits = (hit(),)

    lines = run("search", "q", "--explain").stdout.splitlines()

    assert lines[1] == "  0.0200 = lexical 0.0200 (lexical rank 1)"


@pytest.mark.parametrize("format_", ["--jsonl", "--vimgrep", "--files", "--no-refresh"])
def test_a_budget_below_the_first_hit_still_shows_it(fake, run, format_: str) -> None:
    """The reader learns what was left out."""
    fake.hits = (hit(), hit("b.py"))

    result = run("search", "ban", format_, "--budget", "1")

    assert "src/a.py" in result.stdout
    assert "b.py" not in result.stdout
    assert (
        result.stderr
        == "fiuto: warning: to fit 1 tokens, the last hit is shortened and 1 more is left out\n"
    )


def test_a_budget_in_json_is_told_in_the_object(fake, run) -> None:
    """The cut hit is marked, the rest is counted."""
    fake.hits = (hit(text="x\n" * 400), hit("b.py"))

    data = json.loads(run("search", "q", "--json", "--budget", "150").stdout)

    assert [h["shortened"] for h in data["hits"]] == [True]
    assert data["hits"][0]["text"].startswith("x\nx")
    assert len(data["warnings"]) == 1


def test_warnings_are_one_line_each(fake, run) -> None:
    """Whatever the message holds."""
    fake.hits = (hit(),)
    fake.warnings = ("first\nstill the first", "second\x1b[2J")

    assert (
        run("search", "q").stderr
        == "fiuto: warning: first still the first\nfiuto: warning: second\\x1b[2J\n"
    )


def test_a_question_without_quotes_is_told_to_use_them(fake, run) -> None:
    """Two words look like a question and a folder, more like nothing."""
    many = run("search", "where", "do", "we")
    two = run("search", "block", "users")

    assert (many.exit_code, two.exit_code) == (2, 2)
    assert (
        many.stderr
        == "fiuto: put a question of several words in quotes; see 'fiuto search --help'\n"
    )
    assert (
        two.stderr == "fiuto: no folder 'users' here; put a question of several words in quotes\n"
    )


def test_force_color_colours_a_pipe_and_no_color_wins(fake, run, monkeypatch) -> None:
    """For pictures and pagers."""
    fake.hits = (hit(),)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("search", "ban").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    plain = run("search", "ban").stdout

    assert "\x1b[1;31mban\x1b[0m" in coloured
    assert "\x1b" not in plain


def test_doubt_is_said_above_the_hits_and_exits_with_one(fake, run) -> None:
    """Only --strict turns it into an exit code; the hits are shown either way."""
    fake.hits, fake.confidence = (hit(),), "none"
    plain, strict = run("search", "q"), run("search", "q", "--strict")

    assert plain.stderr.startswith("fiuto: nothing here seems to answer this; the nearest are")
    assert (plain.exit_code, strict.exit_code) == (0, 1)
    assert strict.stdout == plain.stdout != ""


def test_the_tail_names_more_files(fake, run) -> None:
    """How many, which names, and the paths; not where a budget must hold."""
    fake.hits = (hit(),)
    fake.also = Also(("should_strip_auth",), ("a.py", "b/c.py"), 3)
    shown = run("search", "should_strip_auth").stdout

    assert shown.endswith(
        "\n\nalso: 3 more files contain `should_strip_auth`\n  a.py\n  b/c.py\n  … and 1 more\n"
    )
    assert "also:" not in run("search", "q", "--budget", "500").stdout


def test_the_tail_as_data(fake, run) -> None:
    """Under ``also``; ``more`` where the count is a lower bound."""
    fake.hits, fake.confidence = (hit(),), "low"
    fake.also = Also(("Session",), ("a.py",), 1, more=True)
    data = json.loads(run("search", "Session", "--json").stdout)

    assert data["also"] == {
        "identifiers": ["Session"], "files": ["a.py"], "total": 1, "more": True,
    }  # fmt: skip
    assert data["confidence"] == "low"
