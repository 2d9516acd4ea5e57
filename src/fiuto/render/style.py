"""
Colours, links and safe characters, without a library.

Three escape sequences are all that a hit needs; importing Rich for them would
cost more time than the search.
"""

from __future__ import annotations

import re

from fiuto.values import dataclass

__all__ = ["PLAIN", "Style", "printable", "visible_length"]

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")

_UNSAFE: dict[int, str] = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(0x7F, 0xA0)) if code != ord("\t")
} | {
    code: f"\\u{code:04x}"
    for code in (0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
"""Characters that move the cursor, command the terminal or turn the reading direction."""


def printable(text: str) -> str:
    """``text`` on one line, with what could command a terminal written as an escape."""
    return text.translate(_UNSAFE)


def visible_length(text: str) -> int:
    """Characters of ``text`` without colours and links."""
    return len(_ESCAPES.sub("", text))


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw: everything off is what a pipe gets."""

    colour: bool = False
    width: int = 0
    """Columns of the terminal, 0 where there is none."""
    links: str = ""
    """``file://host/folder/`` of the root, empty for no links."""

    def path(self, text: str) -> str:
        return self._paint("1;35", text)

    def lines(self, text: str) -> str:
        return self._paint("32", text)

    def symbol(self, text: str) -> str:
        return self._paint("36", text)

    def mark(self, text: str) -> str:
        return self._paint("33", text)

    def match(self, text: str) -> str:
        return self._paint("1;31", text)

    def dim(self, text: str) -> str:
        return self._paint("2", text)

    def link(self, text: str, path: str, line: int) -> str:
        """``text``, leading to a line of ``path``, which is relative to the root."""
        if not self.links:
            return text
        # "#LINE" is understood by kitty, WezTerm, iTerm2 and VS Code.
        from urllib.parse import quote  # noqa: PLC0415 - only terminals have links

        target = f"{self.links}{quote(path, errors='surrogatepass')}#{line}"
        return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


PLAIN = Style()
"""For pipes and files."""
