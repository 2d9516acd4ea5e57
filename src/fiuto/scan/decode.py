r"""
Bytes to text, or the reason why not: names must come out as their author wrote them.

In this order:

1. A byte order mark says which Unicode encoding it is, and is not part of the text.
2. A NUL among the first 512 bytes means *binary*, unless the whole is plausible
   UTF-16.  (To the letter of the article, UTF-16 is binary, mark or no mark.)
3. UTF-8, strictly; or UTF-8 with a few stray bytes, which are read as Windows-1252.
4. The encoding that the file itself declares (PEP 263, XML, HTML).
5. The encoding whose letters fit (``guess.py``), else charset-normalizer's best.

Nothing else is touched: every ``\r``, form feed and U+2028 stays where it is, and
no U+FFFD is ever put in the place of what could not be read.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

__all__ = ["HEAD", "Decoded", "Undecodable", "decode"]

HEAD = 512
"""How many bytes decide whether a file is binary: the article's rule."""

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins with the mark of UTF-16: ask first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_DECLARED = re.compile(
    rb"coding[:=][ \t]*([-\w.]+)"
    rb"|<\?xml[^>]*?encoding=[\"']([-\w.]+)"
    rb"|<meta[^>]*?charset=[\"']?([-\w]+)"
)
_NOT_CHARSETS = frozenset({"unicode_escape", "raw_unicode_escape", "utf-7", "punycode", "idna"})
"""Codecs that would change plain ASCII text."""

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MOST_CONTROLS = 0.005
"""Above this share of control characters it is no text; ANSI colours and ``^Z`` stay below."""

_STRAYS_PER_CHARACTER = 1 / 3
"""Wrong bytes for each right non-ASCII character up to which a text still counts as UTF-8."""

_BEYOND_ASCII = bytes(range(0x80, 0x100))
_ENOUGH = 16
"""Bytes beyond ASCII below which charset-normalizer answers at random."""


class Decoded(NamedTuple):
    """A text and the Python name of the encoding it was in."""

    text: str
    encoding: str


class Undecodable(NamedTuple):
    """Not text: a reason from :data:`fiuto.scan.reasons.REASONS`, and what speaks for it."""

    reason: str
    detail: str


def decode(data: bytes, *, article: bool = False) -> Decoded | Undecodable:
    """Decode a whole file; ``article`` asks for the article's rule on NUL bytes to the letter."""
    nul = b"\0" in data[:HEAD]
    if nul and article:
        return _BINARY
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if nul:
        return _unmarked_utf16(data) or _BINARY
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if len(_CONTROLS.findall(data)) > _MOST_CONTROLS * len(data):
        return _unmarked_utf16(data) or _BINARY
    return (
        _mostly_utf8(data)
        or _declared(data)
        or _guessed(data)
        or Undecodable("encoding", "neither UTF-8 nor any common encoding")
    )


_BINARY = Undecodable("binary", "NUL bytes or control characters")


def _marked(data: bytes, encoding: str) -> Decoded | Undecodable:
    if encoding != "utf-8" and not _is_plausible(data.decode(encoding, "ignore")):
        return _BINARY  # two bytes that mean something else
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return Undecodable("encoding", f"marked as {encoding}, but it is not")


def _unmarked_utf16(data: bytes) -> Decoded | None:
    """ASCII in UTF-16 has a NUL in every second place: which one tells the byte order."""
    even, odd = data[:4096:2].count(0), data[1:4096:2].count(0)
    if len(data) % 2 or even == odd:
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return Decoded(text, encoding) if _is_plausible(text) else None


def _is_plausible(text: str) -> bool:
    """Whether it is written language: hardly a control, unassigned or private character."""
    import unicodedata  # noqa: PLC0415 - hardly any file needs it

    odd = sum(
        unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") and c not in "\t\n\r\f\v\x1b"
        for c in text[:4096]
    )
    return odd <= _MOST_CONTROLS * len(text[:4096])


def _mostly_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", "surrogateescape")
    beyond_ascii = [c for c in text if c > "\x7f"]
    strays = sum("\udc80" <= c <= "\udcff" for c in beyond_ascii)
    if strays > _STRAYS_PER_CHARACTER * (len(beyond_ascii) - strays):
        return None
    single = {0xDC00 + byte: _windows_1252(byte) for byte in range(0x80, 0x100)}
    return Decoded(text.translate(single), "utf-8")


def _windows_1252(byte: int) -> str:
    raw = bytes([byte])
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:  # five bytes have no meaning there
        return raw.decode("latin-1")


def _declared(data: bytes) -> Decoded | None:
    match = _DECLARED.search(b"\n".join(data[:1024].split(b"\n")[:3]))
    if match is None:
        return None
    name = next(group for group in match.groups() if group).decode("ascii")
    try:
        encoding = codecs.lookup(name).name
        if encoding in _NOT_CHARSETS:
            return None
        return Decoded(data.decode(encoding), encoding)
    except (LookupError, UnicodeDecodeError):
        return None


def _guessed(data: bytes) -> Decoded | None:
    from fiuto.scan.guess import guess  # noqa: PLC0415 - hardly any file needs it

    found = guess(data)
    if found is not None:
        return Decoded(*found)
    if len(data) - len(data.translate(None, _BEYOND_ASCII)) < _ENOUGH:
        return None
    # One file in thousands comes this far, and the import is not cheap.
    import charset_normalizer  # noqa: PLC0415

    best = charset_normalizer.from_bytes(data).best()
    return None if best is None else Decoded(str(best), best.encoding)
