"""
What a client's first messages are answered, known by heart.

Importing the SDK takes longer than a search.  So the few messages every client begins
with are answered from here, word for word as the SDK would (a test compares them), and
the SDK comes in behind (`front.py`).  What is not exactly as expected is left to it:
nothing here refuses anything.  Pure: no SDK, no index, no input or output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fiuto.mcp.tools import TOOLS

__all__ = ["INSTRUCTIONS", "NAME", "Opening", "ToolCall"]

NAME = "fiuto"
INSTRUCTIONS = (
    "Searches folders of code by meaning and by name. Ask folder_search in plain words when you "
    "do not know the exact word; use grep when you do. read_lines gives more of a file."
)
_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Protocol versions that begin with ``initialize``."""
_STATELESS = "2026-07-28"
"""The version whose every request says which it is."""
_PREFIX = "io.modelcontextprotocol/"
_REQUEST = {"jsonrpc", "id", "method"}
_CAPABILITIES = {
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}
_UNCACHED = {"cacheScope": "private", "ttlMs": 0}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, still to be answered."""

    id: str | int
    tool: str
    arguments: Mapping[str, Any]
    token: str | int | None
    """Under which progress is wanted."""


class Opening:
    """
    One client's first messages.

    Args:
        version: of fiuto.
    """

    def __init__(self, version: str) -> None:
        self._info = {"name": NAME, "version": version}
        self._stateless = False
        self.initialized = False
        """Whether ``initialize`` was answered, after which its version holds."""

    def take(self, message: Any) -> dict[str, Any] | ToolCall | None:
        """
        The answer to ``message``, or the call that it asks for.

        None where the SDK must take over; an empty answer where none is due.
        """
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        method = message.get("method")
        if message == {"jsonrpc": "2.0", "method": method} or _is_empty_notice(message):
            known = self.initialized and method == "notifications/initialized"
            return {} if known else None
        params = message.get("params", {})
        expected = _REQUEST | ({"params"} if "params" in message else set())
        if set(message) != expected or not _is_name(message["id"]) or not isinstance(params, dict):
            return None
        if method == "initialize":
            return self._initialize(message["id"], params)
        if not self._in_era(params):
            return None
        return self._request(message["id"], str(method), params)

    def _request(
        self, id_: str | int, method: str, params: dict[str, Any]
    ) -> dict[str, Any] | ToolCall | None:
        given = set(params) - {"_meta"}
        if method == "server/discover" and self._stateless and not given:
            found = {"supportedVersions": [_STATELESS], "capabilities": _CAPABILITIES}
            return self.result(id_, found | {"instructions": INSTRUCTIONS} | _UNCACHED)
        if method == "ping" and not self._stateless and not given:
            return self.result(id_, {})
        if method == "tools/list" and not given:
            tools = {"tools": [spec.listed(name) for name, spec in TOOLS.items()]}
            return self.result(id_, tools | (_UNCACHED if self._stateless else {}))
        if method == "tools/call" and {"name"} <= given <= {"name", "arguments"}:
            tool, arguments = params["name"], params.get("arguments", {})
            token = params.get("_meta", {}).get("progressToken")
            if isinstance(tool, str) and isinstance(arguments, dict):
                return ToolCall(id_, tool, arguments, token if _is_name(token) else None)
        return None

    def result(self, id_: str | int, result: dict[str, Any]) -> dict[str, Any]:
        """The message that carries ``result``."""
        if self._stateless:
            stamp = {"resultType": "complete", "_meta": {f"{_PREFIX}serverInfo": self._info}}
            result = result | stamp
        return {"jsonrpc": "2.0", "id": id_, "result": result}

    def _initialize(self, id_: str | int, params: dict[str, Any]) -> dict[str, Any] | None:
        version, client = params.get("protocolVersion"), params.get("clientInfo")
        able = params.get("capabilities")
        plain = isinstance(client, dict) and all(
            isinstance(client.get(name), str) for name in ("name", "version")
        )
        if self.initialized or self._stateless or version not in _HANDSHAKE or not plain:
            return None
        if not isinstance(able, dict) or not all(isinstance(one, dict) for one in able.values()):
            return None
        self.initialized = True
        answer = {"protocolVersion": version, "capabilities": _CAPABILITIES}
        return self.result(
            id_, answer | {"serverInfo": self._info, "instructions": INSTRUCTIONS}
        )  # fmt: skip

    def _in_era(self, params: dict[str, Any]) -> bool:
        """Whether a request is of the kind that this client began with."""
        meta = params.get("_meta", {})
        if not isinstance(meta, dict):
            return False
        said = f"{_PREFIX}protocolVersion" in meta
        if self.initialized or not said:
            return self.initialized and not said
        client = meta.get(f"{_PREFIX}clientInfo")
        whole = (
            meta[f"{_PREFIX}protocolVersion"] == _STATELESS
            and isinstance(meta.get(f"{_PREFIX}clientCapabilities"), dict)
            and isinstance(client, dict)
            and all(isinstance(client.get(name), str) for name in ("name", "version"))
        )
        self._stateless |= whole
        return whole


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_empty_notice(message: dict[str, Any]) -> bool:
    return set(message) == {"jsonrpc", "method", "params"} and message["params"] == {}
