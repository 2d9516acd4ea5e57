"""
Questions with known answers, in the two forms they come in.

The public set names files, seldom lines; the grep-proof set names the line of a
definition and other lines that answer as well.  Both become the same thing here:
*targets*, each a list of places of which one is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.repositories import Repository, read_json_list
from fiuto.errors import UsageError
from fiuto.languages import language_of

__all__ = [
    "LANGS", "Place", "Question", "Skipped", "Target", "load_annotations", "load_grep_proof",
]  # fmt: skip

LANGS: tuple[str, ...] = ("en", "it", "de", "zh")
"""Languages a grep-proof question may be asked in; all have English."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file, or some lines of it, 1-based and inclusive."""

    path: str
    """Relative to what is indexed."""
    start: int | None = None
    end: int | None = None

    def meets(self, path: str, start: int, end: int) -> bool:
        """Whether these lines of ``path`` hold part of this place."""
        if path != self.path:
            return False
        return self.start is None or self.end is None or (start <= self.end and end >= self.start)


@dataclass(frozen=True, slots=True)
class Target:
    """Something to be found: any one of these places finds it."""

    places: tuple[Place, ...]

    def rank(self, hits: list[tuple[str, int, int]]) -> int | None:
        """The 1-based rank of the first of ``hits`` (path, start, end) that finds it."""
        for rank, hit in enumerate(hits, start=1):
            if any(place.meets(*hit) for place in self.places):
                return rank
        return None


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one repository."""

    repository: str
    text: str
    category: str
    language: str
    """Programming language of the answer."""
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A target that cannot be found by anybody, because it is not in what is indexed."""

    repository: str
    question: str
    path: str


def load_annotations(
    path: Path, repository: Repository, checkout: Path
) -> tuple[list[Question], list[Skipped]]:
    """
    The questions of one file of the public set.

    Args:
        path: ``annotations/NAME.json``.
        repository: the repository they are about.
        checkout: its work tree; paths are looked up there.

    Returns:
        The questions, and the targets that lie outside ``repository.root``.  The public
        benchmark counts only what is in the index, so they are left out, except where a
        question has no other: that one is a miss.

    Raises:
        UsageError: a path that does not exist, or an entry of another form.
    """
    questions: list[Question] = []
    skipped: list[Skipped] = []
    for number, entry in enumerate(read_json_list(path), start=1):
        where = f"{path}, entry {number}"
        text = _text(entry, "query", where)
        raw_targets = [*_list(entry, "relevant", where), *_list(entry, "secondary", where)]
        targets: list[Target] = []
        for raw in raw_targets:
            place = _annotated_place(raw, repository.root, checkout, where)
            if place is None:
                skipped.append(Skipped(repository.name, text, _path_of(raw, where)))
            else:
                targets.append(Target((place,)))
        if not raw_targets:
            raise UsageError(f"{where}: no target")
        questions.append(
            Question(
                repository=repository.name,
                text=text,
                category=_text(entry, "category", where),
                language=repository.language,
                targets=tuple(targets) or (Target(()),),
            )
        )
    return questions, skipped


def _annotated_place(raw: Any, root: str, checkout: Path, where: str) -> Place | None:
    """
    A place relative to ``root``, or None where it lies outside.

    Most files write paths from the top of the checkout, a few from the root.
    """
    path = _path_of(raw, where)
    prefix = f"{root}/" if root else ""
    if path.startswith(prefix) and (checkout / path).is_file():
        path = path.removeprefix(prefix)
    elif not (checkout / root / path).is_file():
        if (checkout / path).is_file():
            return None
        raise UsageError(f"{where}: {path} is not in {checkout}")
    if isinstance(raw, str):
        return Place(path)
    start, end = raw.get("start_line"), raw.get("end_line")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 < start <= end:
        raise UsageError(f"{where}: {path} needs start_line and end_line, or neither")
    return Place(path, start, end)


def _path_of(raw: Any, where: str) -> str:
    path = raw.get("path") if isinstance(raw, dict) else raw
    if not isinstance(path, str) or not path:
        raise UsageError(f"{where}: {raw!r} is not a path")
    return path


def load_grep_proof(
    path: Path, repository: str, checkout: Path, lang: str = "en"
) -> list[Question]:
    """
    The questions of one grep-proof file that are asked in ``lang``.

    The target is one line; each place of ``also`` answers as well, so a question has
    one target.  Its category says whether grep finds the most telling single word.

    Raises:
        UsageError: a line that its file does not have, or an entry of another form.
    """
    questions = []
    for number, entry in enumerate(read_json_list(path), start=1):
        where = f"{path}, entry {number}"
        text = _text(entry, "question", where)
        if lang != "en":
            if f"question_{lang}" not in entry:
                continue
            text = _text(entry, f"question_{lang}", where)
        raw = [entry.get("target"), *_list(entry, "also", where)]
        places = tuple(_line(one, checkout, where) for one in raw)
        questions.append(
            Question(
                repository=repository,
                text=text,
                category="word found" if entry.get("grep_word_lines") else "word not found",
                language=language_of(places[0].path),
                targets=(Target(places),),
            )
        )
    return questions


def _line(raw: Any, checkout: Path, where: str) -> Place:
    if not isinstance(raw, dict) or not isinstance(raw.get("line"), int):
        raise UsageError(f"{where}: {raw!r} needs a path and a line")
    path, line = _path_of(raw, where), raw["line"]
    file = checkout / path
    if not file.is_file():
        raise UsageError(f"{where}: {path} is not in {checkout}")
    if not 0 < line <= file.read_bytes().count(b"\n") + 1:
        raise UsageError(f"{where}: {path} has no line {line}")
    return Place(path, line, line)


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{where}: {key} must be a text")
    return value


def _list(entry: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = entry.get(key, [])
    if not isinstance(value, list):
        raise UsageError(f"{where}: {key} must be a list")
    return value
