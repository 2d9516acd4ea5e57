"""
Asks every question in every way and notes at which rank the answer came.

Grep, BM25, each embedder, bare RRF and fiuto's whole ranking answer the same
questions over the same files, so that one table shows what each adds.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from fiuto.engine import OPTIONAL, Index
from fiuto.errors import ModelUnavailable, UsageError
from fiuto.evaluation.files import sources
from fiuto.evaluation.grep import Grep, content_words
from fiuto.evaluation.run import Cell, Column, IndexFacts, Row, Run, ScopeRun
from fiuto.evaluation.scopes import Scope
from fiuto.evaluation.targets import Judgments, Question
from fiuto.model import Hit, SourceFile
from fiuto.protocols import Progress

__all__ = ["FAIR_GREP", "Asking", "evaluate", "short_name"]

FAIR_GREP = Column("fair grep", "grep")

_DEPTHS = (100, 1_000)
"""Hits asked for before all of them: most answers lie there, and each hit costs its text."""

_MODES = {"lexical": "lexical", "semantic": "semantic", "hybrid": "hybrid", "fiuto": "hybrid"}


@dataclass(frozen=True, slots=True)
class Asking:
    """How questions are asked."""

    scopes: tuple[Scope, ...]
    """Parts of the tree, each its own table."""
    seed: int = 0
    """Of every random choice."""
    against: str = ""
    """The column that the others are compared with; the first of fiuto's where empty."""
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A column with the index that answers for it."""

    column: Column
    index: Index
    chunks: int


@dataclass(frozen=True, slots=True)
class _Texts:
    """The files as they are, ready to be searched by grep."""

    files: Sequence[SourceFile]
    sizes: Mapping[str, int]
    grep: Grep


def short_name(embedder: str) -> str:
    """
    An embedder's name as a column carries it: a folder loses what is above it.

    >>> short_name("st:/models/MiniLM/"), short_name("static")
    ('st:MiniLM', 'static')
    """
    kind, colon, rest = embedder.partition(":")
    return f"{kind}:{PurePath(rest).name}" if colon and rest else embedder


def evaluate(judgments: Judgments, indexes: Sequence[Index], asking: Asking) -> Run:
    """
    Refresh the indexes and ask every question of each.

    Args:
        judgments: questions whose answers were found in the files as they are.
        indexes: of one folder, one for each embedder; BM25 and grep use the first.
        asking: how to ask.

    Raises:
        ModelUnavailable: one of several embedders is not at hand.
        UsageError: no column is called ``asking.against``, or two embedders share a name.
    """
    facts = []
    asked: list[_Asked] = []
    warnings = list(judgments.warnings)
    for index in indexes:
        report = index.refresh(progress=asking.progress)
        warnings += report.warnings
        fact = _facts(index)
        if not fact.name and len(indexes) > 1:
            raise ModelUnavailable("; ".join(report.warnings) or "an embedder is not at hand")
        facts.append(fact)
        asked += _columns(index, fact, first=index is indexes[0])
    columns = (FAIR_GREP, *(a.column for a in asked))
    reference = _reference(columns, asking.against)
    texts = _texts(indexes[0])
    warnings += _miscounted(judgments.questions, texts)
    searches = len(asking.scopes) * len(judgments.questions) * len(asked)
    told = _Progress(asking.progress, searches)
    runs = tuple(_scope_run(scope, judgments, asked, texts, told) for scope in asking.scopes)
    return Run(
        title=judgments.name,
        root=str(indexes[0].root),
        revision=judgments.revision,
        profile=indexes[0].profile,
        seed=asking.seed,
        columns=columns,
        reference=reference,
        indexes=tuple(facts),
        scopes=runs,
        warnings=tuple(dict.fromkeys((*warnings, *told.warnings))),
    )


class _Progress:
    """Counts questions, and keeps what searches warn of."""

    def __init__(self, tell: Progress | None, total: int) -> None:
        self._tell = tell
        self._total = total
        self._done = 0
        self.warnings: list[str] = []

    def step(self) -> None:
        self._done += 1
        if self._tell is not None:
            self._tell("Asking", self._done, self._total)


def _facts(index: Index) -> IndexFacts:
    status = index.status()
    embedder = status.manifest.embedder
    name = status.manifest.embedder_name or (embedder.name if embedder else "")
    return IndexFacts(
        name=short_name(name) if embedder else "",
        embedder=str(embedder) if embedder else "",
        chunker=status.manifest.chunker,
        files=status.counts.files,
        chunks=status.counts.chunks,
        bytes=status.counts.bytes,
        truncated=status.counts.truncated,
    )


def _columns(index: Index, fact: IndexFacts, *, first: bool) -> Iterator[_Asked]:
    name = fact.name
    columns = [Column("BM25", "lexical")] if first else []
    if name:
        columns.append(Column(name, "semantic", name))
        columns.append(Column(f"hybrid {name}", "hybrid", name))
    columns.append(Column(f"fiuto {name}".rstrip(), "fiuto", name))
    return (_Asked(column, index, fact.chunks) for column in columns)


def _reference(columns: Sequence[Column], asked: str) -> str:
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two columns are called {twice!r}: name each embedder once")
    if not asked:
        return next(column.name for column in columns if column.kind == "fiuto")
    if asked not in names:
        raise UsageError(f"no column is called {asked!r}; there are: {', '.join(names)}")
    return asked


def _texts(index: Index) -> _Texts:
    files = list(sources(index))
    return _Texts(
        files=files,
        sizes={file.path: len(file.text) for file in files},
        grep=Grep((file.path, file.text) for file in files),
    )


def _miscounted(questions: Sequence[Question], texts: _Texts) -> Iterator[str]:
    """A count that the question file states and grep does not find: another tree, or a slip."""
    for question in questions:
        for pattern, stated in (
            (question.phrase, question.phrase_lines),
            (question.word, question.word_lines),
        ):
            if pattern and stated is not None and (found := texts.grep.lines(pattern)) != stated:
                yield f"grep finds {pattern!r} on {found} lines, the question file says {stated}"


def _scope_run(
    scope: Scope,
    judgments: Judgments,
    asked: Sequence[_Asked],
    texts: _Texts,
    progress: _Progress,
) -> ScopeRun:
    paths = scope.select(texts.files)
    within = set(paths)
    rows = []
    outside = 0
    for question in judgments.questions:
        outside += not any(place.path in within for place in question.places)
        cells = {FAIR_GREP.name: _grep(question, paths, texts)}
        for one in asked:
            cells[one.column.name] = _ask(question, one, scope, progress.warnings)
            progress.step()
        lines = texts.grep.lines
        rows.append(
            Row(
                question=question,
                phrase_lines=lines(question.phrase, paths) if question.phrase else None,
                word_lines=lines(question.word, paths) if question.word else None,
                cells=cells,
            )
        )
    return ScopeRun(scope.name, len(paths), _chunks(asked, scope), outside, tuple(rows))


def _chunks(asked: Sequence[_Asked], scope: Scope) -> int:
    """How many chunks lie in a scope: a list by meaning holds every one of them."""
    for one in asked:
        if one.column.kind == "semantic":
            found = one.index.search(
                "anything", k=one.chunks, mode="semantic", paths=scope.paths, only=scope.only,
                refresh=False, verify=False,
            )  # fmt: skip
            return sum(1 + len(hit.copies) for hit in found)
    return 0


def _grep(question: Question, paths: Sequence[str], texts: _Texts) -> Cell:
    """The rank of the answer's file; whoever reads on reads whole files."""
    started = time.perf_counter()
    found = texts.grep.files(content_words(question.text), paths)
    seconds = time.perf_counter() - started
    wanted = {place.path for place in question.places}
    characters = 0
    for rank, file in enumerate(found, start=1):
        characters += texts.sizes[file.path]
        if file.path in wanted:
            return Cell(rank, rank, characters // 4, seconds)
    return Cell(None, None, characters // 4, seconds)


def _ask(question: Question, asked: _Asked, scope: Scope, warnings: list[str]) -> Cell:
    """The rank of the first hit that covers the answer, however deep it lies."""
    seconds = -1.0
    kind = asked.column.kind
    for depth in (*(d for d in _DEPTHS if d < asked.chunks), max(asked.chunks, 1)):
        started = time.perf_counter()
        results = asked.index.search(
            question.text,
            k=depth,
            mode=_MODES[kind],
            paths=scope.paths,
            only=scope.only,
            without=() if kind == "fiuto" else OPTIONAL,
            refresh=False,
            verify=False,
        )
        seconds = time.perf_counter() - started if seconds < 0 else seconds
        warnings += results.warnings
        cell = _cell(question, results, seconds)
        # A short list may be short of folded copies alone, so its length tells nothing.
        if cell.rank is not None:
            break
    return cell


def _cell(question: Question, hits: Iterable[Hit], seconds: float) -> Cell:
    wanted = {place.path for place in question.places}
    seen: set[str] = set()
    files: int | None = None
    characters = 0
    for rank, hit in enumerate(hits, start=1):
        seen.add(hit.path)
        if files is None and not wanted.isdisjoint((hit.path, *hit.copies)):
            files = len(seen)
        characters += len(hit.text)
        if any(place.covered_by(hit) for place in question.places):
            return Cell(rank, files, characters // 4, seconds)
    return Cell(None, files, characters // 4, seconds)
