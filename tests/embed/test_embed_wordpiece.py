"""The tokenizer of questions: BERT's ids, without BERT's library."""

import pytest

from fiuto.embed.question_file import open_questions
from fiuto.embed.static import QUESTIONS
from fiuto.embed.wordpiece import WordPieces

TEXTS = (
    "how big is the body that we are about to send",
    "don't send the password to another site after a redirect",
    "should_strip_auth(self, old_url)  # HTTPSConnectionPool->urlopen",
    "UnrewindableBodyError",
    "a\tb\r\nc   d\u00a0e\u2003f",
    "naïve café Ünïcödé İstanbul ΟΔΟΣ Straße",
    "e\u0301 A\u030a \u1e9b\u0323",
    "dove vengono bloccati gli utenti? Wo werden Nutzer gesperrt?",
    "用户登录在哪里被拒绝 漢字かな交じり文 한국어",
    "\U0001f389 party \U0001f468\u200d\U0001f469\u200d\U0001f467 — “quoted” … ‹x›",
    "zero\u200bwidth soft\u00adhyphen \ufeffbom \u202eturned",
    "null\x00byte \x07bell \x1b[31mred \x85next",
    "\ufffd replaced \ufffd",
    "x" * 100 + " " + "y" * 101,
    "ﬁ ligature ½ ² № ™ €5 $x ^ ` ~ |",
    "Привет مرحبا שלום नमस्ते ไทย",
    "\U00010400 \U0001d54f \ue000private \U000e0041",
    "",
    "   ",
    "!?",
)


@pytest.fixture(scope="module")
def pieces():
    """The tokenizer over the shipped vocabulary."""
    return WordPieces(open_questions(QUESTIONS).vocabulary())


def test_ids_agree_with_the_library(pieces, minilm):
    """Every kind of text gives the ids of the ``tokenizers`` library."""
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(
        str(minilm / "tokenizer.json")
    )
    tokenizer.no_truncation()
    tokenizer.no_padding()

    for text in TEXTS:
        assert pieces.ids(text, 512)[0] == tokenizer.encode(text).ids, text


def test_every_letter_and_mark_agrees_with_the_library(pieces, minilm):
    """Each character of the first planes is dropped, cut off or kept as the library does it."""
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(
        str(minilm / "tokenizer.json")
    )
    tokenizer.no_truncation()
    tokenizer.no_padding()
    chars = [chr(code) for code in (*range(0x1C00), *range(0x1E00, 0x2E00), *range(0x4E00, 0x4F00))]
    texts = [f"a{char}b" for char in chars]

    theirs = tokenizer.encode_batch(texts)
    differ = [
        char
        for char, text, encoding in zip(chars, texts, theirs, strict=True)
        if pieces.ids(text, 512)[0] != encoding.ids
    ]

    # The library knows the marks of Unicode 8; those given a category since are letters to it.
    assert len(differ) < 120
    assert not any(char.isalnum() or char.isspace() or char < "\u0600" for char in differ)


def test_known_ids(pieces):
    """Cut into words, then into the longest pieces."""
    vocabulary = open_questions(QUESTIONS).vocabulary()
    parts = [vocabulary[piece] for piece in ("un", "##rew", "##inda", "##ble")]

    assert pieces.ids("Unrewindable", 256) == ([101, *parts, 102], False)
    assert pieces.ids("don't", 256)[0] == [101, 2123, 1005, 1056, 102]


def test_a_special_token_in_a_question_is_text(pieces):
    """Nobody can end the sentence by writing its end mark."""
    ids, _ = pieces.ids("a [SEP] b [UNK]", 256)

    assert ids.count(102) == 1
    assert 100 not in ids


def test_an_unknown_word_is_one_id(pieces):
    """What no pieces cover, or is longer than 100 characters, is unknown as a whole."""
    assert pieces.ids("a\U0001f389b", 256)[0] == [101, 100, 102]
    assert pieces.ids("y" * 101, 256)[0] == [101, 100, 102]


def test_a_long_question_is_cut_and_says_so(pieces):
    """At most ``limit`` ids, the last of them the end mark."""
    assert pieces.ids("one " * 254, 256) == ([101, *[2028] * 254, 102], False)
    assert pieces.ids("one " * 255, 256) == ([101, *[2028] * 254, 102], True)


def test_any_text_gives_ids(pieces):
    """Lone surrogates and text that is nothing but marks are read."""
    for text in ("half \ud83d a pair", "\u0301\u0302", "\x00", "\n"):
        ids, _ = pieces.ids(text, 256)
        assert (ids[0], ids[-1]) == (101, 102)
