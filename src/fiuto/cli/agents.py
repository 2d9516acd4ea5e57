"""Where each coding agent keeps its MCP servers; an entry put in and taken out of its file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
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

    file: str
    section: str
    entry: str = _PLAIN


AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "claude-code": Agent(".mcp.json", "mcpServers", _TYPED),
        "codex": Agent("~/.codex/config.toml", "mcp_servers"),
        "cursor": Agent(".cursor/mcp.json", "mcpServers"),
        "vscode": Agent(".vscode/mcp.json", "servers", _TYPED),
        "gemini": Agent("~/.gemini/settings.json", "mcpServers"),
        "opencode": Agent("opencode.json", "mcp", '{"type": "local", "command": ["fiuto", "mcp"]}'),
        "zed": Agent("~/.config/zed/settings.json", "context_servers"),
    }
)


def added(text: str, agent: Agent) -> str:
    """
    ``text`` with the entry and nothing else changed; unchanged where it is there already.

    Raises:
        UsageError: it cannot be parsed, or has another entry of that name.
    """
    wanted = json.loads(agent.entry)
    section = _parsed(text, agent).get(agent.section, {})
    if not isinstance(section, dict):
        raise UsageError(f"{agent.section} is no table in {agent.file}; mend it first")
    if "fiuto" in section:
        if section["fiuto"] == wanted:
            return text
        raise UsageError(f"{agent.file} has another entry 'fiuto'; take it out first")
    made = _inserted(text, agent)
    if _parsed(made, agent)[agent.section]["fiuto"] != wanted:
        raise UsageError(f"{agent.file} is written in a way not known here: add it by hand")
    return made


def removed(text: str, agent: Agent) -> str:
    """
    ``text`` as it was before `added`; unchanged where there is no entry.

    Raises:
        UsageError: it cannot be parsed, or the entry was changed by hand.
    """
    if "fiuto" not in _parsed(text, agent).get(agent.section, {}):
        return text
    for snippet in _snippets(agent, "\r\n" if "\r\n" in text else "\n"):
        at = text.find(snippet)
        rest = text[:at] + text[at + len(snippet) :]
        if at >= 0 and _inserted(rest, agent) == text:
            return rest
    raise UsageError(f"{agent.file} was changed since: take the entry 'fiuto' out by hand")


def _snippets(agent: Agent, nl: str) -> list[str]:
    """Everything that `_inserted` may put in: the longer ones first."""
    if agent.file.endswith(".toml"):
        entry = json.loads(agent.entry)
        lines = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
        block = nl.join([f"[{agent.section}.fiuto]", *lines, ""])
        # A file without a last line end gets none: so removal knows which it was.
        return [nl + nl + block.removesuffix(nl), nl + block, block]
    inner = f'"fiuto": {agent.entry}'
    whole = f'{nl}  "{agent.section}": {{{nl}    {inner}{nl}  }}'
    return [
        f"{{{whole}{nl}}}{nl}",
        f"{whole},",
        f"{whole}{nl}",
        f"{nl}    {inner},",
        f"{nl}    {inner}{nl}  ",
    ]


def _inserted(text: str, agent: Agent) -> str:
    nl = "\r\n" if "\r\n" in text else "\n"
    snippets = _snippets(agent, nl)
    if agent.file.endswith(".toml"):
        return text + snippets[2 if not text else 1 if text.endswith("\n") else 0]
    if not text.strip("\ufeff \t\r\n"):
        return text + snippets[0]
    blank = _blanked(text)
    at = _section_at(blank, agent.section)
    of_section = at is not None
    if at is None:
        at = blank.index("{") + 1
    empty = blank[at:].lstrip().startswith("}")
    return text[:at] + snippets[(3 if of_section else 1) + empty] + text[at:]


def _section_at(blank: str, section: str) -> int | None:
    """Where the object of the top-level key ``section`` begins, behind its brace."""
    depth = 0
    for token in _TOKEN.finditer(blank):
        word = token.group()
        depth += (word in "{[") - (word in "}]")
        if depth == 1 and word[0] == '"' and json.loads(word) == section:
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
        toml = agent.file.endswith(".toml")
        data = tomllib.loads(text) if toml else json.loads(_blanked(text))
    except ValueError as error:
        raise UsageError(f"{agent.file} cannot be parsed ({error}); nothing was changed") from error
    if not isinstance(data, dict):
        raise UsageError(f"{agent.file} holds no object; nothing was changed")
    return data
