"""Whether a raw pair is worth learning from: a question a person might ask, and code enough."""

from __future__ import annotations

import re

from training.sentences import is_prose_line

__all__ = ["unfit"]

_LEGAL = re.compile(
    r"copyright|licen[cs]ed under|(this|the) licen[cs]e (file|for|agreement)|see licen[cs]e|"
    r"all rights reserved|spdx-|without warrant|redistribut|\(c\) \d{4}|\bauthors?:|^created by|"
    r"auto-?generated|generated from protobuf|(file|code|class) (is|was) generated|"
    r"do not (edit|modify) (this|by)|"
    r"@?\binheritdoc",
    re.IGNORECASE,
)
_CHORE = re.compile(
    r"^(todo|fixme|xxx|hack\b|wip\b|deprecated|see (also )?[\w.#:/]+$|https?:|vim:|eslint|"
    r"noinspection|nolint|noqa|pragma (mark|once)|mark:|#?(end)?region\W*$|"
    r"((default|copy|static) )?(con|de)structor( for [\w.<>]+)?\W*$|[gs]etter\W*$|\W*$|"
    r"import [\w./\"']+;?$|used by|swift-tools)",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"credo:|rubocop:|phpcs:|@phpstan|@psalm|eslint-|prettier-ignore|istanbul|clang-format|"
    r"shellcheck (disable|source)|ktlint-disable|swiftlint:|@ts-(ignore|expect)|type: ignore|"
    r"pylint:|coverage:ignore|NOLINT|@codeCoverage|ReSharper (disable|restore)|IWYU pragma",
)
_ENGLISH_TEXT = """
the a an of to in is are for and or if that this it with be by as on from not which when will can
has have was were at into all any its we you use used returns return should must do does only so
than then there these those no but given each after before
"""
_ENGLISH = frozenset(_ENGLISH_TEXT.split())
_WORD = re.compile(r"[A-Za-z][a-z']*")


def unfit(row: dict[str, str]) -> str:
    r"""
    Why a row is not worth learning from, or an empty string.

    >>> unfit({"kind": "doc", "query": "Copyright 2020 Foo Inc.", "code": "x = 1\n" * 20})
    'legal'
    """
    query, kind = row["query"], row["kind"]
    words = query.split()
    named = kind in {"name", "test", "test_body"}
    least = {"name": 2, "test": 3, "test_body": 3, "doc": 3}.get(kind, 5)
    reasons = (
        ("short", len(words) < least or len(query) < 10),
        ("long", len(words) > 70 or len(query) > 450),
        ("thin code", len(row["code"]) < 60 or row["code"].count("\n") < 1),
        ("legal", _LEGAL.search(query) is not None),
        ("chore", not named and _CHORE.match(query) is not None),
        ("tool", not named and _TOOL.search(query) is not None),
        ("code", kind != "name" and not _reads_as_prose(query, titled=named)),
        ("foreign", _foreign(query, 0 if named else len(words))),
    )
    return next((reason for reason, holds in reasons if holds), "")


def _reads_as_prose(query: str, *, titled: bool) -> bool:
    if titled:
        return sum(c.isalpha() or c.isspace() for c in query) >= 0.72 * len(query)
    return is_prose_line(query, letters=0.75 if len(query) > 60 else 0.8)


def _foreign(query: str, words: int) -> bool:
    """Not English: other alphabets, or eight words and more without one common English word."""
    if sum(not c.isascii() for c in query) > 0.08 * len(query):
        return True
    return words >= 9 and not _ENGLISH & {w.lower() for w in _WORD.findall(query)}
