"""
What grep finds: the naive search of a phrase, and the best a patient person does with it.

A tool that claims to beat grep must beat the grep of somebody who knows how to
search: one case-insensitive search per content word, files ranked by how many of
the words they hold.  A target counts at the rank of its *file*, which flatters
grep: the reader still has to find the place inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["FileHits", "Grep", "content_words"]

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")

_STOPWORDS = frozenset(
    """
    a about above after again against all am an and any are as at be because been before being
    below between both but by can cannot could did do does doing don down during each else ever
    every few for from further get gets given had has have having he her here hers him his how i
    if in into is isn it its itself just keep keeps kept let like ll made make makes may me
    might more most must my no nor not now of off on once one only or other our out over own re
    s same shall she should so some such t than that the their them then there these they this
    those through to too under until up upon us ve very was wasn we were what when where whether
    which while who whom why will with within without won would you your
    """.split()  # noqa: SIM905 - a table of words
)
"""English function words: nobody greps for them.  After the Snowball project's list."""


@dataclass(frozen=True, slots=True)
class FileHits:
    """A file that holds at least one of the words."""

    path: str
    words: int
    """Distinct words that occur."""
    lines: int
    """Lines found, added up over the words."""


class Grep:
    """Case-insensitive search for fixed strings over texts that are held in memory."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """``texts``: (path, text) of each file."""
        self._texts = {path: text.lower() for path, text in texts}
        self._found: dict[str, dict[str, int]] = {}

    def lines(self, pattern: str, paths: Iterable[str] | None = None) -> int:
        """How many lines hold ``pattern`` as ``grep -iF`` counts them, over all or some files."""
        found = self._search(pattern.lower())
        return sum(found.values() if paths is None else (found.get(path, 0) for path in paths))

    def files(self, words: Sequence[str], paths: Iterable[str]) -> list[FileHits]:
        """Files with any of ``words``: most distinct words first, then most lines, then by path."""
        searches = [self._search(word.lower()) for word in words]
        found = []
        for path in paths:
            counts = [search[path] for search in searches if path in search]
            if counts:
                found.append(FileHits(path, len(counts), sum(counts)))
        return sorted(found, key=lambda file: (-file.words, -file.lines, file.path))

    def _search(self, wanted: str) -> dict[str, int]:
        """Lines in each file that has any; kept, because questions and scopes share words."""
        if wanted not in self._found:
            counts = ((path, _lines(text, wanted)) for path, text in self._texts.items())
            self._found[wanted] = {path: count for path, count in counts if count}
        return self._found[wanted]


def content_words(question: str) -> list[str]:
    """
    The words of a question that are worth a search of their own, each once.

    Where nothing but function words stands, all of them.

    >>> content_words("How is the password kept from another site?")
    ['password', 'another', 'site']
    """
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(question)))
    return [word for word in words if word not in _STOPWORDS] or words


def _lines(text: str, wanted: str) -> int:
    count = 0
    at = text.find(wanted)
    while at >= 0:
        count += 1
        end = text.find("\n", at)
        at = text.find(wanted, end + 1) if end >= 0 else -1
    return count
