"""The question side: MiniLM's vectors without MiniLM's runtime, and damage noticed."""

import json
import math
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from fiuto.embed.container import assemble
from fiuto.embed.question import QuestionSide
from fiuto.embed.question_file import Shape, open_questions, pack_questions
from fiuto.embed.static import QUESTIONS, StaticEmbedder, open_static
from fiuto.errors import ModelUnavailable

REFERENCE = json.loads(Path(__file__).with_name("minilm_vectors.json").read_text("utf-8"))
VECTORS = REFERENCE["vectors"]


@pytest.fixture(scope="module")
def side():
    """The shipped question side."""
    return QuestionSide(open_questions(QUESTIONS))


def cosine(one, other):
    """Of two rows of any length."""
    return float(np.dot(one, other) / np.linalg.norm(one) / np.linalg.norm(other))


@pytest.mark.parametrize("text", VECTORS)
def test_a_sentence_is_where_the_float_model_has_it(side, text):
    """int8 weights, numpy and our tokenizer keep the vector within a cosine of 0.995."""
    row, _ = side.sentence(text)

    assert cosine(row, VECTORS[text]) > 0.995


def test_a_sentence_is_where_sentence_transformers_has_it(side, minilm):
    """The same for a run of questions, against the library itself."""
    library = pytest.importorskip("sentence_transformers")
    texts = [line for line in Path(__file__).read_text("utf-8").split("\n") if "def " in line]
    theirs = library.SentenceTransformer(str(minilm), device="cpu").encode(texts)

    for text, expected in zip(texts, theirs, strict=True):
        assert cosine(side.sentence(text)[0], expected) > 0.995, text


def test_order_counts(side):
    """A sentence is read in context: the same words in another order are another question."""
    one, other = "the client closes the server", "the server closes the client"
    words = open_static(questions=None)

    assert cosine(side.sentence(one)[0], side.sentence(other)[0]) < 0.999
    assert words.embed([one], "query") == words.embed([other], "query")


def test_a_question_past_the_last_place_is_cut_and_says_so(side):
    """256 tokens are read; the flag tells of a longer question."""
    embedder = open_static()

    assert embedder.embed(["one " * 254, "one " * 255], "query").truncated == (False, True)
    assert np.array_equal(side.sentence("one " * 255)[0], side.sentence("one " * 300)[0])


def test_both_sides_meet(side):
    """A question lies nearer to the code it asks for than to other code."""
    embedder = open_static()
    asked = np.frombuffer(
        embedder.embed(["make sure a file is never left half-written"], "query").data, "<f4"
    )
    near, far = np.frombuffer(
        embedder.embed(
            [
                (
                    "utils.py\ndef atomic_open(filename):\n"
                    "    tmp, name = tempfile.mkstemp()\n    os.replace(name, filename)"
                ),
                (
                    "color.py\ndef to_rgb(hue, saturation, value):\n"
                    "    return tuple(round(c * 255) for c in convert(hue))"
                ),
            ],
            "document",
        ).data,
        "<f4",
    ).reshape(2, -1)

    assert cosine(asked, near) > cosine(asked, far) + 0.1


def test_threads_may_ask_at_once(side):
    """One embedder answers from several threads, each as if it were alone."""
    embedder = open_static()
    texts = list(VECTORS)[:4]
    alone = [embedder.embed([text], "query").data for text in texts]
    found = {}

    def ask(i):
        found[i] = embedder.embed([texts[i]], "query").data

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [found[i] for i in range(len(texts))] == alone


def test_without_numpy_the_words_answer(tmp_path):
    """Where numpy cannot be imported a question is the sum of its words; the identity stays."""
    code = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from fiuto.embed.static import open_static\n"
        "embedder, words = open_static(), open_static(questions=None)\n"
        "text = 'where is the file read'\n"
        "assert embedder.embed([text], 'query') == words.embed([text], 'query')\n"
        "print(embedder.identity.revision)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == open_static().identity.revision


def test_the_identity_holds_both_files(tmp_path, tiny):
    """Another question side is another model, and so is none."""
    one, other = tmp_path / "one.questions", tmp_path / "other.questions"
    one.write_bytes(small())
    other.write_bytes(small(share=0.5))
    revisions = {StaticEmbedder(tiny, path).identity.revision for path in (one, other, None)}

    assert len(revisions) == 3


def test_the_words_have_their_share(tmp_path, tiny):
    """A question is the sentence plus a share of its words, at length 1."""
    path = tmp_path / "small.questions"
    path.write_bytes(small(share=0.5))
    asked = StaticEmbedder(tiny, path).embed(["http file"], "query")
    words = StaticEmbedder(tiny).embed(["http file"], "query")
    sentence, _ = QuestionSide(open_questions(path)).sentence("http file")

    expected = sentence + 0.5 * np.frombuffer(words.data, "<f4")
    expected /= np.linalg.norm(expected)
    assert struct.unpack("<4f", asked.data) == pytest.approx(expected.tolist(), abs=1e-6)


def test_a_question_side_of_another_dimension_is_refused(tmp_path, tiny):
    """Two files that do not belong together give an error, not vectors."""
    path = tmp_path / "wide.questions"
    path.write_bytes(small(width=6))

    with pytest.raises(ModelUnavailable, match=r"wide\.questions is damaged \(6 dimensions\)"):
        StaticEmbedder(tiny, path).embed(["file"], "query")


def test_no_flipped_bit_in_a_question_side_goes_unnoticed(tmp_path):
    """Whatever byte is damaged, a question that uses it is refused."""
    data = small()
    path = tmp_path / "small.questions"
    text = "file http read unknown"
    for at in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        path.unlink(missing_ok=True)  # a mapped file must not change under its readers
        path.write_bytes(damaged)

        with pytest.raises(ModelUnavailable):
            QuestionSide(open_questions(path)).sentence(text)


def test_sections_that_do_not_fit_the_shape_are_refused(tmp_path):
    """A file whose sections are whole but too short for its shape is damaged."""
    file = open_questions(_written(tmp_path / "small.questions", small()))
    sections = {name: bytes(data) for name, data in file.container.sections.items()}
    sections["layers"] = sections["layers"][:-1]
    path = _written(tmp_path / "short.questions", assemble(sections, len(PIECES), 4))

    with pytest.raises(ModelUnavailable, match=r"short\.questions is damaged \(sections\)"):
        open_questions(path)


def test_a_piece_with_a_line_end_is_not_written():
    """The vocabulary is kept line by line."""
    with pytest.raises(ValueError, match="line end"):
        pack_questions(SHAPE, ["a\nb"], {"words": bytes(4)})


PIECES = ("[CLS]", "[SEP]", "[UNK]", "file", "http", "read")
SHAPE = Shape(width=4, layers=2, heads=2, inner=12, places=16, words_share=0.0)


def small(share=0.0, width=4):
    """A question side of two layers with weights drawn at random."""
    rng = np.random.default_rng(1)
    shape = Shape(width, 2, 2, 12, 16, share)
    per_layer = sum(rows * columns for rows, columns in shape.matrices)

    def floats(count):
        return rng.normal(size=count).astype("<f4").tobytes()

    sections = {
        "words": rng.integers(-127, 128, len(PIECES) * width, np.int8).tobytes(),
        "wscales": np.full(len(PIECES), 0.01, "<f4").tobytes(),
        "places": floats(16 * width),
        "layers": rng.integers(-127, 128, 2 * per_layer, np.int8).tobytes(),
        "lscales": np.full(2 * shape.rows, 0.01, "<f4").tobytes(),
        "plain": floats(2 * width + 2 * (shape.rows + 4 * width)),
    }
    return pack_questions(shape, PIECES, sections)


def _written(path, data):
    path.write_bytes(data)
    return path


def test_a_sentence_is_what_the_layers_say(tmp_path):
    """The small model, computed again step by step in float64."""
    file = open_questions(_written(tmp_path / "small.questions", small()))
    sections = file.container.sections
    state = np.frombuffer(sections["words"], np.int8).reshape(-1, 4)[[0, 4, 3, 1]] * 0.01
    state = state + np.frombuffer(sections["places"], "<f4").reshape(-1, 4)[:4]
    plain = np.frombuffer(sections["plain"], "<f4").astype(float)
    layers = np.frombuffer(sections["layers"], np.int8) * 0.01
    taken = iter(np.split(plain, np.cumsum([4, 4, *[12, 4, 4, 4, 12, 4, 4, 4] * 2])[:-1]))
    cuts = np.cumsum([rows * columns for _ in range(2) for rows, columns in SHAPE.matrices])
    matrices = iter(np.split(layers, cuts[:-1]))

    def normal(rows):
        rows = rows - rows.mean(1, keepdims=True)
        return rows / rows.std(1, keepdims=True) * next(taken) + next(taken)

    state = normal(state)
    for _ in range(2):
        mixed = state @ next(matrices).reshape(12, 4).T + next(taken)
        heads = []
        for head in range(2):
            query, key, value = (mixed[:, 4 * i + 2 * head :][:, :2] for i in range(3))
            powers = np.exp(query @ key.T / math.sqrt(2))
            heads.append(powers / powers.sum(1, keepdims=True) @ value)
        state = normal(state + np.hstack(heads) @ next(matrices).reshape(4, 4).T + next(taken))
        inner = state @ next(matrices).reshape(12, 4).T + next(taken)
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        state = normal(state + inner @ next(matrices).reshape(4, 12).T + next(taken))
    expected = state.mean(0) / np.linalg.norm(state.mean(0))

    row, truncated = QuestionSide(file).sentence("http file")
    assert not truncated
    assert row == pytest.approx(expected, abs=2e-3)
