"""
Serves the beginning of a conversation without the SDK, then hands it over.

`opening.py` knows the first answers.  The first call of a tool is answered here too; behind
it, or behind the first message that is not known by heart, the SDK takes over: it is told
the messages that made its session what it is, and its own answer to ``initialize`` is
swallowed, because the client has one.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fiuto.mcp.opening import Opening, ToolCall
from fiuto.mcp.progress import Rising
from fiuto.mcp.roots import Roots
from fiuto.mcp.wire import END, Wire, claimed

__all__ = ["Front", "serve_stdio"]

_ANSWERED = "\0"
"""Put among the lines when the first call is done; no line of a client is that."""


class Front:
    """
    One client's conversation until the SDK takes over.

    Args:
        wire: where it is held.
        roots: what is served.
    """

    def __init__(self, wire: Wire, roots: Roots) -> None:
        self._wire = wire
        self._roots = roots
        self._opening = Opening(importlib.metadata.version("fiuto"))
        self._handshake: list[str] = []
        self._calling: ToolCall | None = None
        self._cancelled = False
        self._replayed: list[str] = []
        self._swallow = False
        self._warming = False

    def run(self) -> bool:
        """Answer until the SDK is needed; False where the client left before."""
        while True:
            line = self._wire.line()
            if line == END:
                return False
            if line == _ANSWERED:
                break
            if not self._took(line):
                self._replayed = [line]
                break
        self._swallow = bool(self._handshake)
        self._replayed = self._handshake + self._replayed
        return True

    def readline(self) -> str:
        """The next line for the SDK."""
        if self._replayed:
            return self._replayed.pop(0)
        line = self._wire.line()
        while line == _ANSWERED:
            line = self._wire.line()
        self._note_cancelled(line)
        return line

    def write(self, text: str) -> None:
        """A line of the SDK's."""
        if self._swallow:
            self._swallow = False  # the first is the answer to ``initialize``
            return
        self._wire.write(text)

    def flush(self) -> None:
        """Lines are written at once."""

    def _took(self, line: str) -> bool:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if self._note_cancelled(line):
            return True
        began = self._opening.initialized
        if not self._warming:
            self._warming = True
            threading.Thread(target=_warm, daemon=True).start()
        taken = self._opening.take(message)
        if taken is None or (isinstance(taken, ToolCall) and self._calling is not None):
            return False
        if isinstance(taken, ToolCall):
            self._calling = taken
            threading.Thread(target=self._call, args=(taken, line), daemon=True).start()
            return True
        if taken:
            self._wire.send(taken)
        if not taken or self._opening.initialized != began:
            self._handshake.append(line)
        return True

    def _call(self, call: ToolCall, line: str) -> None:
        """Answer the call; where that fails in a way nobody foresaw, the SDK may try."""
        undone = line
        try:
            result = _result(call, self._roots, self._progress(call))
            if not self._cancelled:
                self._wire.send(self._opening.result(call.id, result))
            undone = _ANSWERED
        except BrokenPipeError:
            undone = END
        finally:
            self._calling = None
            self._wire.put(undone)

    def _progress(self, call: ToolCall) -> Callable[[str, int, int], None]:
        def tell(done: float, total: float, message: str) -> None:
            if call.token is None or self._cancelled:
                return
            params = {
                "progressToken": call.token,
                "progress": done,
                "total": total,
                "message": message,
            }
            with suppress(BrokenPipeError):  # the answer will find out
                self._wire.send(
                    {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
                )

        return Rising(tell)

    def _note_cancelled(self, line: str) -> bool:
        """Whether the client no longer wants the answer that is being made here."""
        call = self._calling
        if call is None or "notifications/cancelled" not in line:
            return False
        with suppress(ValueError, RecursionError):
            message = json.loads(line)
            params: Any = message.get("params") if isinstance(message, dict) else None
            if isinstance(params, dict) and params.get("requestId") == call.id:
                self._cancelled = True
        return self._cancelled


def serve_stdio(roots: Roots) -> None:
    """Serve one client over standard input and output, until it closes them."""
    try:
        with claimed() as wire:
            front = Front(wire, roots)
            if front.run():
                with _left_at_ctrl_c(wire):
                    # Needed only from here on, and it takes a second.
                    importlib.import_module("fiuto.mcp.server").serve_lines(roots, front)
    finally:
        roots.close()


@contextmanager
def _left_at_ctrl_c(wire: Wire) -> Iterator[None]:
    """
    Ctrl-C is as if the client had left: the SDK cannot be interrupted while it reads.

    Raises:
        KeyboardInterrupt: it was pressed; everything has ended by then.
    """
    pressed = threading.Event()

    def press(_number: int, _frame: object) -> None:
        pressed.set()
        wire.put(END)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed.is_set():
        raise KeyboardInterrupt


def _result(call: ToolCall, roots: Roots, progress: Callable[[str, int, int], None]) -> Any:
    from fiuto.errors import FiutoError  # noqa: PLC0415
    from fiuto.mcp.answers import answer  # noqa: PLC0415 - the engine behind it takes a while
    from fiuto.mcp.tools import checked  # noqa: PLC0415

    try:
        made = answer(call.tool, checked(call.tool, call.arguments), roots, progress)
    except FiutoError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    content = [{"type": "text", "text": made.text}]
    return {"content": content, "structuredContent": made.data, "isError": False}


def _warm() -> None:
    """What the first call will need, while the client still makes up its mind."""
    importlib.import_module("fiuto.mcp.answers")
