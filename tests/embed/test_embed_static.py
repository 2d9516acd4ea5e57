"""The static model: both sides compute the same, and questions need no numpy."""

import math
import random
import struct
import subprocess
import sys

import pytest

from fiuto.embed.static import SHIPPED, StaticEmbedder, open_static
from fiuto.errors import ModelUnavailable
from fiuto.testing.embedders import check_embedder


def row(vectors, i=0):
    """The values of a row."""
    return struct.unpack(f"<{vectors.dimension}f", vectors.row(i))


def cosine(one, other):
    """Of two unit rows."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_the_shipped_model_keeps_the_contract():
    """Every check for embedders holds for the model in the package."""
    check_embedder(open_static())


def test_a_text_is_the_weighted_sum_of_its_words(tiny):
    """Weight times scale times 1 + ln(count), at length 1."""
    vectors = StaticEmbedder(tiny).embed(["read file, readFile: the_http"], "query")

    twice = 1 + math.log(2)
    expected = [1.0 * twice, 2.0 * twice, 1.0, 0.1]
    length = math.hypot(*expected)
    assert row(vectors) == pytest.approx([value / length for value in expected])


@pytest.mark.parametrize("role", ["query", "document"])
def test_words_written_together_are_read_as_their_pieces(tiny, role):
    """An unknown word that known words cover counts as those."""
    vectors = StaticEmbedder(tiny).embed(["readfile", "read file", "readxfile"], role)

    assert row(vectors, 0) == pytest.approx(row(vectors, 1))
    assert row(vectors, 2) == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("role", ["query", "document"])
def test_a_text_without_a_known_word_points_along_the_last_axis(tiny, role):
    """Nothing known still gives a unit row."""
    vectors = StaticEmbedder(tiny).embed(["", "zzz qqq", "!?"], role)

    assert [row(vectors, i) for i in range(3)] == [(0.0, 0.0, 0.0, 1.0)] * 3


def test_questions_and_documents_agree(tiny):
    """The same text gives the same row on both sides where its words weigh the same."""
    embedder = StaticEmbedder(tiny)
    texts = ["how is a file read", "größe HTTPServer http2 file", "", "x" * 500]
    asked = embedder.embed(texts, "query")
    stored = embedder.embed(texts, "document")

    for i in range(len(texts)):
        assert math.dist(row(asked, i), row(stored, i)) < 1e-6


def test_the_first_line_of_a_document_is_its_path(tiny):
    """A word weighs there what it weighs in a path, and the path counts once more by itself."""
    stored = StaticEmbedder(tiny).embed(
        ["read/x.py\nfile", "x.py\nread file", "read file"], "document"
    )

    in_path, in_code = math.hypot(4, 1), math.hypot(2, 1)
    x, y = 1 / in_path, 4 / in_path + 0.2  # nothing but "read" is known of the path
    assert row(stored, 0) == pytest.approx((x / math.hypot(x, y), y / math.hypot(x, y), 0, 0))
    assert row(stored, 1) == pytest.approx((1 / in_code, 2 / in_code, 0, 0))
    assert row(stored, 2) == row(stored, 1)


def test_documents_are_read_to_their_end(tiny):
    """A word behind 100 KB of others still turns the row, and nothing is cut."""
    filler = "the " * 30_000
    vectors = StaticEmbedder(tiny).embed([filler, filler + "http"], "document")

    assert vectors.truncated == (False, False)
    assert row(vectors, 0) == (0.0, 0.0, 0.0, 1.0)
    assert row(vectors, 1)[2] > 0.5


def test_meaning_shows_without_a_common_word():
    """Related words lie nearer to each other than unrelated ones."""
    embedder = open_static()
    for question, near, far in (
        ("password", "credential auth token", "polygon shader texture"),
        ("erase a folder", "remove directory", "parse json schema"),
        ("internet address", "url host", "banana apple"),
    ):
        asked = row(embedder.embed([question], "query"))
        stored = embedder.embed([near, far], "document")
        assert cosine(asked, row(stored, 0)) > cosine(asked, row(stored, 1)) + 0.1


def test_remembered_identifiers_do_not_grow_without_end(tiny, monkeypatch):
    """Past the limit the memory of identifiers starts anew, and rows stay the same."""
    import fiuto.embed.static_documents as module  # noqa: PLC0415 - brings numpy

    monkeypatch.setattr(module, "_REMEMBERED", 50)
    embedder = StaticEmbedder(tiny)
    first = embedder.embed(["read the file"], "document")
    words = random.Random(1).sample(range(10**6), 200)
    embedder.embed([f"name{word}" for word in words], "document")

    again = embedder.embed(["read the file"], "document")
    assert again == first
    assert len(embedder._documents._runs) <= 50


def test_identity_names_the_file_and_its_content(tiny):
    """Name, digest, dimension and how texts are cut; another content is another identity."""
    identity = StaticEmbedder(tiny).identity

    assert (identity.name, identity.dimension) == ("tiny", 4)
    assert len(identity.revision) == 32
    assert "words-1" in identity.recipe
    assert open_static().identity.name == "fiuto-static"
    assert open_static().identity.dimension == 384


def test_constructing_reads_nothing(tmp_path):
    """A missing file is noticed at first use, by an error that names it."""
    embedder = StaticEmbedder(tmp_path / "absent.vectors")

    with pytest.raises(ModelUnavailable, match=r"absent\.vectors"):
        _ = embedder.identity
    with pytest.raises(ModelUnavailable, match=r"absent\.vectors"):
        embedder.embed(["a"], "query")


def flip_a_bit(tiny):
    """Of the vector of ``read``."""
    data = bytearray(tiny.read_bytes())
    at = bytes(data).rindex(struct.pack("4b", 0, 100, 0, 0))
    data[at] ^= 1
    tiny.write_bytes(data)


@pytest.mark.parametrize("role", ["query", "document"])
def test_a_damaged_row_is_an_error_not_an_answer(tiny, role):
    """Both sides notice a flipped bit in the vectors they use."""
    flip_a_bit(tiny)

    with pytest.raises(ModelUnavailable, match="damaged"):
        StaticEmbedder(tiny).embed(["read"], role)


def test_a_few_texts_are_compared_as_all_documents_are():
    """The same cosines to the last digit, whether the table of words is loaded or not."""
    texts = [
        "src/io.py io.py\nreadfile ReadHTTP2Frame _mbstowcs zzqqxx größe",
        "a b\n",
        "one line",
        "src/io.py io.py\nclose",
        "",
    ]
    fresh, loaded = StaticEmbedder(SHIPPED, None), StaticEmbedder(SHIPPED, None)
    asked = loaded.embed(["where is the file read"], "query").row(0)
    rows = loaded.embed(texts, "document")
    question = struct.unpack(f"<{rows.dimension}f", asked)
    near = [cosine(question, row(rows, i)) for i in range(len(texts))]

    assert list(fresh.nearness(texts, asked)) == list(loaded.nearness(texts, asked))
    assert fresh.nearness(texts, asked) == pytest.approx(near, abs=1e-12)
    assert fresh.embed(texts, "document") == rows


def test_a_damaged_row_is_noticed_where_few_are_compared(tiny):
    """Nothing but the rows in use is checked then; they are."""
    asked = StaticEmbedder(tiny).embed(["read"], "query").row(0)
    flip_a_bit(tiny)

    with pytest.raises(ModelUnavailable, match="damaged"):
        StaticEmbedder(tiny).nearness(["a.py a.py\nread file http the"], asked)


def test_a_question_read_by_words_alone_imports_no_numpy():
    """The document side answers on its own where numpy is missing."""
    code = (
        "import sys\n"
        "from fiuto.embed.static import open_static\n"
        "embedder = open_static(questions=None)\n"
        "assert embedder.identity.dimension == len(embedder.embed(['a file'], 'query').data) / 4\n"
        "print(sorted({'numpy', 'torch'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
