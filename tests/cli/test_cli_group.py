"""Tests of fiuto.cli.group, fiuto.cli.commands and fiuto.cli.main."""

from __future__ import annotations

import importlib.metadata

import click
import pytest
from cli_fakes import hit

from fiuto.cli.commands import COMMANDS, load
from fiuto.cli.main import cli


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_leads_to_commands_that_describe_themselves(name: str, run) -> None:
    """Each entry is a command of that name with help of its own."""
    command = load(name)

    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert run(name, "--help").exit_code == 0


def test_help_lists_every_command_and_the_exit_codes(run) -> None:
    """What a newcomer reads first."""
    result = run("--help")

    assert result.exit_code == 0
    for name, entry in COMMANDS.items():
        assert f"  {name:8} {entry.summary}\n" in result.stdout
    assert "Exit codes: 0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C." in result.stdout


@pytest.mark.parametrize(
    ("line", "question"),
    [
        (["where do we block users"], "where do we block users"),
        (["-k", "3", "block"], "block"),
        (["--debug", "block"], "block"),
        (["--", "-x"], "-x"),
        (["search", "--", "--help"], "--help"),
        (["search", "index"], "index"),
        (["求职者登录"], "求职者登录"),
        (["x" * 100_000], "x" * 100_000),
        (["a AND (b"], "a AND (b"),
    ],
)
def test_a_first_word_that_is_no_command_is_a_question(
    fake, run, line: list[str], question: str
) -> None:
    """Options may come first; after -- anything is a question."""
    fake.hits = (hit(),)

    result = run(*line)

    assert (0, question) == (result.exit_code, fake.asked["question"])


def test_a_question_may_be_followed_by_a_folder(fake, run, tmp_path) -> None:
    """``fiuto QUESTION PATH``."""
    run("block users", str(tmp_path))

    assert str(tmp_path) == fake.opened["root"]


def test_a_slip_of_a_command_name_is_pointed_out(fake, run) -> None:
    """It is searched for all the same; a real question is left alone."""
    assert "fiuto: searching for 'indx'; if you meant the command: fiuto index\n" in (
        run("indx").stderr
    )
    assert "meant" not in run("retry").stderr
    assert "meant" not in run("index the folder").stderr
    assert "meant" not in run("search", "indx").stderr


def test_bytes_that_are_no_text_do_not_reach_the_engine(fake, run) -> None:
    """An argument in another encoding than the locale's."""
    run("gr\udcf6\udcdfe")
    broken = fake.asked["question"]
    run("gr\udcc3\udcb6\udcc3\udc9fe")

    assert broken == "gr\ufffd\ufffde"
    assert fake.asked["question"] == "größe"


def test_version(run, monkeypatch) -> None:
    """The installed package's."""
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "1.2.3")

    assert run("--version").stdout == "fiuto 1.2.3\n"


def test_nothing_asked_is_a_usage_error_with_the_help(run) -> None:
    """Exit code 2."""
    result = run()

    assert result.exit_code == 2
    assert "Usage: fiuto" in result.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["--nope"], "No such option '--nope'"),
        (["search"], "Missing argument 'QUESTION [PATH]'"),
        (["search", "-k", "x", "q"], "'x' is not a valid integer"),
        (["search", "--mode", "x", "q"], "'x' is not one of 'hybrid', 'lexical', 'semantic'"),
        (["search", "--budget", "0", "q"], "0 is not in the range x>=1"),
        (["forget"], "Missing argument 'PATH'"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(
    run, line: list[str], message: str
) -> None:
    """It says where the help is."""
    result = run(*line)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("fiuto: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert " --help'" in result.stderr


def test_the_exit_code_is_returned_to_a_caller_who_does_not_want_to_exit(fake) -> None:
    """Standalone mode off."""
    assert cli.main(["q"], standalone_mode=False) == 1
    assert cli.main(["--help"], standalone_mode=False) == 0
