"""Several processes prepare what one would, and nobody misses one that dies."""

import pytest

from fiuto.chunk.syntax import SyntaxChunker
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.indexing.crew import Crew
from fiuto.indexing.preparing import prepare
from fiuto.model import Found, Skipped
from fiuto.scan import FileScanner


@pytest.fixture
def parts(tmp_path):
    """A scanner of a tree with odd files too, a chunker, an embedder, and what there is to read."""
    for i in range(150):
        body = "".join(f"def f{i}_{j}(user):\n    return {j}\n\n" for j in range(i % 7))
        (tmp_path / f"part_{i:03}.py").write_text(body)
    (tmp_path / "binary.py").write_bytes(b"\x00\x01" * 50)
    (tmp_path / "größe.py").write_text("größe = 'Привет'\n")
    (tmp_path / "stray.py").write_bytes("naïve = 'é".encode() + b"\xe9'\n")
    scanner = FileScanner(tmp_path)
    files = [found for found in scanner.walk() if isinstance(found, Found)]
    return scanner, SyntaxChunker(), ScriptedEmbedder("first", 16), files


def without_time(outcome):
    """Everything but the clock."""
    if isinstance(outcome, Skipped):
        return outcome
    record = outcome.record
    told = (record.path, record.stamp, record.digest, record.language, record.label)
    return (*told, record.truncated, outcome.chars, outcome.chunks, outcome.vectors)


def test_a_crew_prepares_what_one_process_would(parts):
    """In the same order, with the same chunks, vectors and reasons."""
    scanner, chunker, embedder, files = parts
    alone = [prepare(found, scanner, chunker, embedder, lambda: 0) for found in files]
    with Crew(scanner, chunker, embedder, 2) as crew:
        together = list(crew.prepare(files))

    assert list(map(without_time, together)) == list(map(without_time, alone))
    assert [o.reason for o in together if isinstance(o, Skipped)] == ["binary", "encoding"]


def test_a_worker_that_dies_leaves_the_rest_to_the_caller(parts):
    """What came is right and in order; then it ends, without an error."""
    scanner, chunker, embedder, files = parts
    with Crew(scanner, chunker, embedder, 2) as crew:
        coming = crew.prepare(files)
        first = next(coming)
        for worker in crew._workers:
            worker.kill()
            worker.wait()
        rest = [first, *coming]

    assert 0 < len(rest) <= len(files)
    assert [getattr(o, "record", o).path for o in rest] == [f.path for f in files[: len(rest)]]


def test_what_cannot_be_sent_is_prepared_by_nobody(parts):
    """A chunker of the user's own that no other process can have."""
    scanner, _, embedder, files = parts

    class Own(SyntaxChunker):
        """Known here alone."""

    with Crew(scanner, Own(), embedder, 2) as crew:
        assert list(crew.prepare(files)) == []
