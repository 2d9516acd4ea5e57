"""Several processes prepare what one would, and nobody misses one that dies."""

import json
import os
import signal
import subprocess
import sys

import pytest

import fiuto.indexing.crew
from fiuto.chunk.syntax import SyntaxChunker
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.indexing.crew import Crew, pays
from fiuto.indexing.preparing import prepare, with_vectors
from fiuto.model import Found, Skipped, Stamp
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
    (tmp_path / "odd.py").write_text("(" * 6000)  # no syntax can be read
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


@pytest.mark.parametrize("embeds_alone", [True, False])
@pytest.mark.parametrize("processes", [2, 3])
def test_a_crew_prepares_what_one_process_would(parts, processes, embeds_alone):
    """In the same order, with the same chunks, vectors, reasons and texts without syntax."""
    scanner, chunker, embedder, files = parts
    cut = [prepare(found, scanner, chunker, lambda: 0) for found in files]
    alone = with_vectors(cut, embedder)
    fallbacks, chunker.fallbacks = chunker.fallbacks, 0
    with Crew((scanner, chunker, embedder), processes, embeds_alone=embeds_alone) as crew:
        together = list(crew.prepare(files))

    assert list(map(without_time, together)) == list(map(without_time, alone))
    assert [o.reason for o in together if isinstance(o, Skipped)] == ["binary", "encoding"]
    assert crew.fallbacks + chunker.fallbacks == fallbacks == 1


def test_a_worker_that_dies_leaves_the_rest_to_the_caller(parts):
    """What came is right and in order; then it ends, without an error."""
    scanner, chunker, embedder, files = parts
    with Crew((scanner, chunker, embedder), 3) as crew:
        coming = crew.prepare(files)
        first = next(coming)
        for worker in crew._workers:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
        rest = [first, *coming]

    assert 0 < len(rest) <= len(files)
    assert [getattr(o, "record", o).path for o in rest] == [f.path for f in files[: len(rest)]]


def test_a_caller_that_stops_early_leaves_no_process(parts):
    """As after a Ctrl-C: workers are gone, also those that had more to do."""
    scanner, chunker, embedder, files = parts
    with Crew((scanner, chunker, embedder), 3) as crew:
        next(crew.prepare(files))
        pids = [worker.pid for worker in crew._workers]

    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_no_more_waits_for_a_commit_than_there_is_room_for(parts, monkeypatch):
    """Workers stop when the caller does not take what they made, and go on when it does."""
    monkeypatch.setattr(fiuto.indexing.crew, "_WAITING", 2)
    monkeypatch.setattr(fiuto.indexing.crew, "_BATCH_FILES", 5)
    scanner, chunker, embedder, files = parts
    ahead = []
    with Crew((scanner, chunker, embedder), 3) as crew:
        together = []
        for done in crew.prepare(files):
            ahead.append(len(crew._work._results))
            together.append(done)

    assert len(together) == len(files)
    assert max(ahead) <= 2


def test_what_cannot_be_sent_is_prepared_by_nobody(parts, monkeypatch):
    """A chunker of the user's own that no other process can have."""
    monkeypatch.setattr("fiuto.indexing.workers.can_copy", lambda: False)
    scanner, _, embedder, files = parts

    class Own(SyntaxChunker):
        """Known here alone."""

    with Crew((scanner, Own(), embedder), 2) as crew:
        assert list(crew.prepare(files)) == []


@pytest.mark.parametrize(
    ("copies", "size", "cores", "worth"),
    [
        (True, 400_000, 2, True),
        (True, 200_000, 2, False),
        (True, 400_000, 1, False),
        (False, 400_000, 2, False),
        (False, 5_000_000, 2, True),
    ],
)
def test_a_crew_pays_from_a_size_on(monkeypatch, copies, size, cores, worth):
    """Copies of the process cost less than commands."""
    monkeypatch.setattr("fiuto.indexing.crew.can_copy", lambda: copies)

    assert pays([Found("a.py", Stamp(size, 0, 0, 0))], cores) is worth


_ALONE = """
import json, os, sys
from pathlib import Path
from fiuto.chunk.syntax import SyntaxChunker
from fiuto.indexing.crew import Crew
from fiuto.indexing.workers import can_copy
from fiuto.model import Found
from fiuto.scan import FileScanner

class Own(SyntaxChunker):
    "Known here alone: only a copy of this process has it."

lock = os.open(sys.argv[2], os.O_CREAT | os.O_RDWR)
scanner = FileScanner(Path(sys.argv[1]))
files = [found for found in scanner.walk() if isinstance(found, Found)]
copies = can_copy()
with Crew((scanner, Own(), None), 2) as crew:
    pid = crew._workers[0].pid
    made = list(crew.prepare(files))
    held = [os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd")]
print(json.dumps({"copies": copies, "pid": pid, "made": len(made), "held": held}))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is copied")
def test_a_process_with_one_thread_is_copied(parts, tmp_path):
    """The copy has what no command could have, holds no file of its parent, and ends with it."""
    lock = tmp_path.with_name("lock")
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(tmp_path), str(lock)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)

    assert (told["copies"], told["made"]) == (True, len(parts[3]))
    assert told["held"].count(os.devnull) == 3
    assert str(lock) not in told["held"]
    with pytest.raises(ProcessLookupError):
        os.kill(told["pid"], 0)
