"""The best of the pool are read again: what is asked, what is kept, what the time allows."""

from dataclasses import replace

import pytest

from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.errors import ModelUnavailable, PluginFailed
from fiuto.model import Chunk, StoredChunk, Vectors
from fiuto.search.deep import CANDIDATES, Deep, candidates, deepen
from fiuto.search.remembered import Remembered
from fiuto.search.windows import windows_of

QUESTION = "who puts a user on cooldown"


class KeptVectors(dict):
    """A vector store in memory."""

    def get(self, identity, keys):
        return {key: self[identity, key] for key in keys if (identity, key) in self}

    def put(self, identity, rows):
        self.update({(identity, key): row for key, row in rows.items()})


class Clock:
    """Time that passes only while something is embedded."""

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


class Slow(ScriptedEmbedder):
    """Takes so many seconds a text of a document."""

    def __init__(self, clock, each, **options):
        super().__init__("slow", **options)
        self._clock, self._each = clock, each

    def embed(self, texts, role):
        if role == "document":
            self._clock.time += self._each * len(texts)
        return super().embed(texts, role)


def stored(id_, text, path=None):
    """A chunk of the pool."""
    path = path or f"src/f{id_}.py"
    return StoredChunk(id_, path, Chunk(1, 9, text, "", "function"), "python", "source", "d")


@pytest.fixture
def cache():
    """Shared by every call of a test."""
    return KeptVectors()


def deep_of(embedder, cache, budget=3.0, now=None):
    """The tier with a clock that stands unless one is given."""
    return Deep(Remembered(embedder, cache), cache, budget, lambda *_: None, now or (lambda: 0.0))


def pointing(chunks, angles):
    """An embedder in which the question looks along the first axis, and chunks off it."""
    rows = {QUESTION: (1.0, 0.0)}
    for chunk, angle in zip(chunks, angles, strict=True):
        (window,) = windows_of(chunk.path, chunk.chunk)
        rows[window] = (angle, (1 - angle**2) ** 0.5)
    return ScriptedEmbedder("pointing", 2, vectors=rows)


def test_candidates_take_turns():
    """The best of both lists, each once, and never more than the tier reads."""
    assert candidates([1, 2, 3], [3, 1, 4]) == [1, 3, 2, 4]
    assert candidates([7, 8], []) == [7, 8]
    many = candidates(range(1000), range(1000, 2000))
    assert len(many) == CANDIDATES
    assert many[:4] == [0, 1000, 1, 1001]


def test_ranks_are_by_the_sum_of_both_cosines(cache):
    """What the index's own model thinks counts as much as the reader's."""
    chunks = [stored(1, "a"), stored(2, "b"), stored(3, "c")]
    embedder = pointing(chunks, [0.1, 0.9, 0.5])
    read = deepen(QUESTION, chunks, {1: 0.3, 2: 0.3, 3: 0.3}, deep_of(embedder, cache))
    assert read.ranks == {2: 1, 3: 2, 1: 3}
    # 0.1 + 0.95 > 0.5 + 0.5 > 0.9 + 0.05
    other = deepen(QUESTION, chunks, {1: 0.95, 2: 0.05, 3: 0.5}, deep_of(embedder, cache))
    assert other.ranks == {1: 1, 3: 2, 2: 3}


def test_a_chunk_outside_the_semantic_list_counts_as_its_last(cache):
    """It was farther than all of them: here 0.8 + 0.2 against 0.7 + 0.4."""
    chunks = [stored(1, "a"), stored(2, "b"), stored(3, "c")]
    embedder = pointing(chunks, [0.8, 0.7, 0.1])
    read = deepen(QUESTION, chunks, {2: 0.4, 3: 0.2}, deep_of(embedder, cache))
    assert read.ranks == {2: 1, 1: 2, 3: 3}


def test_the_nearest_window_counts(cache):
    """A chunk is found by its second window too."""
    long = "\n".join(["x" * 399, "user cooldown"])
    first, second = windows_of("src/f1.py", stored(1, long).chunk)
    (other,) = windows_of("src/f2.py", stored(2, "y").chunk)
    rows = {QUESTION: (1, 0), first: (0, 1), second: (1, 0), other: (0.5, 0.5)}
    embedder = ScriptedEmbedder("pointing", 2, vectors=rows)
    chunks = [stored(2, "y"), stored(1, long)]
    assert deepen(QUESTION, chunks, {}, deep_of(embedder, cache)).ranks == {1: 1, 2: 2}


def test_the_same_question_again_reads_nothing(cache):
    """Neither the question nor the code, even by an embedder just made."""
    chunks = [stored(i, f"def user_{i}(): cooldown()") for i in range(1, 6)]
    first = deepen(QUESTION, chunks, {}, deep_of(ScriptedEmbedder(), cache))
    again = ScriptedEmbedder()
    assert deepen(QUESTION, chunks, {}, deep_of(again, cache)) == first
    assert (again.asked, again.embedded) == ([], [])


def test_another_question_about_the_same_code_reads_the_question_alone(cache):
    """Windows do not depend on what is asked."""
    chunks = [stored(i, f"def user_{i}(): cooldown()") for i in range(1, 6)]
    embedder = ScriptedEmbedder()
    deepen(QUESTION, chunks, {}, deep_of(embedder, cache))
    embedder.embedded.clear()
    deepen("where are users blocked", chunks, {}, deep_of(embedder, cache))
    assert embedder.asked == [QUESTION, "where are users blocked"]
    assert embedder.embedded == []


def test_vectors_of_another_model_are_not_taken(cache):
    """The store is asked by the embedder's identity, apart from whole chunks."""
    chunks = [stored(1, "a"), stored(2, "b")]
    deepen(QUESTION, chunks, {}, deep_of(ScriptedEmbedder("one"), cache))
    other = ScriptedEmbedder("two")
    deepen(QUESTION, chunks, {}, deep_of(other, cache))
    assert len(other.embedded) == 2
    recipes = {identity.recipe for identity, _ in cache}
    assert recipes == {"; windows-1", "; query"}
    assert ScriptedEmbedder("one").identity not in {identity for identity, _ in cache}


def test_time_ends_between_calls_and_the_most_promising_were_read(cache):
    """At a second a text and three seconds, the first chunks are in the list; the rest is told."""
    clock = Clock()
    chunks = [stored(i, f"text {i}") for i in range(1, 11)]
    read = deepen(QUESTION, chunks, {}, deep_of(Slow(clock, 1.0), cache, 3.0, clock))
    assert set(read.ranks) == {1, 2, 3}
    assert clock() == 103.0
    (warning,) = read.warnings
    assert warning == (
        "the deep tier read 3 of 10 chunks in 3 s; ask again to read on, or give it more "
        "with --deep-budget"
    )


def test_what_was_read_in_part_counts_in_part(cache):
    """Three of ten chunks read: the list weighs three tenths of what it would."""
    clock = Clock()
    chunks = [stored(i, f"text {i}") for i in range(1, 11)]
    part = deepen(QUESTION, chunks, {}, deep_of(Slow(clock, 1.0), cache, 3.0, clock))
    whole = deepen(QUESTION, chunks, {}, deep_of(Slow(clock, 0.0), cache, 3.0, clock))
    assert part.weight == pytest.approx(0.3 * whole.weight)
    assert len(whole.ranks) == 10
    assert whole.warnings == ()


def test_asking_again_reads_on(cache):
    """However slow the model, every question gets further."""
    clock = Clock()
    chunks = [stored(i, f"text {i}") for i in range(1, 8)]
    read = [
        len(deepen(QUESTION, chunks, {}, deep_of(Slow(clock, 60.0), cache, 3.0, clock)).ranks)
        for _ in range(4)
    ]
    assert read == [2, 4, 6, 7]


def test_first_windows_come_first(cache):
    """All chunks are read at their start before any is read on."""
    clock = Clock()
    long = "\n".join(str(n) + "z" * 399 for n in range(3))
    chunks = [stored(1, long), stored(2, long), stored(3, "short")]
    embedder = Slow(clock, 0.01)
    deepen(QUESTION, chunks, {}, deep_of(embedder, cache, 3.0, clock))
    firsts = {windows_of(chunk.path, chunk.chunk)[0] for chunk in chunks}
    assert set(embedder.embedded[:3]) == firsts
    assert len(embedder.embedded) == 5


def test_a_bare_name_is_not_read(cache):
    """Names are found by name; a model of sentences would only move the definition down."""
    embedder = ScriptedEmbedder()
    read = deepen("raise_for_status", [stored(1, "a")], {}, deep_of(embedder, cache))
    assert (read.ranks, read.warnings, embedder.embedded) == ({}, (), [])


def test_a_model_that_fails_is_one_warning(cache):
    """The answer is what it is without."""

    class Gone(ScriptedEmbedder):
        def embed(self, texts, role):
            raise ModelUnavailable("the file is damaged; install it again")

    read = deepen(QUESTION, [stored(1, "a")], {}, deep_of(Gone(), cache))
    assert read.ranks == {}
    assert read.warnings == ("not read deeply: the file is damaged; install it again",)


def test_a_model_of_another_width_is_refused(cache):
    """Rows that cannot be compared are the embedder's fault, by name."""

    class Wrong(ScriptedEmbedder):
        def embed(self, texts, role):
            vectors = super().embed(texts, role)
            return Vectors(vectors.data[: len(vectors.data) // 2], 16, vectors.truncated)

    with pytest.raises(PluginFailed, match="embedder wide gave 1 vectors of 16"):
        deepen(QUESTION, [stored(1, "a")], {}, deep_of(Wrong("wide", 32), cache))


def test_equal_texts_are_read_once(cache):
    """Two chunks with one path and text share a vector and tie in the order given."""
    embedder = ScriptedEmbedder()
    same = [stored(4, "a", "x.py"), replace(stored(2, "a", "x.py"), digest="other")]
    assert deepen(QUESTION, same, {}, deep_of(embedder, cache)).ranks == {4: 1, 2: 2}
    assert len(embedder.embedded) == 1
