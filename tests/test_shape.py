"""The shape of the code: what imports cannot show and reviews forget."""

import ast
import importlib
from pathlib import Path

import pytest

from fiuto import protocols, registry

SOURCE = Path(__file__).parents[1] / "src" / "fiuto"
MODULES = sorted(SOURCE.rglob("*.py"))
LONG_FOR_A_REASON = {
    "model.py": "every value that crosses a border, one table to read",
}
"""Files over 300 lines, and why."""


def name_of(path):
    """Relative to the package."""
    return path.relative_to(SOURCE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_files_and_functions_are_short(path):
    """300 lines a file unless it says why, 500 never; under 60 a function; 7 parameters."""
    text = path.read_text()
    lines = text.count("\n")
    assert lines <= (500 if name_of(path) in LONG_FOR_A_REASON else 300)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            where = f"{name_of(path)}:{node.lineno} {node.name}"
            body = [n for n in node.body if not _is_docstring(n)]
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length < 60, where
            positional = [a for a in node.args.args if a.arg not in {"self", "cls"}]
            assert len(positional) <= 7, where


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is_for(path):
    """A module docstring each."""
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_protocols_stay_small():
    """At most eight methods: more cannot be implemented by somebody else."""
    for name in protocols.__all__:
        members = [m for m in vars(getattr(protocols, name, object)) if not m.startswith("_")]
        assert len(members) <= 8, name


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, table in registry.BUILT_IN.items() for name in table]
)
def test_string_tables_lead_somewhere(kind, name):
    """What import-linter cannot see: each entry of the registry can be imported and called."""
    assert callable(registry.load(kind, name))


def test_command_table_leads_somewhere():
    """Each command can be imported."""
    commands = importlib.import_module("fiuto.cli.commands")
    for name, entry in commands.COMMANDS.items():
        module, _, attribute = entry.target.partition(":")
        assert callable(getattr(importlib.import_module(module), attribute)), name


def test_the_project_speaks_of_itself_only():
    """No leftovers of how it was made."""
    for path in MODULES:
        text = path.read_text()
        assert "TODO" not in text, path
        assert "FIXME" not in text, path
