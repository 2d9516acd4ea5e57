"""
The tokenizer of the question side: BERT's, uncased, in plain Python.

A question is a dozen words, and for those importing a tokenizer library takes longer
than this takes to read them.  It gives the ids that the ``tokenizers`` library gives,
but for text that spells a special token: here ``[SEP]`` is three marks and a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

__all__ = ["WordPieces"]

_LONGEST_WORD = 100
"""Characters; BERT reads a longer word as unknown."""

_IDEOGRAPHS = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)
"""The blocks that BERT cuts character by character, in its own list."""

_NO_TEXT = frozenset({"Cc", "Cf", "Co", "Cs"})
"""Unicode categories that are dropped; BERT keeps what has none yet."""

_ASCII_TOKEN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPieces:
    """
    Cuts a text into the pieces of one vocabulary.

    Args:
        vocabulary: piece -> id; pieces inside a word start with ``##``, and
            ``[CLS]``, ``[SEP]`` and ``[UNK]`` are among them.
    """

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._id = vocabulary

    def ids(self, text: str, limit: int) -> tuple[list[int], bool]:
        """
        The ids of ``text`` between ``[CLS]`` and ``[SEP]``, at most ``limit`` in all.

        The second value tells whether the end of the text was cut off.
        """
        found: list[int] = []
        for word in _words(text):
            found += self._pieces(word)
            if len(found) > limit - 2:
                break
        ids = [self._id["[CLS]"], *found[: limit - 2], self._id["[SEP]"]]
        return ids, len(found) > limit - 2

    def _pieces(self, word: str) -> list[int]:
        """The longest pieces from the left; unknown as a whole where they do not cover it."""
        if len(word) > _LONGEST_WORD:
            return [self._id["[UNK]"]]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._id.get(mark + word[start:end])
                if piece is not None:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return [self._id["[UNK]"]]
        return pieces


def _words(text: str) -> Iterator[str]:
    if text.isascii() and text.isprintable():
        yield from _ASCII_TOKEN.findall(text.lower())
        return
    kept = "".join(map(_cleaned, text))
    spaced = _IDEOGRAPHS.sub(r" \1 ", kept)
    bare = "".join(
        c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn"
    )
    # Letter by letter, so that a final sigma is written as any other.
    for word in "".join(map(str.lower, bare)).split():
        yield from _split_at_marks(word)


def _cleaned(char: str) -> str:
    """The character, a space for any kind of space, or nothing for what is no text."""
    if char in "\t\n\r":
        return " "
    category = unicodedata.category(char)
    if char == "\ufffd" or category in _NO_TEXT:
        return ""
    return " " if char.isspace() else char


def _split_at_marks(word: str) -> Iterator[str]:
    start = 0
    for i, char in enumerate(word):
        if _is_mark(char):
            if start < i:
                yield word[start:i]
            yield char
            start = i + 1
    if start < len(word):
        yield word[start:]


def _is_mark(char: str) -> bool:
    if char.isascii():
        return not char.isalnum()
    return unicodedata.category(char)[0] == "P"
