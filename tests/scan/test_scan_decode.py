"""Bytes become the text their author wrote, or nothing."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fiuto.scan.decode import Decoded, Undecodable, decode

printable = st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co"))
texts = st.text(st.one_of(printable, st.sampled_from("\r\n\t\f")))


@given(texts)
def test_utf8_round_trip(text):
    """Every sign stays: CR, form feed, U+2028, a mark in the middle."""
    text = text.removeprefix("\ufeff")
    assert decode(text.encode()) == Decoded(text, "utf-8")
    assert decode(codecs.BOM_UTF8 + text.encode()) == Decoded(text, "utf-8")


@given(texts, st.sampled_from(["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]))
def test_marked_round_trip(text, encoding):
    """The mark is not part of the text."""
    # UTF-16-LE with a NUL in front has the mark of UTF-32; U+0000 is no printable sign.
    assert decode("\ufeff".encode(encoding) + text.encode(encoding)) == Decoded(text, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "def café_handler():\n    return 1\n",
        "# 求职者登录\ndef login():\n    pass\n",
        "a",
        "x = '👍'\r\n",
    ],
)
def test_utf16_without_mark(text, encoding):
    """Where the NULs stand tells the byte order (case 9)."""
    assert decode(text.encode(encoding)) == Decoded(text, encoding)


@pytest.mark.parametrize("data", ["x\n".encode("utf-16"), "x\n".encode("utf-16-le")])
def test_utf16_is_binary_for_the_article(data):
    """Its rule to the letter: a NUL in the first 512 bytes."""
    outcome = decode(data, article=True)
    assert isinstance(outcome, Undecodable)
    assert outcome.reason == "binary"


@pytest.mark.parametrize("article", [False, True])
def test_nul_after_the_head(article):
    """Only the first 512 bytes count, in text that is UTF-8."""
    late = b"a" * 512 + b"\0\n"
    early = b"a" * 511 + b"\0\n"
    assert decode(late, article=article) == Decoded(late.decode(), "utf-8")
    assert decode(early, article=article).reason == "binary"


BINARIES = {
    "elf": b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00\x01\x00\x00\x00" * 20,
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0" * 9,
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n" + bytes(range(1, 256)) * 4,
    "samples": bytes(b for i in range(600) for b in (i % 7, 0)),
    "integers": b"".join(i.to_bytes(4, "little") for i in range(65, 300)),
    "mp3": b"\xff\xfe" + bytes(range(256)) * 2,
    "deflate": bytes((i * 37 + i // 7) % 255 + 1 for i in range(3000)),
}


@pytest.mark.parametrize("data", BINARIES.values(), ids=BINARIES)
def test_binaries(data):
    """With or without a NUL in the head, and though two bytes make a character."""
    outcome = decode(data)
    assert isinstance(outcome, Undecodable)
    assert outcome.reason == "binary"


def test_stray_bytes_in_utf8():
    """One wrong byte does not spoil the other names, and no U+FFFD appears."""
    data = (
        "naïve = 'größe'  # Ärger, ñandú, 求职者登录接口\n".encode()
        + b"x = 'caf\xe9 \x93q\x94 \x81'\n"
    )
    outcome = decode(data)
    assert outcome == Decoded(
        "naïve = 'größe'  # Ärger, ñandú, 求职者登录接口\nx = 'café “q” \x81'\n", "utf-8"
    )


@pytest.mark.parametrize(
    ("text", "declared", "name"),
    [
        ("# -*- coding: iso-8859-15 -*-\nprix = '5 €'\n", "iso8859-15", "iso8859-15"),
        ("#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\nx = 'мир'\n", "koi8-r", "koi8-r"),
        ('<?xml version="1.0" encoding="windows-1251"?>\n<a>мир</a>\n', "cp1251", "cp1251"),
        ('<html><meta charset="shift_jis"><p>日本</p>\n', "shift_jis", "shift_jis"),
    ],
)
def test_declared_encoding(text, declared, name):
    """PEP 263, XML and HTML: what a file says of itself comes before any guess."""
    assert decode(text.encode(declared)) == Decoded(text, name)


@pytest.mark.parametrize("name", ["utf-7", "unicode_escape", "rot13", "no-such", "ascii"])
def test_declaration_that_cannot_be(name):
    """It is passed over: the name is read all the same."""
    data = f"# coding: {name}\ndef café_handler(): pass\n".encode("latin-1")
    assert decode(data).text.endswith("def café_handler(): pass\n")


def test_marked_but_wrong():
    """Said, not repaired."""
    assert decode(codecs.BOM_UTF8 + b"caf\xe9").reason == "encoding"
    assert decode(codecs.BOM_UTF16_LE + b"a").reason == "encoding"


def test_too_little_to_tell():
    """Mac Roman's é alone could be anything: skipped rather than misread."""
    assert decode("def café(): pass\n".encode("mac_roman")).reason == "encoding"


def test_rare_encoding_with_enough_text():
    """charset-normalizer knows more encodings than the table."""
    text = "# Проверка входа пользователя в систему\n" * 5
    assert decode(text.encode("cp866")).text == text


def test_empty():
    """A file of no bytes is a text (case 15)."""
    assert decode(b"") == Decoded("", "utf-8")


@settings(deadline=None)  # the first odd input imports charset-normalizer
@given(st.binary(max_size=2000))
def test_never_raises_and_never_replaces(data):
    """Whatever the bytes: no exception, and U+FFFD only where it was written."""
    outcome = decode(data)
    if isinstance(outcome, Decoded) and "\ufffd" in outcome.text:
        assert "\ufffd".encode(outcome.encoding) in data
