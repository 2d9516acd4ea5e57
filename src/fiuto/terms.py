"""
Text to terms: one function for what is indexed and for what is asked.

A word of code is kept in parts *and* as a whole: ``should_strip_auth`` gives
``should``, ``strip``, ``auth`` and ``shouldstripauth``, so that a plain word
finds the identifier and the identifier, in snake or camel case, finds itself
first.  Words of any alphabet stay whole; scripts written without spaces (Han,
Kana, Hangul) become overlapping pairs of characters, because no dictionary is
at hand that knows where their words end.

Pure: no files, no settings, no library beyond the standard one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from fiuto.runs import runs_of

__all__ = ["IDENTITY", "identifiers", "joined_terms", "split_identifier", "stem", "terms"]

IDENTITY = "terms/1"
"""Stored in every index; changes when the same text would give other terms."""

_LONGEST = 64
"""Characters of a term; longer runs are base64 or minified noise, never a question."""

_REMEMBERED = 1 << 17
"""Runs kept: those of a large repository, in some 30 MB."""

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_ASCII_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def terms(text: str) -> list[str]:
    """
    The terms of ``text`` in order, repeated as often as they occur.

    >>> terms("def should_strip_auth(oldURL):")
    ['def', 'should', 'strip', 'auth', 'shouldstripauth', 'old', 'url', 'oldurl']
    """
    return joined_terms(text).split()


def joined_terms(text: str) -> str:
    """
    The same in one string, between blanks: what an index of a million chunks is made from.

    >>> joined_terms("should_strip")
    'should strip shouldstrip'
    """
    return " ".join(map(_known.__getitem__, runs_of(text)))


def identifiers(text: str) -> list[str]:
    """The distinct words of ``text`` as written, in order of first appearance."""
    return list(dict.fromkeys(_WORD.findall(text)))


def split_identifier(word: str) -> list[str]:
    """
    The parts of one identifier as written: at ``_``, case changes and digits.

    >>> split_identifier("HTTPServer2_loadURL")
    ['HTTP', 'Server', '2', 'load', 'URL']
    """
    if word.isascii():
        return _ASCII_PARTS.findall(word)
    return [part for piece in word.split("_") if piece for part in _unicode_parts(piece)]


def _unicode_parts(piece: str) -> Iterable[str]:
    """Split where a lower-case letter meets an upper-case one, or a digit a letter."""
    start = 0
    for i in range(1, len(piece)):
        before, here = piece[i - 1], piece[i]
        if (before.islower() and here.isupper()) or before.isdigit() != here.isdigit():
            yield piece[start:i]
            start = i
    yield piece[start:]


class _Runs(dict[str, str]):
    """Run of word characters -> its terms joined: a repository repeats its words."""

    def __missing__(self, run: str) -> str:
        if len(self) > _REMEMBERED:
            self.clear()
        found = (term for word in _WORD.findall(run) for term in _terms_of_word(word))
        self[run] = joined = " ".join(found)
        return joined


_known = _Runs()


def _terms_of_word(word: str) -> tuple[str, ...]:
    if not word.isascii() and _cjk_run().search(word):
        return tuple(_with_pairs(word))
    parts = [part.casefold()[:_LONGEST] for part in split_identifier(word)]
    if len(parts) == 1:
        return (stem(parts[0]),)
    # The whole is written without separators: HTTPServer, httpServer and
    # http_server are one name.  Its own last part is not stemmed.
    whole = "".join(parts)[:_LONGEST]
    return (*(stem(part) for part in parts), whole)


@cache
def _cjk_run() -> re.Pattern[str]:
    """A run of Han, Kana or Hangul: compiled when met, since that takes 2 ms."""
    return re.compile(f"[{_CJK}]+")


def _with_pairs(word: str) -> Iterable[str]:
    """Pairs of characters for runs of Han, Kana and Hangul; the rest as words."""
    last = 0
    for run in _cjk_run().finditer(word):
        if between := word[last : run.start()].strip("_"):
            yield from _terms_of_word(between)
        chars = run.group()
        if len(chars) == 1:
            yield chars
        for i in range(len(chars) - 1):
            yield chars[i : i + 2]
        last = run.end()
    if rest := word[last:].strip("_"):
        yield from _terms_of_word(rest)


def stem(word: str) -> str:
    """
    Cut the commonest English endings, so that ``redirects`` meets ``redirect``.

    Only plurals and ``-ing``/``-ed`` on words long enough to keep a root of
    four letters; names of code are too short and too odd for more.  What this is
    worth, beside no stemming and Porter's, stands in ``docs/decisions.md``.

    >>> [stem(w) for w in ("redirects", "policies", "stripped", "following", "class", "bus")]
    ['redirect', 'policy', 'strip', 'follow', 'class', 'bus']
    """
    if len(word) < 4 or not word.isascii() or word[-1] not in "sgd":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")) and len(word) > 5:
        return word[:-2]
    if word[-1] == "s":
        return word if word.endswith(("ss", "us", "is")) else word[:-1]
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 4:
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word
