"""
Every command: its name, where it lives, and its line in ``fiuto --help``.

A command's module is imported when the command runs, so help costs no engine.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import click

from fiuto.values import dataclass

__all__ = ["COMMANDS", "DEFAULT", "Entry", "load"]

DEFAULT = "search"
"""What a first word that names no command is a question to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One command."""

    target: str
    """``module:attribute``."""
    summary: str


COMMANDS: Mapping[str, Entry] = MappingProxyType(
    {
        "search": Entry("fiuto.cli.search:search", "Answer a question with path:start-end."),
        "related": Entry("fiuto.cli.related:related", "Show what is like one place in the code."),
        "index": Entry("fiuto.cli.index:index", "Index what is missing or changed in a folder."),
        "watch": Entry(
            "fiuto.cli.watch:watch", "Keep the index of a folder fresh as files change."
        ),
        "org": Entry("fiuto.cli.org:org", "Index every repository of a list, in shards."),
        "status": Entry("fiuto.cli.status:status", "Show an index in figures."),
        "why": Entry("fiuto.cli.why:why", "Say whether a file is indexed, and why not."),
        "list": Entry("fiuto.cli.places:list_", "List every index of this user."),
        "forget": Entry("fiuto.cli.places:forget", "Delete the index of a folder."),
        "eval": Entry("fiuto.cli.eval:eval_", "Measure the search on known answers."),
        "mcp": Entry("fiuto.cli.mcp:mcp", "Serve folders to coding agents over MCP."),
        "setup": Entry("fiuto.cli.setup:setup", "Tell a coding agent of fiuto mcp."),
        "serve": Entry("fiuto.cli.serve:serve", "Serve a page to search in a browser."),
        "doctor": Entry("fiuto.cli.doctor:doctor", "Find what is wrong here, and what to do."),
        "warm": Entry("fiuto.cli.warm:warm", "Keep a process ready that answers at once."),
        "models": Entry("fiuto.cli.models:models", "List embedding models, or fetch one."),
    }
)
"""In the order of ``fiuto --help``."""


def load(name: str) -> click.Command:
    """The command called ``name``, which must be in :data:`COMMANDS`."""
    module, _, attribute = COMMANDS[name].target.partition(":")
    return cast("click.Command", getattr(importlib.import_module(module), attribute))
