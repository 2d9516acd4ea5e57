"""
From a doc comment as it stands in a file to the sentence a person might ask with.

Comment markers, tags, parameter lists and inline markup go; the first sentence
stays, or the first two where it is very short.
"""

from __future__ import annotations

import re

__all__ = ["names", "question"]

_FEWEST_WORDS, _MOST_WORDS = 5, 40
"""Shorter sentences ask for nothing in particular, longer ones are no questions."""
_SHORT = 7
"""A first sentence with fewer words takes the second with it."""

_MARKER = re.compile(
    r"^\s*(?:@doc\s+(?:~S)?)?(?:[rRuUbBfF]{0,2}\"{3}|[rRuUbBfF]{0,2}'{3}|[rRuU]?\"|///?!?|//!"
    r"|/\*+!?|\*+/|\*(?!\*)|\#+!?|--\[=*\[|\]=*\]|-{2,}|\{-\s*\|?|-\}|;+|%+)"
)
_TAIL = re.compile(r"\s*(?:\*+/|-\}|\]=*\]|\"{1,3}|'{3})\s*$")
_LEAD = re.compile(r"^[|^<>!*]\s+")
_SUMMARY = re.compile(
    r"</?(?:summary|para|p|remarks|doc)\s*/?>|[@\\](?:brief|short|description):?\s"
)
_END = re.compile(
    r"""(?ix) ^\s* (?:
      [@\\] (?! (?:code|link|linkplain|literal|p|c|ref)\b ) \w+           # @param, \return
    | : \w+ (?:\s [^:]*)? :(?:\s|$)                                        # :param x:
    | -\s* (?:parameters?|returns|throws|note|warning|seealso)\b           # Swift
    | (?:args|arguments|parameters|params|returns?|raises|yields|examples?|usage|options|inputs?
        |outputs?|attributes|notes?|see\ also|references|panics|errors|safety|throws|globals
        |warnings?|todo) \s* :{0,2} \s* $
    | \#+\s | [=~^"'*+-]{3,} | \.\.\s+\w[\w-]*:: | ``` | >>> | \$\s | iex> | \{\{\{
    | < (?:param|returns|example|exception|typeparam|seealso|code|value|inheritdoc|pre|ul|ol)\b
    | (?:spdx-|copyright|licen[sc]ed\ under|eslint|tslint|prettier|@ts-|istanbul|noqa|pylint|nolint
        |go:|\+build|clang-format|swiftlint|rubocop|shellcheck|region|endregion|vim:)
    )"""
)
_RULE = re.compile(r"^[-=*#~]{2,}\s+|\s+[-=*#~]{2,}$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s")
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<(?:see|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/?>"), r"\1"),
    (re.compile(r"\{@\w+\s+([^{}]*)\}"), r"\1"),
    (re.compile(r"[@\\](?:p|c|ref)\s+"), ""),
    (re.compile(r"\[\[([^\]]*)\]\]"), r"\1"),
    (re.compile(r":[\w:+-]+:`~?([^`<]*?)(?:\s*<[^`]*>)?`"), r"\1"),
    (re.compile(r"(?<!\w)!?\[([^\]\[]*)\](?:\([^)]*\)|\[[^\]]*\])?"), r"\1"),
    (re.compile(r"(?:https?|ftp)://\S+"), ""),
    (re.compile(r"</?[a-zA-Z][^<>]{0,80}>"), " "),
    (re.compile(r"[`´]+|(?<!\w)[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?!\w)"), ""),
    (re.compile(r"&(?:lt|gt|amp|quot|nbsp);"), " "),
    (re.compile(r"\s+"), " "),
)
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(?<!cf\.)[\"')]*\s+(?=[^a-z\s])"
)
_NO_QUESTION = re.compile(
    r"^(?:todo|fixme|xxx|hack|see\b|deprecated|internal|private|auto-?generated|generated|"
    r"this (?:file|method|function|class) is (?:generated|deprecated|internal))",
    re.IGNORECASE,
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")


def question(comment: str, symbol: str) -> str:
    """
    The comment's first sentence as plain words, empty where it makes no question.

    Go's comments begin with the name of what they document; it is left out.

    >>> question("/** Returns the {@link Foo} that was asked for, if any. @see x */", "get")
    'Returns the Foo that was asked for, if any.'
    >>> question("// Dial connects to the given address and waits.", "Dial")
    'connects to the given address and waits.'
    """
    plain = _plain(_paragraph(comment))
    plain = plain.removeprefix(f"{symbol} ") if symbol else plain
    sentences = [s.strip(" -=#/|:;,") for s in _SENTENCE.split(plain)]
    taken = sentences[0]
    if len(taken.split()) < _SHORT and len(sentences) > 1:
        taken = f"{taken} {sentences[1]}"
    words = taken.split()
    letters = sum(character.isalpha() or character.isspace() for character in taken)
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or letters < 0.8 * len(taken):
        return ""
    return "" if _NO_QUESTION.match(taken) else taken


def names(sentence: str, symbol: str) -> bool:
    """
    Whether a sentence says a symbol's name, as one word or as several in a row.

    >>> names("Sends a prepared request.", "send"), names("Strip auth on redirect", "strip_auth")
    (True, True)
    >>> names("Check whether it must go", "should_strip_auth")
    False
    """
    wanted = _parts(symbol)
    said = _parts(sentence)
    size = len(wanted)
    if not size:
        return True
    windows = (said[i : i + size] for i in range(len(said) - size + 1))
    joined = "".join(wanted)
    return joined in said or any(all(map(_same, window, wanted)) for window in windows)


def _parts(text: str) -> list[str]:
    return [part.lower() for part in _PART.findall(text)]


def _same(said: str, part: str) -> bool:
    """Equal but for a plural or third person: ``Sends`` says ``send``."""
    return said == part or said in (f"{part}s", f"{part}es") or part == f"{said}s"


def _paragraph(comment: str) -> str:
    """The words of the first paragraph, without markers, up to the first tag."""
    kept: list[str] = []
    for line in comment.split("\n"):
        bare = _TAIL.sub("", _MARKER.sub("", line, count=1)).strip()
        bare = _LEAD.sub("", _SUMMARY.sub(" ", _RULE.sub("", bare)).strip()).strip()
        if _END.match(bare) or (kept and (not bare or _ITEM.match(bare))):
            if kept:
                break
            continue
        if bare:
            kept.append(bare)
    return " ".join(kept)


def _plain(text: str) -> str:
    for pattern, shown in _INLINE:
        text = pattern.sub(shown, text)
    return text.strip()
