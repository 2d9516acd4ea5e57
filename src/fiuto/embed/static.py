"""
The shipped model: each word part has a vector, a text is their weighted mean.

It needs no download and no runtime.  A question is answered in plain Python, from
the few rows of the mapped file that its words point at, because importing numpy
would take longer than all the rest of a search.  Documents go through numpy,
thousands of chunks a second, and are read to their end.

Both sides compute the same: the weight of a word times ``1 + ln(count)``, summed
over the words of the text, at length 1.  The logarithm keeps one name that stands
on every line of a chunk from drowning the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.embed.rows import unit_row
from fiuto.embed.static_file import StaticFile, open_file
from fiuto.embed.words import WORDS, parts_of, pieces_of, runs_of
from fiuto.model import EmbedderIdentity, Role, Vectors

if TYPE_CHECKING:
    from fiuto.embed.static_documents import DocumentSide

__all__ = ["SHIPPED", "StaticEmbedder", "open_static"]

SHIPPED = Path(__file__).with_name("data") / "fiuto-static.vectors"
"""The model that comes with the package; made by ``training/distill.py``."""


def open_static(path: Path = SHIPPED) -> StaticEmbedder:
    """The shipped model, or another file of the same format."""
    return StaticEmbedder(path)


class StaticEmbedder:
    """
    An embedder over one model file, which is opened at first use.

    Texts without a known word get the unit vector of the last axis, the one along
    which words differ least: it is near to nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: StaticFile | None = None
        self._documents: DocumentSide | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        file = self._opened()
        return EmbedderIdentity(
            name=self._path.stem,
            revision=file.digest,
            dimension=file.dimension,
            recipe=f"{WORDS}, weighted mean, 1 + ln(count)",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        file = self._opened()
        if role == "document":
            data = self._document_side().embed(texts)
        else:
            data = b"".join(_embed_question(file, text) for text in texts)
        return Vectors(data, file.dimension, (False,) * len(texts))

    def _opened(self) -> StaticFile:
        # Two threads may both open the file; either copy serves.
        if self._file is None:
            self._file = open_file(self._path)
        return self._file

    def _document_side(self) -> DocumentSide:
        if self._documents is None:
            from fiuto.embed.static_documents import (  # noqa: PLC0415 - brings numpy
                DocumentSide,
            )

            self._documents = DocumentSide(self._opened())
        return self._documents


def _embed_question(file: StaticFile, text: str) -> bytes:
    total = [0.0] * file.dimension
    for row, count in _rows_of(file, text).items():
        factor, values = file.weighted(row)
        factor *= 1 + log(count)
        total = [sum_ + factor * value for sum_, value in zip(total, values, strict=True)]
    if not any(total):
        total[-1] = 1.0
    return unit_row(total)


def _rows_of(file: StaticFile, text: str) -> Counter[int]:
    """How often each row of the table stands in a text."""
    rows: Counter[int] = Counter()
    for run, count in Counter(runs_of(text)).items():
        for part in parts_of(run):
            row = file.find(part)
            if row is not None:
                rows[row] += count
                continue
            for piece in pieces_of(part, lambda word: file.find(word) is not None):
                found = file.find(piece)
                assert found is not None
                rows[found] += count
    return rows
