"""Documentation that names code: paragraphs with the definition, or the example, they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from training.facts import FileFacts
from training.grammar import LANGUAGES
from training.paths import language_of
from training.sentences import plain

__all__ = ["Known", "Place", "prose_rows"]

_ALIASES = {
    "py": "python",
    "python3": "python",
    "js": "javascript",
    "ts": "typescript",
    "sh": "bash",
    "shell": "bash",
    "zsh": "bash",
    "rb": "ruby",
    "rs": "rust",
    "kt": "kotlin",
    "cs": "csharp",
    "c#": "csharp",
    "hs": "haskell",
    "ex": "elixir",
    "c++": "cpp",
    "golang": "go",
    "jsx": "javascript",
}
_SPAN = re.compile(r"``?([^`\n]{3,60})``?")
_FENCE = re.compile(
    r"^[ \t]*(```|~~~)\s*\{?\.?([\w+#-]*)[^\n]*\n(.*?)^[ \t]*\1\s*$", re.MULTILINE | re.DOTALL
)
_HEADING = re.compile(
    r"^(#{1,6})\s+(.+?)\s*#*$|^([^\n#].{2,80})\n(={3,}|-{3,}|~{3,}|\^{3,})$", re.MULTILINE
)
_NAME = re.compile(r"([A-Za-z_]\w*[?!]?)(?:\(.*\)|\[.*\]|<.*>)?$")
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`])")


@dataclass(frozen=True, slots=True)
class Place:
    """A definition that documentation or a test can point at."""

    language: str
    path: str
    name: str
    code: str

    def row(self, kind: str, query: str) -> dict[str, str]:
        """A pair with this definition's code."""
        return {
            "lang": self.language,
            "path": self.path,
            "kind": kind,
            "query": query,
            "code": self.code,
            "name": self.name,
        }


class Known:
    """Definitions by name; a name that means several things means none."""

    def __init__(self) -> None:
        self._places: dict[str, list[Place]] = {}

    def add(self, facts: FileFacts) -> None:
        """Enter a file's definitions."""
        for item in facts.definitions:
            if len(item.name) >= 3 and len(item.code) >= 60:
                name = f"{item.owner}.{item.name}" if item.owner else item.name
                place = Place(facts.language, facts.path, name, item.code)
                self._places.setdefault(item.name, []).append(place)

    def settle(self) -> None:
        """Forget names with more than two definitions; of two, keep the longer."""
        self._places = {
            name: [max(found, key=lambda place: len(place.code))]
            for name, found in self._places.items()
            if len(found) <= 2
        }

    def one(self, name: str) -> Place | None:
        """The definition a name stands for, where it stands for one."""
        found = self._places.get(name)
        return found[0] if found else None


def prose_rows(path: str, text: str, known: Known) -> Iterator[dict[str, str]]:
    """A document's pairs: sentences that name a definition, paragraphs before an example."""
    yield from _examples(path, text)
    bare = _FENCE.sub("\n", text)
    used: dict[str, int] = {}
    heading = ""
    at = 0
    for match in [*_HEADING.finditer(bare), None]:
        section = bare[at : match.start() if match else len(bare)]
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] )", section):
            yield from _named(heading, paragraph, known, used)
        if match:
            heading = plain(match.group(2) or match.group(3) or "")
            at = match.end()


def _named(
    heading: str, paragraph: str, known: Known, used: dict[str, int]
) -> Iterator[dict[str, str]]:
    if "|" in paragraph or len(paragraph) < 30:
        return
    said = 0
    for sentence in _SENTENCE.split(" ".join(paragraph.split())):
        for span in _SPAN.findall(sentence):
            match = _NAME.search(span.strip())
            telling = re.search(r"[(.#]|[a-z][A-Z]|\w_\w|^[A-Z]\w{3}", span)
            file_name = language_of(span) != ""
            place = known.one(match.group(1)) if match and telling and not file_name else None
            if place is not None and not _belongs(span, place):
                place = None
            query = plain(sentence).lstrip("-*>. ")
            if place is None or used.get(place.name, 0) >= 2 or len(query.split()) < 5 or said > 1:
                continue
            used[place.name] = used.get(place.name, 0) + 1
            said += 1
            if heading and len(query.split()) < 12 and heading.lower() not in query.lower():
                query = f"{heading}: {query}"
            if len(query) <= 400:
                yield place.row("prose", query)
            break


def _belongs(span: str, place: Place) -> bool:
    """Whether what stands before the last dot of a name can be where the definition is."""
    parts = re.split(r"[.:#/]+", re.sub(r"\(.*", "", span))
    before = parts[-2].lower() if len(parts) > 1 else ""
    return before in f"{place.path} {place.name}".lower()


def _examples(path: str, text: str) -> Iterator[dict[str, str]]:
    for match in _FENCE.finditer(text):
        tag = match.group(2).lower()
        language = _ALIASES.get(tag, tag)
        code = match.group(3).strip("\n")
        if language not in LANGUAGES or not 80 <= len(code) <= 2000:
            continue
        before = text[max(0, match.start() - 600) : match.start()].rstrip()
        query = plain(re.split(r"\n\s*\n", before)[-1]).lstrip("#-*>. ").rstrip(":")
        query = re.sub(r"^:::\w+\s*", "", query)
        if len(query.split()) >= 5 and len(query) <= 300 and "```" not in before[-320:]:
            yield {
                "lang": language,
                "path": path,
                "kind": "example",
                "query": query,
                "code": code,
                "name": "",
            }
