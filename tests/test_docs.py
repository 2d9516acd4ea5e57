"""The documentation is true: what it links to exists, what it tells to type works."""

import re
from pathlib import Path

import click
import pytest

from fiuto.cli.commands import COMMANDS, load

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)\)")
OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)")


def relative(path):
    """For test names."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page):
    """Every relative link names a file of this repository."""
    for target in LINK.findall(page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def options_of(command):
    """Every spelling of every option."""
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}


def test_readme_shows_every_command():
    """Nothing a user can do is left out."""
    text = (ROOT / "README.md").read_text()
    for name in COMMANDS:
        assert re.search(rf"fiuto {name}\b|`{name}\b", text), name


def test_commands_in_code_blocks_are_real():
    """Each ``fiuto …`` line of a code block names a command and options that it has."""
    seen = 0
    for page in PAGES:
        for block in re.findall(r"```\n(.*?)```", page.read_text(), re.DOTALL):
            for line in re.findall(r"^(?:\S*/)?fiuto (.*)$", block, re.MULTILINE):
                for call in line.partition("  #")[0].split("; fiuto "):
                    words = re.sub(r"\"[^\"]*\"|'[^']*'", "X", call).split()
                    name = words[0] if words and words[0] in COMMANDS else "search"
                    command = load(name)
                    assert isinstance(command, click.Command)
                    known = options_of(command) | {"--help", "--debug", "--version"}
                    if not isinstance(command, click.Group):
                        assert set(OPTION.findall(" ".join(words))) <= known, (page, line)
                    seen += 1
    assert seen > 5


def test_reliability_names_tests_that_exist():
    """Each row's tests are there: a name alone belongs to the file named before it."""
    text = (ROOT / "docs" / "reliability.md").read_text()
    rows = [line for line in text.split("\n") if line.startswith("|") and "test_" in line]
    for row in rows:
        file = ""
        named = 0
        for path, name in re.findall(r"`([\w/]+\.py)?(?:::(\w+))?`", row):
            file = path or file
            if path:
                assert (ROOT / "tests" / path).is_file(), path
                named += 1
            if name:
                source = (ROOT / "tests" / file).read_text()
                assert re.search(rf"(?:def|class) {name}\b", source), f"{file}::{name}"
        assert named, row
    assert len(rows) > 40
