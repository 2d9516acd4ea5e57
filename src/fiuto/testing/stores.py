"""
The contract of a store, as functions that a test calls with a fresh one.

Each check takes a function that makes an empty store and raises AssertionError
with what was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fiuto.errors import IndexMissing
from fiuto.model import (
    Batch,
    FileRecord,
    IndexedChunk,
    IndexedFile,
    Skipped,
    Stamp,
    TermQuery,
    Where,
)
from fiuto.protocols import Store
from fiuto.terms import terms
from fiuto.testing.values import file_of, manifest, unit_vector

__all__ = ["CHECKS"]


_ANY = Where()


def _filled(make: Callable[[], Store], *files: IndexedFile) -> Store:
    store = make()
    with store.write(1) as writer:
        writer.reset(manifest())
        writer.apply(Batch(files=files))
    return store


def _ask(text: str) -> TermQuery:
    return TermQuery(tuple(terms(text)))


def _paths(store: Store, text: str, where: Where = _ANY, limit: int = 10) -> list[str]:
    reader = store.read()
    found = reader.match_terms(_ask(text), where, limit)
    chunks = reader.chunks([scored.id for scored in found])
    return [chunks[scored.id].path for scored in found]


def check_empty_store_is_missing(make: Callable[[], Store]) -> None:
    """Reading what was never written says so."""
    store = make()
    try:
        store.read()
    except IndexMissing:
        return
    raise AssertionError("an empty store was readable")


def check_round_trip(make: Callable[[], Store]) -> None:
    """What goes in comes out: records, chunks, skipped files, counts."""
    file = file_of("src/a.py", "alpha beta", "gamma delta")
    store = make()
    with store.write(1) as writer:
        writer.reset(manifest())
        skipped = (
            Skipped("b.png", "image"),
            Skipped("c", "binary", "NUL", Stamp(1, 2, 3, 2**64 - 1)),
        )
        generation = writer.apply(Batch(files=(file,), skipped=skipped))
    reader = store.read()
    assert dict(reader.files()) == {"src/a.py": file.record}
    assert tuple(reader.skipped()) == skipped
    assert [s.chunk for s in reader.chunks_of("src/a.py")] == [c.chunk for c in file.chunks]
    assert reader.chunks_of("nowhere") == []
    assert (reader.manifest.generation, reader.manifest.complete) == (generation, True)
    counts = reader.counts()
    assert (counts.files, counts.chunks, counts.bytes) == (1, 2, file.record.stamp.size)
    assert counts.skipped == {"binary": 1, "image": 1}


def check_terms_find_chunks(make: Callable[[], Store]) -> None:
    """A rarer word and a shorter chunk rank higher; unknown words find nothing."""
    store = _filled(
        make,
        file_of("a.py", "cooldown for users", "users and more users of many kinds in a long text"),
        file_of("b.py", "users users", "nothing of the sort"),
    )
    assert _paths(store, "cooldown users")[0] == "a.py"
    assert sorted(_paths(store, "cooldown users")) == ["a.py", "a.py", "b.py"]
    assert _paths(store, "zebra") == []
    assert _paths(store, "") == []


def check_fields_count(make: Callable[[], Store]) -> None:
    """Symbol and path are searched exactly when they have a weight."""
    store = _filled(make, file_of("net/proxy.py", "alpha"), file_of("b.py", "beta"))
    reader = store.read()
    words = tuple(terms("proxy sym1"))
    assert not reader.match_terms(TermQuery(words), Where(), 10)
    assert len(reader.match_terms(TermQuery(words, path=1.0), Where(), 10)) == 1
    assert len(reader.match_terms(TermQuery(words, symbol=1.0), Where(), 10)) == 2


def check_file_unit(make: Callable[[], Store]) -> None:
    """The file unit ranks whole files and names their first chunks."""
    store = _filled(
        make, file_of("a.py", "one", "cooldown", "cooldown too"), file_of("b.py", "cooldown")
    )
    reader = store.read()
    query = TermQuery(tuple(terms("cooldown")), unit="file")
    found = reader.match_terms(query, Where(), 10)
    chunks = reader.chunks([scored.id for scored in found])
    assert sorted((c.path, c.chunk.start) for c in chunks.values()) == [("a.py", 1), ("b.py", 1)]


def check_vectors_find_chunks(make: Callable[[], Store]) -> None:
    """The nearest vector comes first, with its cosine; the list is sorted."""
    files = tuple(file_of(f"f{i}.py", *(f"text {i} {j}" for j in range(20))) for i in range(10))
    store = _filled(make, *files)
    reader = store.read()
    for path, text in (("f3.py", "text 3 7"), ("f9.py", "text 9 19")):
        found = reader.match_vector(unit_vector(f"{path}\n{text}"), Where(), 150)
        best = reader.chunks([found[0].id])[found[0].id]
        assert (best.path, best.chunk.text) == (path, text)
        assert abs(found[0].score - 1.0) < 1e-3
        assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
        assert len({s.id for s in found}) == 150


def check_filters_are_exact(make: Callable[[], Store]) -> None:
    """Kinds intersect, values unite, and a filter that matches nothing gives nothing."""
    store = _filled(
        make,
        file_of("src/a.py", "users"),
        file_of("src2/b.py", "users"),
        file_of("x/src/c.go", "users", language="go"),
        file_of("src/d.go", "users", language="go", label="test"),
    )
    cases: Sequence[tuple[Where, list[str]]] = (
        (Where(), ["src/a.py", "src/d.go", "src2/b.py", "x/src/c.go"]),
        (Where(paths=("src/*",)), ["src/a.py", "src/d.go"]),
        (Where(paths=("src/**",), languages=("go",)), ["src/d.go"]),
        (Where(paths=("src/a.py", "x/**")), ["src/a.py", "x/src/c.go"]),
        (Where(only=("test",)), ["src/d.go"]),
        (Where(no=("test",)), ["src/a.py", "src2/b.py", "x/src/c.go"]),
        (Where(only=("test",), no=("test",)), []),
        (Where(languages=("zig",)), []),
        (Where(paths=("nowhere/**",)), []),
    )
    reader = store.read()
    for where, wanted in cases:
        assert sorted(_paths(store, "users", where)) == wanted, where
        near = reader.match_vector(unit_vector("any"), where, 10)
        assert sorted(reader.chunks([s.id])[s.id].path for s in near) == wanted, where


def check_narrow_filter_looks_far(make: Callable[[], Store]) -> None:
    """A filter sees past the best of the whole index."""
    many = tuple(file_of(f"many/{i}.py", "users users users") for i in range(60))
    store = _filled(make, *many, file_of("one/z.py", "a long text in which users come up once"))
    assert _paths(store, "users", Where(paths=("one",)), limit=2) == ["one/z.py"]
    near = store.read().match_vector(unit_vector("q"), Where(paths=("one",)), 1)
    assert len(near) == 1


def check_replace_and_drop(make: Callable[[], Store]) -> None:
    """A file put in again replaces itself; a dropped one is gone from every list."""
    store = _filled(make, file_of("a.py", "alpha", "omega"), file_of("b.py", "beta"))
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("a.py", "gamma", "omega"),), dropped=("b.py",)))
    assert _paths(store, "alpha") == []
    assert _paths(store, "beta") == []
    assert _paths(store, "gamma omega") == ["a.py", "a.py"]
    reader = store.read()
    assert list(reader.files()) == ["a.py"]
    near = reader.match_vector(unit_vector("b.py\nbeta"), Where(), 10)
    assert len(near) == 2
    assert reader.counts().chunks == 2


def check_unchanged_chunk_keeps_its_id(make: Callable[[], Store]) -> None:
    """Moving a chunk down keeps its identity, and its vector, under new line numbers."""
    store = _filled(make, file_of("a.py", "alpha", "beta"))
    before = {s.chunk.text: s.id for s in store.read().chunks_of("a.py")}
    moved = file_of("a.py", "alpha", "beta")
    shifted = IndexedFile(
        moved.record,
        tuple(
            IndexedChunk(replace(c.chunk, start=c.chunk.start + 5, end=c.chunk.end + 5), c.vector)
            for c in moved.chunks
        ),
    )
    with store.write(1) as writer:
        writer.apply(Batch(files=(shifted,)))
    after = store.read().chunks_of("a.py")
    assert {s.chunk.text: s.chunk.start for s in after} == {"alpha": 6, "beta": 7}
    near = store.read().match_vector(unit_vector("a.py\nbeta"), Where(), 5)
    assert len(near) == 2
    assert before.keys() == {s.chunk.text for s in after}


def check_readers_keep_their_generation(make: Callable[[], Store]) -> None:
    """A reader sees the same generation however much is written meanwhile."""
    store = _filled(make, file_of("a.py", "alpha"))
    reader = store.read()
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("b.py", "alpha"),)))
    assert list(reader.files()) == ["a.py"]
    assert len(reader.match_terms(_ask("alpha"), Where(), 10)) == 1
    assert len(reader.match_vector(unit_vector("q"), Where(), 10)) == 1
    assert len(store.read().match_terms(_ask("alpha"), Where(), 10)) == 2


def check_generations_count_visible_changes(make: Callable[[], Store]) -> None:
    """Every visible change is a new generation; a fresh stamp is none."""
    store = _filled(make, file_of("a.py", "alpha"))
    first = store.read().manifest.generation
    record = store.read().files()["a.py"]
    touched = FileRecord(
        record.path, Stamp(5, 6, 7, 8), record.digest, record.language, record.label, 99
    )
    with store.write(1) as writer:
        assert writer.apply(Batch(touched=(touched,))) == first
        assert writer.apply(Batch(dropped=("a.py",))) == first + 1
    assert store.read().manifest.generation == first + 1


def check_files_without_vectors(make: Callable[[], Store]) -> None:
    """Chunks without a vector are found by words only, until they get one."""
    store = _filled(make, file_of("a.py", "alpha", vectors=False), file_of("b.py", "beta"))
    assert _paths(store, "alpha") == ["a.py"]
    assert len(store.read().match_vector(unit_vector("q"), Where(), 10)) == 1
    assert store.read().counts().unembedded == 1
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("a.py", "alpha"),)))
    assert len(store.read().match_vector(unit_vector("q"), Where(), 10)) == 2
    assert store.read().counts().unembedded == 0


def check_many_batches(make: Callable[[], Store]) -> None:
    """Many small commits end where one big one does."""
    store = _filled(make, file_of("f0.py", "word0 common"))
    with store.write(1) as writer:
        for i in range(1, 25):
            writer.apply(Batch(files=(file_of(f"f{i}.py", f"word{i} common"),), complete=i == 24))
            writer.apply(Batch(files=(file_of("f0.py", f"word{i} common"),), complete=i == 24))
    reader = store.read()
    assert reader.counts().chunks == 25
    assert len(reader.match_terms(_ask("common"), Where(), 100)) == 25
    assert len(reader.match_vector(unit_vector("q"), Where(), 100)) == 25
    assert reader.manifest.complete


def check_reset_forgets(make: Callable[[], Store]) -> None:
    """Starting over leaves nothing of what was there."""
    store = _filled(make, file_of("a.py", "alpha"))
    with store.write(1) as writer:
        writer.reset(manifest(chunker="syntax/1"))
        writer.apply(Batch(files=(file_of("b.py", "beta"),)))
    assert store.read().manifest.chunker == "syntax/1"
    assert _paths(store, "alpha") == []
    assert _paths(store, "beta") == ["b.py"]
    assert len(store.read().match_vector(unit_vector("q"), Where(), 10)) == 1


def check_odd_text(make: Callable[[], Store]) -> None:
    """Any text and any path survive: quotes, emoji, NUL, other alphabets, a long line."""
    odd = ["\"'`;--\\", "größe 求职者登录 Привет", "a\x00b", "🦊 emoji", "x" * 100_000, "tab\there"]
    store = _filled(make, file_of("dir with blank/ü'\"%_*.py", *odd))
    assert [s.chunk.text for s in store.read().chunks_of("dir with blank/ü'\"%_*.py")] == odd
    for question in ("größe", "求职者", "привет"):
        assert len(_paths(store, question)) == 1, question


CHECKS: tuple[Callable[[Callable[[], Store]], None], ...] = (
    check_empty_store_is_missing,
    check_round_trip,
    check_terms_find_chunks,
    check_fields_count,
    check_file_unit,
    check_vectors_find_chunks,
    check_filters_are_exact,
    check_narrow_filter_looks_far,
    check_replace_and_drop,
    check_unchanged_chunk_keeps_its_id,
    check_readers_keep_their_generation,
    check_generations_count_visible_changes,
    check_files_without_vectors,
    check_many_batches,
    check_reset_forgets,
    check_odd_text,
)
"""Every check, for a test to be parametrised with."""
