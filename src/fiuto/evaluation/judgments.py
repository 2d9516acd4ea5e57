"""
Questions with known answers: read from JSON or TOML, checked before anything runs.

A question file is a list of entries, or a table with ``questions`` and perhaps
``revision``.  An entry holds ``question`` and ``target``; ``also`` lists places
that answer it just as well.  A place is ``path`` with ``line``, ``symbol`` or
both; the line is the one that defines what is asked for.  ``docs/evaluation.md``
shows whole files.

Every fault is found in one go, each with file and entry, so that a file is
mended once and not fault by fault.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fiuto.errors import UsageError, nearest

__all__ = ["BadQuestions", "Draft", "Entry", "Fault", "parse"]

_TEXTS = ("id", "category", "grep_phrase", "grep_word", "why")
_COUNTS = ("grep_phrase_lines", "grep_word_lines")
_KEYS = ("question", "target", "also", *_TEXTS, *_COUNTS)
_PLACE_KEYS = ("path", "symbol", "line")
_TRANSLATED = re.compile(r"question_([a-z]{2,3})")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a question file."""

    file: str
    entry: int
    """Counted from 1; 0 where the whole file is meant."""
    what: str

    def __str__(self) -> str:
        where = f"{self.file}: entry {self.entry}" if self.entry else self.file
        return f"{where}: {self.what}"


class BadQuestions(UsageError):
    """A question file that cannot be used; ``faults`` lists everything wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{faults[0]}{more}")


@dataclass(frozen=True, slots=True)
class Draft:
    """A place as written: not yet looked for."""

    path: str
    symbol: str
    line: int
    """0 where none is given."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a question file as written, of the right shape."""

    number: int
    id: str
    """As given, else the question itself."""
    texts: Mapping[str, str]
    """The question by language; ``""`` is the one under ``question``."""
    category: str
    phrase: str
    word: str
    phrase_lines: int | None
    word_lines: int | None
    target: Draft
    also: tuple[Draft, ...]


def parse(path: Path) -> tuple[list[Entry], str, list[Fault]]:
    """
    The entries of a question file, the revision it names, and what is wrong with the rest.

    Raises:
        BadQuestions: the file cannot be read, or holds no list of questions.
    """
    name = str(path)
    data = _read(path, name)
    revision = ""
    if isinstance(data, dict):
        revision, data = _head(data, name)
    if not isinstance(data, list):
        raise BadQuestions([Fault(name, 0, "must be a list of questions or hold 'questions'")])
    if not data:
        raise BadQuestions([Fault(name, 0, "holds no question")])
    entries: list[Entry] = []
    faults: list[Fault] = []
    for number, raw in enumerate(data, start=1):
        wrong: list[str] = []
        entry = _entry(number, raw, wrong)
        faults += [Fault(name, number, what) for what in wrong]
        if entry is not None and not wrong:
            entries.append(entry)
    faults += _repeated(entries, name)
    return entries, revision, sorted(faults, key=lambda fault: fault.entry)


def _read(path: Path, name: str) -> Any:
    try:
        text = path.read_text("utf-8-sig")
        return tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
    except RecursionError:
        what = "is nested too deeply"
    except ValueError as error:  # not UTF-8, not JSON, not TOML
        kind = "TOML" if path.suffix.lower() == ".toml" else "JSON"
        what = f"is not {kind}: {error}"
    raise BadQuestions([Fault(name, 0, what)])


def _head(data: dict[str, Any], name: str) -> tuple[str, Any]:
    faults = [
        Fault(name, 0, _unknown(key, ("questions", "revision")))
        for key in data
        if key not in ("questions", "revision")
    ]
    revision = data.get("revision", "")
    if not isinstance(revision, str):
        faults.append(Fault(name, 0, f"revision must be text, not {_shown(revision)}"))
    if faults:
        raise BadQuestions(faults)
    return revision, data.get("questions")


def _entry(number: int, raw: Any, wrong: list[str]) -> Entry | None:
    if not isinstance(raw, dict):
        wrong.append(f"must be a table with question and target, not {_shown(raw)}")
        return None
    translated = {m[1]: key for key in raw if (m := _TRANSLATED.fullmatch(key))}
    known = {*_KEYS, *translated.values()}
    wrong += [_unknown(key, _KEYS) for key in raw if key not in known]
    texts = {"": _text(raw, "question", wrong, needed=True)}
    texts |= {lang: _text(raw, key, wrong, needed=True) for lang, key in translated.items()}
    named = {key: _text(raw, key, wrong) for key in _TEXTS}
    phrase_lines, word_lines = (
        raw[key] if key in raw and _number(raw[key], key, wrong, least=0) else None
        for key in _COUNTS
    )
    target = _place(raw.get("target"), "target", wrong, missing="target" not in raw)
    also = raw.get("also", [])
    if not isinstance(also, list):
        wrong.append(f"also must be a list of places, not {_shown(also)}")
        also = []
    places = [_place(place, f"also[{i}]", wrong) for i, place in enumerate(also, start=1)]
    if target is None or None in places:
        return None
    return Entry(
        number=number,
        id=named["id"] or texts[""],
        texts=texts,
        category=named["category"],
        phrase=named["grep_phrase"],
        word=named["grep_word"],
        phrase_lines=phrase_lines,
        word_lines=word_lines,
        target=target,
        also=tuple(place for place in places if place is not None),
    )


def _place(raw: Any, name: str, wrong: list[str], *, missing: bool = False) -> Draft | None:
    if missing:
        wrong.append(f"has no {name}; give it a path with a line, a symbol or both")
        return None
    if not isinstance(raw, dict):
        wrong.append(f"{name} must be a table with path and line or symbol, not {_shown(raw)}")
        return None
    before = len(wrong)
    wrong += [f"{name}: {_unknown(key, _PLACE_KEYS)}" for key in raw if key not in _PLACE_KEYS]
    path = _text(raw, "path", wrong, needed=True, prefix=f"{name}.")
    symbol = _text(raw, "symbol", wrong, prefix=f"{name}.")
    line = raw.get("line", 0)
    if "line" in raw:
        _number(line, f"{name}.line", wrong, least=1)
    elif not symbol and "symbol" not in raw:
        wrong.append(f"{name} needs a line, a symbol or both")
    return Draft(path, symbol, line) if len(wrong) == before else None


def _text(
    raw: Mapping[str, Any], key: str, wrong: list[str], *, needed: bool = False, prefix: str = ""
) -> str:
    if key not in raw:
        if needed:
            wrong.append(f"has no {prefix}{key}")
        return ""
    value = raw[key]
    if not isinstance(value, str):
        wrong.append(f"{prefix}{key} must be text, not {_shown(value)}")
        return ""
    if not value.strip():
        wrong.append(f"{prefix}{key} is empty")
    return value.strip()


def _number(value: Any, name: str, wrong: list[str], *, least: int) -> bool:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        wrong.append(f"{name} must be a whole number from {least}, not {_shown(value)}")
        return False
    return True


def _repeated(entries: Sequence[Entry], name: str) -> list[Fault]:
    """Two entries that are one: the same id, or the same question in other spelling."""
    faults = []
    first: dict[tuple[str, str], int] = {}
    for entry in entries:
        for what, key in (("question", entry.texts[""]), ("id", entry.id)):
            folded = (what, " ".join(key.casefold().split()))
            earlier = first.setdefault(folded, entry.number)
            if earlier != entry.number:
                faults.append(Fault(name, entry.number, f"{what} repeats that of entry {earlier}"))
                break
    return faults


def _unknown(key: str, known: Sequence[str]) -> str:
    return f"unknown key {key!r}; {nearest(key, known)}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."
