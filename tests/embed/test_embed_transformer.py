"""The sentence-transformers adapter, on the real weights of all-MiniLM-L6-v2."""

import math
import shutil
import struct
import subprocess
import sys
import threading

import pytest

from fiuto.embed.transformer import (
    TransformerEmbedder,
    open_bge_m3,
    open_bge_small,
    open_transformer,
)
from fiuto.errors import ModelUnavailable
from fiuto.testing.embedders import check_embedder


@pytest.fixture(scope="module")
def embedder(minilm):
    """MiniLM on the CPU, loaded once."""
    return open_transformer(str(minilm), device="cpu")


def row(vectors, i=0):
    """The values of a row."""
    return struct.unpack(f"<{vectors.dimension}f", vectors.row(i))


def cosine(one, other):
    """Of two unit rows."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def as_hub_model(minilm, cache, hub):
    """The model's files as a download of ``hub`` would leave them."""
    home = cache / f"models--{hub.replace('/', '--')}"
    commit = "c" * 40
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(commit)
    (home / "snapshots").mkdir()
    (home / "snapshots" / commit).symlink_to(minilm)
    return cache


def test_it_keeps_the_contract(embedder):
    """Every check for embedders holds, 100 KB texts and lone surrogates included."""
    check_embedder(embedder)


def test_meaning_decides(embedder):
    """The answer in other words lies nearer than another subject."""
    asked = row(embedder.embed(["erase a folder"], "query"))
    stored = embedder.embed(["delete this directory", "parse a date"], "document")

    assert cosine(asked, row(stored, 0)) > cosine(asked, row(stored, 1)) + 0.2


def test_truncated_texts_are_counted_by_tokens(embedder):
    """256 tokens fit, two of them the model's own; one word more does not."""
    texts = ["word " * 254, "word " * 255, "short", ""]

    assert embedder.embed(texts, "document").truncated == (False, True, False, False)
    cut = embedder.embed(["word " * 254, "word " * 254 + "zebra " * 50], "document")
    assert math.dist(row(cut, 0), row(cut, 1)) < 1e-3


def test_a_folders_identity_is_its_weights(minilm, embedder, tmp_path):
    """Moved, it is the same model; with other weights another one."""
    identity = embedder.identity
    assert (identity.name, identity.dimension) == ("all-MiniLM-L6-v2", 384)
    assert identity.recipe == "mean pooling, 256 tokens, query '', document ''"

    moved = tmp_path / "all-MiniLM-L6-v2"
    shutil.copytree(minilm, moved)
    assert open_transformer(str(moved)).identity == identity
    with (moved / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, 2)
        stream.write(b"\x01")
    assert open_transformer(str(moved)).identity != identity


def test_a_known_model_is_read_from_the_cache(minilm, tmp_path):
    """A downloaded model has the commit as revision and the settings of the catalog."""
    cache = as_hub_model(minilm, tmp_path, "BAAI/bge-small-en-v1.5")
    identity = open_transformer("bge-small-en-v1.5", cache=cache).identity

    assert identity.name == "bge-small-en-v1.5"
    assert identity.revision == "c" * 40
    assert "512 tokens, query 'Represent this sentence" in identity.recipe
    assert open_transformer("BAAI/bge-small-en-v1.5", cache=cache).identity == identity


def test_the_query_prefix_is_for_questions_only(minilm, tmp_path):
    """With a prefix a question's row differs from the chunk's, by just that text."""
    cache = as_hub_model(minilm, tmp_path, "BAAI/bge-small-en-v1.5")
    prefixed = open_transformer("bge-small-en-v1.5", cache=cache, device="cpu")
    asked = prefixed.embed(["read a file"], "query")
    stored = prefixed.embed(
        ["Represent this sentence for searching relevant passages: read a file"], "document"
    )
    assert math.dist(row(asked), row(stored)) < 1e-3
    assert math.dist(row(asked), row(prefixed.embed(["read a file"], "document"))) > 0.1


def test_several_threads_get_their_own_rows(embedder):
    """Tokenizers cannot be used by two threads at once; the adapter takes care."""
    texts = [f"text number {i} " * (i + 1) for i in range(6)]
    expected = [row(embedder.embed([text], "document")) for text in texts]
    got = {}
    threads = [
        threading.Thread(
            target=lambda i=i: got.__setitem__(i, row(embedder.embed([texts[i]], "document")))
        )
        for i in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(math.dist(got[i], expected[i]) < 1e-3 for i in range(6))


def test_loading_prints_nothing(minilm, capfd):
    """No progress bar of the library reaches the terminal or a protocol on stdout."""
    open_transformer(str(minilm), device="cpu").embed(["a"], "query")

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (open_bge_m3(), r"'bge-m3' \(BAAI/bge-m3, 2,293 MB\).*run fiuto models pull bge-m3"),
        (open_bge_small(), r"\(BAAI/bge-small-en-v1.5, 134 MB\)"),
        (open_transformer("owner/unknown"), r"fiuto models pull owner/unknown"),
        (open_transformer("no-such"), r"\(sentence-transformers/no-such\) is not on disk"),
    ],
)
def test_a_model_that_is_not_there_is_never_downloaded(minilm, tmp_path, made, says):
    """The error names the model, its size where known, and the command that gets it."""
    absent = TransformerEmbedder(made._name, tmp_path)

    with pytest.raises(ModelUnavailable, match=says) as caught:
        _ = absent.identity
    assert "\n" not in str(caught.value)
    with pytest.raises(ModelUnavailable):
        absent.embed(["a"], "query")


def test_damaged_weights_are_one_line(minilm, tmp_path):
    """A broken file is an error with its folder, not a trace of the library."""
    broken = tmp_path / "broken"
    shutil.copytree(minilm, broken)
    with (broken / "model.safetensors").open("r+b") as stream:
        stream.truncate(1_000)

    with pytest.raises(ModelUnavailable, match=r"broken.*cannot be loaded") as caught:
        open_transformer(str(broken)).embed(["a"], "query")
    assert "\n" not in str(caught.value)


def test_without_the_extra_the_error_names_it(monkeypatch):
    """Where the runtime is not installed, the error says how to install it."""
    monkeypatch.setattr("fiuto.embed.transformer.find_spec", lambda _: None)

    with pytest.raises(ModelUnavailable, match=r"pip install 'fiuto\[transformers\]'"):
        _ = open_bge_m3().identity


def test_identity_imports_no_runtime(minilm):
    """The identity is read from files: torch would take seconds."""
    code = (
        "import sys\n"
        "from fiuto.embed.transformer import open_transformer\n"
        f"print(open_transformer({str(minilm)!r}).identity.dimension)\n"
        "print(sorted({'torch', 'transformers', 'numpy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split("\n")[:2] == ["384", "[]"]
