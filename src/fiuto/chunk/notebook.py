"""
Chunks of a Jupyter notebook: one per cell, its source alone.

Outputs are results, often images, and say little about the code that is asked
for.  The text of a chunk is the cell's source as its author knows it; the lines
are those of the JSON file where that source stands, so that the place exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Any

from fiuto.chunk.packing import Limits
from fiuto.model import Chunk

__all__ = ["cells"]

Cut = Callable[[str, str], Sequence[Chunk]]
"""Cuts a source in a language into chunks that count lines from 1."""

_DECODER = JSONDecoder(strict=False)
_BLANK = " \t\r\n"
_LANGUAGES = {"markdown": "markdown", "heading": "markdown", "raw": "text", "html": "text"}
"""Cell type -> language, where it is not that of the kernel."""


@dataclass(slots=True)
class _Cell:
    type: str = "code"
    pieces: list[tuple[str, int]] = field(default_factory=list)
    """Strings that make up the source, and the offset of each in the file."""


def cells(text: str, cut: Cut, sizes: Limits) -> list[Chunk] | None:
    """The chunks of a notebook, or None when the text is not one."""
    book = _Notebook(text)
    try:
        book.read()
    except (ValueError, IndexError, RecursionError):
        return None  # broken, cut short, or nested beyond reason
    if not book.has_cells:
        return None
    chunks: list[Chunk] = []
    offset = row = 0
    for cell in book.cells:
        rows: list[int] = []
        at_start = True
        for piece, at in cell.pieces:
            row += text.count("\n", offset, at)
            offset = at
            rows += [row] * (at_start + piece.count("\n", 0, -1))
            at_start = piece.endswith("\n")
        source = "".join(piece for piece, _ in cell.pieces)
        chunks += _cell(source, rows, _LANGUAGES.get(cell.type, book.language), cut, sizes)
    return chunks


class _Notebook:
    """Reads the few members that matter, and notes where in the text they stand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.language = "python"
        self.cells: list[_Cell] = []
        self.has_cells = False

    def read(self) -> None:
        self._object(self._skip(0), self._top)

    def _skip(self, pos: int) -> int:
        while self._text[pos] in _BLANK:
            pos += 1
        return pos

    def _value(self, pos: int) -> tuple[Any, int]:
        return _DECODER.raw_decode(self._text, pos)

    def _object(self, pos: int, visit: Callable[[str, int], int]) -> int:
        """Call ``visit`` with each key and where its value starts; it tells where that ends."""
        if self._text[pos] != "{":
            raise ValueError(pos)
        pos = self._skip(pos + 1)
        while self._text[pos] != "}":
            key, pos = self._value(pos)
            pos = self._skip(pos)
            if self._text[pos] != ":" or not isinstance(key, str):
                raise ValueError(pos)
            pos = self._next(visit(key, self._skip(pos + 1)))
        return pos + 1

    def _array(self, pos: int, visit: Callable[[int], int]) -> int:
        """The same for an array, whose members have no keys."""
        if self._text[pos] != "[":
            raise ValueError(pos)
        pos = self._skip(pos + 1)
        while self._text[pos] != "]":
            pos = self._next(visit(pos))
        return pos + 1

    def _next(self, pos: int) -> int:
        """Past a comma, or at the bracket that closes."""
        pos = self._skip(pos)
        return self._skip(pos + 1) if self._text[pos] == "," else pos

    def _top(self, key: str, pos: int) -> int:
        if key == "cells":
            self.has_cells = True
            return self._array(pos, self._one)
        if key == "worksheets":  # before version 4
            return self._array(pos, lambda at: self._object(at, self._top))
        value, end = self._value(pos)
        if key == "metadata" and isinstance(value, dict):
            self.language = _kernel(value) or self.language
        return end

    def _one(self, pos: int) -> int:
        cell = _Cell()
        self.cells.append(cell)
        return self._object(pos, lambda key, at: self._member(cell, key, at))

    def _member(self, cell: _Cell, key: str, pos: int) -> int:
        if key in {"source", "input"}:
            if self._text[pos] == "[":
                return self._array(pos, lambda at: self._piece(cell, at))
            return self._piece(cell, pos)
        value, end = self._value(pos)
        if key == "cell_type":
            cell.type = str(value)
        return end

    def _piece(self, cell: _Cell, pos: int) -> int:
        value, end = self._value(pos)
        if isinstance(value, str) and value:
            cell.pieces.append((value, pos))
        return end


def _kernel(metadata: dict[str, Any]) -> str:
    """The language that a notebook's metadata names, or an empty string."""
    for part, member in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(part)
        name = about.get(member) if isinstance(about, dict) else None
        if isinstance(name, str) and name:
            return name.lower()
    return ""


def _cell(
    source: str, rows: Sequence[int], language: str, cut: Cut, sizes: Limits
) -> Iterator[Chunk]:
    """One chunk, or several for a long cell; ``rows`` tells where each line stands."""
    parts = cut(source, language)
    if not parts:
        return
    if len(source) <= sizes.cap and len("".join(source.split())) <= sizes.whole:
        symbols = [part.symbol for part in parts if part.symbol and part.kind != "part"]
        if language == "markdown":
            del symbols[1:]
        yield Chunk(rows[0] + 1, rows[-1] + 1, source.rstrip("\n"), " ".join(symbols), "cell")
        return
    for part in parts:
        first, last = rows[part.start - 1], rows[part.end - 1]
        yield Chunk(first + 1, last + 1, part.text, part.symbol, "cell")
