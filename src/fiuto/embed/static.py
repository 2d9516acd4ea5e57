"""
The shipped model: two encoders into one space, with nothing to download.

Documents: each word part has a vector, a text is their weighted mean, thousands of
chunks a second, read to their end: the weight of a word times ``1 + ln(count)``,
summed over the words of the text, at length 1.  The logarithm keeps one name that
stands on every line of a chunk from drowning the others.  The path, which is the first
line, counts once more by itself.

Questions: a small transformer, which reads a sentence as a whole, plus a share of the
same sum over the question's words.  Where numpy cannot be imported that sum alone
answers, in plain Python and from the few rows of the mapped file that it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.embed.container import damaged
from fiuto.embed.question_file import QUESTIONS, QuestionFile, open_questions
from fiuto.embed.rows import unit_row
from fiuto.embed.static_file import PATH_SHARE, StaticFile, open_file
from fiuto.embed.words import WORDS, parts_of, pieces_of, runs_of
from fiuto.model import EmbedderIdentity, Role, Vectors

if TYPE_CHECKING:
    from fiuto.embed.question import QuestionSide
    from fiuto.embed.static_documents import DocumentSide

__all__ = ["QUESTIONS", "SHIPPED", "StaticEmbedder", "open_static"]

SHIPPED = Path(__file__).with_name("data") / "fiuto-static.vectors"
"""The document side that comes with the package."""


@cache
def open_static(path: Path = SHIPPED, questions: Path | None = QUESTIONS) -> StaticEmbedder:
    """The shipped model, or other files of the same formats; in one process each is one."""
    return StaticEmbedder(path, questions)


class StaticEmbedder:
    """
    An embedder over one model file, or one for each side, opened at first use.

    Without a question side, questions are sums of word vectors too.  Sums without a
    known word are the unit vector of the last axis.
    """

    def __init__(self, path: Path, questions: Path | None = None) -> None:
        self._path = path
        self._questions_path = questions
        self._file: StaticFile | None = None
        self._documents: DocumentSide | None = None
        self._questions_file: QuestionFile | None = None
        self._questions: QuestionSide | None = None

    def __reduce__(self) -> tuple[type[StaticEmbedder], tuple[Path, Path | None]]:
        """Another process opens the files for itself."""
        return StaticEmbedder, (self._path, self._questions_path)

    @property
    def identity(self) -> EmbedderIdentity:
        file, questions = self._opened(), self._opened_questions()
        return EmbedderIdentity(
            name=self._path.stem,
            revision=f"{file.digest}+{questions.container.digest}" if questions else file.digest,
            dimension=file.dimension,
            recipe=f"{WORDS}, weighted mean, 1 + ln(count), path {PATH_SHARE:g}",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        file = self._opened()
        if role == "document":
            data = self._document_side().embed(texts)
            return Vectors(data, file.dimension, (False,) * len(texts))
        rows = [_embed_words(file, text) for text in texts]
        truncated = [False] * len(texts)
        side = self._question_side()
        if side is not None:
            read = [side.embed(text, row) for text, row in zip(texts, rows, strict=True)]
            rows, truncated = [row for row, _ in read], [cut for _, cut in read]
        return Vectors(b"".join(rows), file.dimension, tuple(truncated))

    def nearness(self, texts: Sequence[str], vector: bytes) -> Sequence[float]:
        """Implements :class:`fiuto.protocols.Comparing`: all at once."""
        return self._document_side().nearness(texts, vector)

    def _opened(self) -> StaticFile:
        # Two threads may both open the file; either copy serves.
        if self._file is None:
            self._file = open_file(self._path)
        return self._file

    def _opened_questions(self) -> QuestionFile | None:
        """
        The question file, or None where this embedder has none.

        Raises:
            ModelUnavailable: it is not one of this document side.
        """
        if self._questions_file is None and self._questions_path is not None:
            found = open_questions(self._questions_path)
            if found.container.dimension != self._opened().dimension:
                raise damaged(self._questions_path, f"{found.container.dimension} dimensions")
            self._questions_file = found
        return self._questions_file

    def _question_side(self) -> QuestionSide | None:
        """The transformer, or None where there is none or no numpy to run it."""
        file = self._opened_questions()
        if file is not None and self._questions is None:
            try:
                from fiuto.embed.question import QuestionSide  # noqa: PLC0415 - brings numpy
            except ImportError:
                return None
            self._questions = QuestionSide(file)
        return self._questions

    def _document_side(self) -> DocumentSide:
        if self._documents is None:
            from fiuto.embed.static_documents import (  # noqa: PLC0415 - brings numpy
                DocumentSide,
            )

            self._documents = DocumentSide(self._opened())
        return self._documents


def _embed_words(file: StaticFile, text: str) -> bytes:
    total = [0.0] * file.dimension
    for row, count in _rows_of(file, text).items():
        factor, values = file.asked(row)
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
