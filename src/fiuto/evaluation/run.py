"""What an evaluation gives: for each scope, question and column one rank. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fiuto.evaluation.targets import Question

__all__ = ["Cell", "Column", "IndexFacts", "Kind", "Row", "Run", "ScopeRun"]

Kind: TypeAlias = Literal["grep", "lexical", "semantic", "hybrid", "fiuto"]
"""How a column ranks; ``hybrid`` is bare RRF, ``fiuto`` the whole ranking."""


@dataclass(frozen=True, slots=True)
class Column:
    """One way to search."""

    name: str
    kind: Kind
    embedder: str = ""
    """As asked for; empty where the column needs none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one column did with one question."""

    rank: int | None
    """Of the first hit that covers the answer's line, None where no hit did; of grep's file."""
    files: int | None
    """Rank of the first hit in the answer's file, counting each file once: what grep ranks."""
    tokens: int
    """Characters / 4 of the texts up to and with that hit; of all of them where none did."""
    seconds: float
    """That the first search took."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question in one scope."""

    question: Question
    phrase_lines: int | None
    """Lines that grep finds for the phrase; None where the question names none."""
    word_lines: int | None
    cells: Mapping[str, Cell]
    """By column name."""


@dataclass(frozen=True, slots=True)
class ScopeRun:
    """Every question in one scope."""

    name: str
    files: int
    chunks: int
    """Of the first index; 0 where no embedder could count them."""
    outside: int
    """Questions of which no answer lies in this scope: every column misses them."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """What one index was made of."""

    name: str
    """Of the embedder, as columns carry it."""
    embedder: str
    chunker: str
    files: int
    chunks: int
    bytes: int
    truncated: int


@dataclass(frozen=True, slots=True)
class Run:
    """A whole evaluation."""

    title: str
    """Where the questions came from."""
    root: str
    revision: str
    profile: str
    seed: int
    columns: tuple[Column, ...]
    reference: str
    """The column that the others are compared with."""
    indexes: tuple[IndexFacts, ...]
    scopes: tuple[ScopeRun, ...]
    warnings: tuple[str, ...] = ()
