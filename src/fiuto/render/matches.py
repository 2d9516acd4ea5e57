"""
Where a question's words stand in a line, by the same rule that found the hit.

A line is split by :mod:`fiuto.terms`, so ``redirects`` in the question lights up
``redirect`` in ``rebuild_redirect_url``, and a pair of Han characters itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fiuto.terms import identifiers, split_identifier, stem, terms
from fiuto.values import dataclass

__all__ = ["Matcher", "matcher_of"]

_READ = 4_000
"""Characters of a line that are looked at; what follows is minified or data."""

_COMMON = (
    "a about an and any are as at be been but by can could did do does don for from had has have"
    " he her how i if in into is it its ll me my no not of on or our out re s she should so t that"
    " the their them then there these they this those to up us ve was we were what when where"
    " which who whose why will with would you your"
)
"""Words that most questions and most comments hold: worth nothing as a sign of the place."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Matcher:
    """The terms of one question."""

    wanted: frozenset[str]

    def terms_in(self, line: str) -> frozenset[str]:
        """The distinct terms of the question that ``line`` holds."""
        return self.wanted.intersection(terms(line[:_READ]))

    def spans(self, line: str) -> list[tuple[int, int]]:
        """Half-open character ranges to light up: ordered, apart from each other."""
        found = sorted(
            span
            for word in _WORD.finditer(line[:_READ])
            for span in self._in_word(word.group(), word.start())
        )
        merged: list[tuple[int, int]] = []
        for start, end in found:
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        return merged

    def _in_word(self, word: str, at: int) -> Iterator[tuple[int, int]]:
        held = self.wanted.intersection(terms(word))
        if not held:
            return
        parts = split_identifier(word)
        if "".join(parts).casefold() in held:
            yield at, at + len(word)
            return
        cursor = 0
        for part in parts:
            cursor = word.index(part, cursor)
            if stem(part.casefold()) in held:
                yield at + cursor, at + cursor + len(part)
            cursor += len(part)
        # Pairs of characters of a script without spaces lie inside a part.
        for term in held:
            if not term.isascii():
                yield from (
                    (at + m.start(), at + m.end()) for m in re.finditer(re.escape(term), word)
                )


def matcher_of(question: str) -> Matcher:
    """The matcher for ``question``: its common words count only if it has no others."""
    words = identifiers(question)
    common = frozenset(_COMMON.split())
    telling = [word for word in words if word.casefold() not in common] or words
    return Matcher(frozenset(terms(" ".join(telling))))
