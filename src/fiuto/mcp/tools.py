"""
What an agent may ask for: names, descriptions and arguments of the tools.

Arguments are checked here, not by the SDK, so that a misspelt one is told its right
spelling.  Pure: no SDK, no index.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fiuto.errors import UsageError, nearest
from fiuto.model import LABELS, MODES

__all__ = ["TOOLS", "Argument", "ToolSpec", "checked"]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool."""

    kind: str
    """``string``, ``integer`` or ``strings``."""
    about: str
    required: bool = False
    least: int = 1
    """Of an integer."""
    one_of: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        plain: dict[str, Any] = {"type": "string", "enum": list(self.one_of)}
        if not self.one_of:
            plain = {"type": "string"}
        if self.kind == "integer":
            plain = {"type": "integer", "minimum": self.least}
        if self.kind == "strings":
            plain = {"type": "array", "items": plain}
        return plain | {"description": self.about}


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool."""

    about: str
    arguments: Mapping[str, Argument]

    def schema(self) -> dict[str, Any]:
        """Of all its arguments; nothing else is accepted."""
        return {
            "type": "object",
            "properties": {name: one.schema() for name, one in self.arguments.items()},
            "required": [name for name, one in self.arguments.items() if one.required],
            "additionalProperties": False,
        }

    def listed(self, name: str) -> dict[str, Any]:
        """As the protocol lists a tool."""
        hints = {"readOnlyHint": True}
        schema = self.schema()
        return {
            "name": name, "description": self.about, "inputSchema": schema, "annotations": hints,
        }  # fmt: skip


_PATH = Argument("string", "a folder below the served roots; the first root where it is left out")
_FILE = Argument("string", "path of a file, absolute or relative to a root", required=True)
_K = Argument("integer", "hits at most, 8 where it is left out")

TOOLS: Mapping[str, ToolSpec] = MappingProxyType(
    {
        "folder_search": ToolSpec(
            "Find the lines of a code base that answer a question in plain words, or that define "
            "a name. Use it when you do not know the exact word that the code uses. Use grep "
            "instead for every place of an exact string. Returns path:start-end, the symbol and "
            "the best lines; confidence 'none' means that nothing here seems to answer.",
            {
                "question": Argument("string", "plain words, a name, a stack trace", required=True),
                "path": _PATH,
                "k": _K,
                "mode": Argument("string", "hybrid where it is left out", one_of=MODES),
                "paths": Argument("strings", "globs: only files that match one, 'src/**'"),
                "languages": Argument("strings", "only files in these languages: 'python'"),
                "only": Argument("strings", "only files with these labels", one_of=LABELS),
                "no": Argument("strings", "no files with these labels", one_of=LABELS),
                "budget_tokens": Argument("integer", "the answer's size, 4 characters a token"),
            },
        ),
        "find_related": ToolSpec(
            "Find code that is like one place: same purpose, same words. The same file comes last.",
            {"file": _FILE, "line": Argument("integer", "1-based", required=True), "k": _K},
        ),
        "read_lines": ToolSpec(
            "Read lines of a file that is indexed, as it is on disk now. Withheld files (secrets, "
            "binaries) are refused.",
            {
                "file": _FILE,
                "start": Argument("integer", "first line, 1-based", required=True),
                "end": Argument("integer", "last line, inclusive", required=True),
            },
        ),
        "index_status": ToolSpec(
            "How many files and chunks are indexed, by which model, and what was left out.",
            {"path": _PATH},
        ),
        "why_not": ToolSpec("Why a file is not found: whether it is indexed, and why not.",
                            {"file": _FILE}),
    }
)  # fmt: skip
"""By name, in the order they are listed."""


def checked(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """
    ``arguments`` of ``tool``, each of the right kind.

    Raises:
        UsageError: no such tool or argument, one that is missing or of another kind.
    """
    if tool not in TOOLS:
        raise UsageError(f"no tool is called {tool!r}; {nearest(tool, tuple(TOOLS))}")
    known = TOOLS[tool].arguments
    for name in arguments:
        if name not in known:
            raise UsageError(f"{tool} takes no argument {name!r}; {nearest(name, tuple(known))}")
    for name, one in known.items():
        if one.required and arguments.get(name) in (None, ""):
            raise UsageError(f"{tool} needs the argument {name!r}: {one.about}")
    return {
        name: _value(tool, name, known[name], value)
        for name, value in arguments.items()
        if value is not None
    }


def _value(tool: str, name: str, one: Argument, value: Any) -> Any:
    if one.kind == "integer":
        if not isinstance(value, int) or isinstance(value, bool) or value < one.least:
            raise UsageError(f"{tool}: {name} must be a whole number of at least {one.least}")
        return value
    values = value if one.kind == "strings" else [value]
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        what = "a list of texts" if one.kind == "strings" else "a text"
        raise UsageError(f"{tool}: {name} must be {what}")
    for each in values:
        if one.one_of and each not in one.one_of:
            raise UsageError(f"{tool}: {name} cannot be {each!r}; {nearest(each, one.one_of)}")
    return value
