"""
Finds the places that question entries point at in the files as they are.

What cannot be found is a fault of the question file, not a miss of the search:
a target in a file that is not indexed, a symbol that moved, a line that does not
hold its symbol, another revision.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fiuto.engine.reasons import sentence
from fiuto.errors import UsageError
from fiuto.evaluation.definitions import definition_lines, holds
from fiuto.evaluation.judgments import BadQuestions, Draft, Entry, Fault, parse
from fiuto.model import Hit, Skipped, SourceFile

__all__ = ["Judgments", "Place", "Question", "load"]

Read = Callable[[str], SourceFile | Skipped]
"""A file as it would be indexed now, or why it would not; UsageError where there is none."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line that answers a question, found in its file."""

    path: str
    line: int
    symbol: str = ""

    def covered_by(self, hit: Hit) -> bool:
        """Whether a hit holds the line, in this file or as a copy of it."""
        same = hit.path == self.path or self.path in hit.copies
        return same and hit.start <= self.line <= hit.end

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and every place that answers it."""

    id: str
    text: str
    places: tuple[Place, ...]
    """The target first; any of them counts."""
    category: str = ""
    phrase: str = ""
    """The most obvious phrase to grep for."""
    word: str = ""
    """The most obvious single word to grep for."""
    phrase_lines: int | None = None
    """How many lines grep finds for the phrase, as the file says."""
    word_lines: int | None = None


@dataclass(frozen=True, slots=True)
class Judgments:
    """The questions of one file, checked."""

    name: str
    questions: tuple[Question, ...]
    revision: str = ""
    warnings: tuple[str, ...] = ()


def load(path: Path, root: Path, read: Read, language: str = "") -> Judgments:
    """
    Read a question file and find every place it points at.

    Args:
        path: JSON, or TOML by its suffix.
        root: the folder that the paths are relative to.
        read: gives the text of a file.
        language: ``it`` asks what stands under ``question_it``, and only that.

    Raises:
        BadQuestions: with every fault there is.
    """
    entries, revision, faults = parse(path)
    name = str(path)
    warnings: list[str] = []
    if revision:
        faults = [*_revision_faults(name, revision, root, warnings), *faults]
    questions = []
    for entry in entries:
        places = []
        for what, draft in (("target", entry.target), *(("also", d) for d in entry.also)):
            found = _find(draft, read)
            if isinstance(found, str):
                faults.append(Fault(name, entry.number, f"{what} {found}"))
            else:
                places.append(found)
        if language in entry.texts:
            questions.append(_question(entry, language, places))
    if faults:
        raise BadQuestions(sorted(faults, key=lambda fault: fault.entry))
    if not questions:
        raise BadQuestions([Fault(name, 0, f"has no question_{language} in any entry")])
    if len(questions) < len(entries):
        warnings.append(f"{len(questions)} of {len(entries)} entries have question_{language}")
    return Judgments(name, tuple(questions), revision, tuple(warnings))


def _question(entry: Entry, language: str, places: Sequence[Place]) -> Question:
    return Question(
        id=entry.id,
        text=entry.texts[language],
        places=tuple(places),
        category=entry.category,
        phrase=entry.phrase,
        word=entry.word,
        phrase_lines=entry.phrase_lines,
        word_lines=entry.word_lines,
    )


def _find(draft: Draft, read: Read) -> Place | str:
    """The place, or what is wrong with it."""
    shown = repr(draft.path)
    try:
        file = read(draft.path)
    except UsageError as error:
        return f"{shown}: {error}"
    if isinstance(file, Skipped):
        return f"{shown} is not indexed: {sentence(file.reason)}"
    where = _on_line(file, draft) if draft.line else _by_symbol(file, draft)
    if isinstance(where, str):
        return f"{shown} {where}"
    return Place(file.path, where, draft.symbol)


def _on_line(file: SourceFile, draft: Draft) -> int | str:
    lines = file.text.split("\n")
    if draft.line > len(lines):
        return f"has {len(lines)} lines, not {draft.line}"
    if not draft.symbol or holds(lines[draft.line - 1], draft.symbol):
        return draft.line
    now = definition_lines(file.text, draft.symbol)
    hint = f"it is on line {_listed(now)}" if now else "it is nowhere in the file"
    return f"line {draft.line} does not hold {draft.symbol!r}; {hint}"


def _by_symbol(file: SourceFile, draft: Draft) -> int | str:
    found = definition_lines(file.text, draft.symbol)
    if not found:
        return f"does not hold {draft.symbol!r}"
    if len(found) > 1:
        return f"may define {draft.symbol!r} on lines {_listed(found)}; give the line"
    return found[0]


def _listed(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    return f"{shown}, ..." if len(lines) > 5 else shown


def _revision_faults(name: str, revision: str, root: Path, warnings: list[str]) -> Iterator[Fault]:
    head = _commit(root, "HEAD")
    if not head:
        warnings.append(f"revision {revision} was not checked: {root} is no git checkout")
    elif (asked := _commit(root, revision)) != head:
        known = "" if asked else ", which this repository does not know"
        yield Fault(name, 0, f"is for revision {revision}{known}; {root} is at {head[:12]}")


def _commit(root: Path, revision: str) -> str:
    """The full hash of a revision, empty where there is none."""
    command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "--end-of-options"]
    try:
        run = subprocess.run(
            [*command, f"{revision}^{{commit}}"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
