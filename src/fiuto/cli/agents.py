"""Where each coding agent keeps its MCP servers; an entry put in and taken out of its file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fiuto.errors import UsageError

__all__ = ["AGENTS", "Agent", "added", "removed"]

_PLAIN = '{"command": "fiuto", "args": ["mcp"]}'
_TYPED = '{"type": "stdio", "command": "fiuto", "args": ["mcp"]}'
_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\r\n]*|/\*.*?\*/|[{}\[\],]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Agent:
    """A configuration file (``~/…`` or below the project), its section, and the entry."""

    files: tuple[str, ...]
    """The first that is there, else the first."""
    section: tuple[str, ...]
    """Keys that lead to the table of servers."""
    entry: str = _PLAIN

    @property
    def file(self) -> str:
        """The one to edit."""
        there = (name for name in self.files if Path(name).expanduser().exists())
        return next(there, self.files[0])

    @property
    def toml(self) -> bool:
        """Whether it is TOML, else JSON with comments."""
        return self.files[0].endswith(".toml")


_LOCAL = '{"type": "local", "command": ["fiuto", "mcp"]}'
_OPENCODE = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json")

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "claude-code": Agent((".mcp.json",), ("mcpServers",), _TYPED),
        "codex": Agent(("~/.codex/config.toml",), ("mcp_servers",)),
        "cursor": Agent((".cursor/mcp.json",), ("mcpServers",)),
        "vscode": Agent((".vscode/mcp.json",), ("servers",), _TYPED),
        "gemini": Agent(("~/.gemini/settings.json",), ("mcpServers",)),
        "opencode": Agent(_OPENCODE, ("mcp", "servers"), _LOCAL),
        "opencode-v1": Agent(_OPENCODE, ("mcp",), _LOCAL),
        "zed": Agent(("~/.config/zed/settings.json",), ("context_servers",)),
    }
)


def added(text: str, agent: Agent) -> str:
    """
    ``text`` with the entry and nothing else changed; unchanged where it is there already.

    Raises:
        UsageError: it cannot be parsed, or has another entry of that name.
    """
    wanted = json.loads(agent.entry)
    servers = _servers(_parsed(text, agent), agent)
    if "fiuto" in servers:
        if servers["fiuto"] == wanted:
            return text
        raise UsageError(f"{agent.file} has another entry 'fiuto'; take it out first")
    made = _inserted(text, agent)
    with suppress(UsageError):
        if _servers(_parsed(made, agent), agent).get("fiuto") == wanted:
            return made
    raise UsageError(f"{agent.file} is written in a way not known here: add it by hand")


def removed(text: str, agent: Agent) -> str:
    """
    ``text`` as it was before `added`; unchanged where there is no entry.

    Raises:
        UsageError: it cannot be parsed, or the entry was changed by hand.
    """
    if "fiuto" not in _servers(_parsed(text, agent), agent):
        return text
    for snippet in _snippets(agent, _line_end(text)):
        at = text.find(snippet)
        rest = text[:at] + text[at + len(snippet) :]
        if at >= 0 and _inserted(rest, agent) == text:
            return rest
    raise UsageError(f"{agent.file} was changed since: take the entry 'fiuto' out by hand")


def _servers(data: dict[str, Any], agent: Agent) -> dict[str, Any]:
    """The table of servers, empty where there is none yet."""
    for depth, key in enumerate(agent.section, 1):
        data = data.get(key, {})
        if not isinstance(data, dict):
            section = ".".join(agent.section[:depth])
            raise UsageError(f"{section} is no table in {agent.file}; mend it first")
    return data


def _snippets(agent: Agent, nl: str) -> list[str]:
    """Everything that `_inserted` may put in: the longer ones first."""
    if agent.toml:
        entry = json.loads(agent.entry)
        lines = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
        block = nl.join([f"[{'.'.join(agent.section)}.fiuto]", *lines, ""])
        # A file without a last line end gets none: so removal knows which it was.
        return [nl + nl + block.removesuffix(nl), nl + block, block]
    depths = range(len(agent.section) + 1)
    return [
        _whole(agent, nl),
        *(_member(agent, nl, depth, empty=empty) for depth in depths for empty in (False, True)),
    ]


def _whole(agent: Agent, nl: str) -> str:
    """A file of its own."""
    return "{" + _member(agent, nl, 0, empty=True) + "}" + nl


def _member(agent: Agent, nl: str, depth: int, *, empty: bool) -> str:
    """What goes in behind the brace of the object to which ``depth`` keys of the section lead."""
    missing = agent.section[depth:]
    out = ""
    for level, key in enumerate(missing, depth + 1):
        out += f'{nl}{"  " * level}"{key}": {{'
    out += f'{nl}{"  " * (len(agent.section) + 1)}"fiuto": {agent.entry}'
    for level in range(len(agent.section), depth, -1):
        out += f"{nl}{'  ' * level}}}"
    return out + (nl + "  " * depth if empty else ",")


def _inserted(text: str, agent: Agent) -> str:
    nl = _line_end(text)
    if agent.toml:
        snippets = _snippets(agent, nl)
        return text + snippets[2 if not text else 1 if text.endswith("\n") else 0]
    if not text.strip("\ufeff \t\r\n"):
        return text + _whole(agent, nl)
    blank = _blanked(text)
    at, depth = blank.index("{") + 1, 0
    for key in agent.section:
        inside = _object_at(blank, at, key)
        if inside is None:
            break
        at, depth = inside, depth + 1
    empty = blank[at:].lstrip().startswith("}")
    return text[:at] + _member(agent, nl, depth, empty=empty) + text[at:]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _object_at(blank: str, start: int, key: str) -> int | None:
    """Where the object that is called ``key`` begins, of the object that begins at ``start``."""
    depth = 1
    for token in _TOKEN.finditer(blank, start):
        word = token.group()
        depth += (word in "{[") - (word in "}]")
        if depth == 0:
            return None
        if depth == 1 and word[0] == '"' and json.loads(word) == key:
            opening = re.compile(r"\s*:\s*\{").match(blank, token.end())
            if opening:
                return opening.end()
    return None


def _blanked(text: str) -> str:
    """``text`` with spaces for comments, trailing commas and the mark at the start."""
    spaced = _TOKEN.sub(
        lambda m: " " * len(m.group()) if m.group()[0] == "/" else m.group(),
        text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text,
    )
    kept: list[str] = list(spaced)
    for token in _TOKEN.finditer(spaced):
        if token.group() == "," and spaced[token.end() :].lstrip()[:1] in ("}", "]"):
            kept[token.start()] = " "
    return "".join(kept)


def _parsed(text: str, agent: Agent) -> dict[str, Any]:
    if not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        data = (
            tomllib.loads(text.removeprefix("\ufeff")) if agent.toml else json.loads(_blanked(text))
        )
    except ValueError as error:
        raise UsageError(f"{agent.file} cannot be parsed ({error}); nothing was changed") from error
    if not isinstance(data, dict):
        raise UsageError(f"{agent.file} holds no object; nothing was changed")
    return data
