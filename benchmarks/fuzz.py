"""
Throws odd files at decoding, chunking and the store for as long as it is told to.

``python -m benchmarks.fuzz --seconds 600 --seed 1 --corpus FOLDER…`` takes files of the
corpus, cuts, repeats, splices, re-encodes and mutates them, and makes others from nothing.
For each one:

- decoding gives a text without U+FFFD of its own, or a reason, and never raises;
- every non-blank character lies in a chunk, chunks keep within their lines and the cap,
  and the same text gives the same chunks;
- a batch of them goes into an index and comes out as it went in, and is found again;
- no single file takes longer than ``--patience`` seconds.

What fails is written to ``--keep`` with its seed, so that it can be made again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fiuto.chunk.packing import TARGET, limits
from fiuto.chunk.sheet import MAX_SLICES
from fiuto.chunk.syntax import SyntaxChunker
from fiuto.languages import LANGUAGES
from fiuto.model import Batch, Chunk, FileRecord, IndexedChunk, IndexedFile, Stamp, TermQuery, Where
from fiuto.scan.decode import Decoded, decode
from fiuto.scan.secrets import secret_text
from fiuto.store.local import LocalStore
from fiuto.terms import terms
from fiuto.testing.values import manifest, unit_vector

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252", "gbk", "shift_jis",
             "koi8-r", "cp1251", "euc_kr", "utf-32")  # fmt: skip
PIECES = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\x0c", b"\x1a", b"\x85",
    "\u2028".encode(), "\u202e".encode(), "\U0001f98a".encode(), "е\u0301".encode(),
    b"\xed\xa0\x80",
    b"(" * 999, b"{[(" * 300, b"<" * 400, b'"""', b"'", b"/*", b"*/", b"#", b"```", b"<<EOT\n",
    b"x" * 5000, b" " * 3000, b"\t" * 200, b"-----BEGIN RSA PRIVATE KEY-----\n", b"A1b2" * 900,
    b'{"cells": [{"cell_type": "code", "source": ["', b'"nbformat": 4}', b"coding: gbk\n",
)  # fmt: skip
MOST = 200_000
_BATCH = 40
"""Files that go into the store together."""


@dataclass
class Outcome:
    """What was done, counted as it went."""

    tally: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    slowest: float = 0.0
    chunker: SyntaxChunker = field(default_factory=SyntaxChunker)


def make(rng: random.Random, corpus: list[bytes]) -> bytes:
    """One odd file."""
    data = bytearray(rng.choice(corpus)[:MOST]) if corpus and rng.random() < 0.85 else bytearray()
    if rng.random() < 0.2:
        text = bytes(data).decode("utf-8", "ignore")
        data = bytearray(text.encode(rng.choice(ENCODINGS), "replace"))
    for _ in range(rng.choice((0, 1, 2, 5, 20))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                data[at:at] = rng.choice(PIECES) * rng.choice((1, 1, 2, 30))
            case 1:
                del data[at : at + rng.choice((1, 10, 1000))]
            case 2:
                data[at:at] = rng.randbytes(rng.choice((1, 8, 200)))
            case 3:
                end = min(len(data), at + rng.choice((5, 80, 2000)))
                data[at:at] = data[at:end] * rng.choice((1, 3, 50))
            case 4 if corpus:
                other = rng.choice(corpus)
                start = rng.randrange(len(other) + 1)
                data[at:at] = other[start : start + rng.choice((10, 500, 5000))]
            case _ if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
    return bytes(data[:MOST])


def faults(text: str, language: str, chunker: SyntaxChunker) -> tuple[str, list[Chunk]]:
    """What is wrong with the chunks of a text, and the chunks."""
    chunks = list(chunker.chunk("", text, language))
    if chunks != list(SyntaxChunker().chunk("", text, language)):
        return "the same text gave other chunks", chunks
    if language == "notebook" and text.lstrip().startswith("{"):
        return "", chunks  # cells hold what JSON says, not lines
    rows = text.split("\n")
    held = [""] * len(rows)
    cap = max(limits(TARGET).cap, -(-len(text) // MAX_SLICES))
    for chunk in chunks:
        if len(chunk.text) > cap or not chunk.text.strip():
            return f"a chunk of {len(chunk.text)} characters", chunks
        lines = rows[chunk.start - 1 : chunk.end]
        whole = chunk.text == "\n".join(lines)
        if not whole and not (len(lines) == 1 and chunk.text in lines[0]):
            return f"lines {chunk.start}-{chunk.end} are not what the chunk holds", chunks
        for row, line in enumerate(lines if whole else [chunk.text], chunk.start - 1):
            held[row] += line
    for number, (row, there) in enumerate(zip(rows, held, strict=True), 1):
        if "".join(row.split()) != "".join(there.split()):
            return f"line {number} is in no chunk, or not whole", chunks
    return "", chunks


def look(data: bytes, language: str, chunker: SyntaxChunker) -> tuple[str, str, list[Chunk]]:
    """A word for what became of a file, what went wrong, and its chunks."""
    try:
        decoded = decode(data)
        if not isinstance(decoded, Decoded):
            return f"left out as {decoded.reason}", "", []
        text = decoded.text
        if "\ufffd" in text and "\ufffd" not in data.decode(decoded.encoding, "ignore"):
            return "decoded", "decoding put U+FFFD into a text", []
        secret_text("a.txt", text)
        return "decoded", *faults(text, language, chunker)
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        return "failed", f"{type(error).__name__}: {error}", []


def stored(store: LocalStore, made: list[tuple[str, list[Chunk]]]) -> str:
    """What is wrong with a batch after it went into a store."""
    try:
        return _stored(store, made)
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        return f"store: {type(error).__name__}: {error}"


def _stored(store: LocalStore, made: list[tuple[str, list[Chunk]]]) -> str:
    files = tuple(
        IndexedFile(
            FileRecord(path, Stamp(1, 2, 3, 4), path, "", "source", 5),
            tuple(IndexedChunk(chunk, unit_vector(f"{path}{i}")) for i, chunk in enumerate(chunks)),
        )
        for path, chunks in made
    )
    with store.write(5) as writer:
        writer.apply(Batch(files=files))
    reader = store.read()
    for path, chunks in made:
        if [s.chunk for s in reader.chunks_of(path)] != sorted(chunks, key=lambda c: c.start):
            return f"{path}: what came out is not what went in"
        words = terms(" ".join(chunk.text[:200] for chunk in chunks))[:8]
        if words and not reader.match_terms(TermQuery(tuple(words)), Where(paths=(path,)), 1):
            return f"{path}: not found by its own words {words}"
    return "".join(store.repairs())


def run(arguments: argparse.Namespace, corpus: list[bytes], store: LocalStore) -> Outcome:
    """Go on until the time is up."""
    outcome = Outcome()
    languages = sorted({*LANGUAGES, "notebook", ""})
    batch: dict[str, list[Chunk]] = {}
    until = time.monotonic() + arguments.seconds
    for turn in itertools.count():
        if time.monotonic() > until:
            return outcome
        one = random.Random(f"{arguments.seed}/{turn}")
        data, language = make(one, corpus), one.choice(languages)
        started = time.process_time()
        became, wrong, chunks = look(data, language, outcome.chunker)
        spent = time.process_time() - started
        outcome.slowest = max(outcome.slowest, spent)
        outcome.tally.update({"files": 1, became: 1, "chunks": len(chunks)})
        if spent > arguments.patience:
            wrong = wrong or f"{spent:.1f} s for {len(data)} bytes"
        if chunks:
            batch[f"f{turn % 400}.{language or 'txt'}"] = chunks
        if len(batch) >= _BATCH:
            outcome.tally["batches stored"] += 1
            wrong = wrong or stored(store, list(batch.items()))
            batch.clear()
        if wrong:
            name = f"{arguments.seed}-{turn}.{language or 'txt'}"
            outcome.failed.append(f"{name}: {wrong}"[:300])
            print(outcome.failed[-1], file=sys.stderr, flush=True)
            if arguments.keep:
                (arguments.keep / name).write_bytes(data)
    raise AssertionError("count() does not end")


def read_corpus(folders: list[Path], rng: random.Random) -> list[bytes]:
    """Some thousand files of the folders."""
    paths = [
        p for f in folders for p in sorted(f.rglob("*")) if p.is_file() and ".git" not in p.parts
    ]
    rng.shuffle(paths)
    return [data for data in (p.read_bytes()[:MOST] for p in paths[:3000]) if data]


def main() -> None:
    """Go on until the time is up; print what was done and what failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=5.0, help="processor seconds a file")
    parser.add_argument("--corpus", nargs="*", type=Path, default=[])
    parser.add_argument("--keep", type=Path, help="folder for files that failed")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    corpus = read_corpus(arguments.corpus, random.Random(arguments.seed))
    with tempfile.TemporaryDirectory() as folder:
        store = LocalStore(Path(folder, "index"))
        with store.write(5) as writer:
            writer.reset(manifest(root=folder))
        outcome = run(arguments, corpus, store)
        store.close()
    failed = outcome.failed
    report = {
        "command": f"python -m benchmarks.fuzz --seconds {arguments.seconds:.0f} "
        f"--seed {arguments.seed} --corpus FOLDER…",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}",
        "corpus files": len(corpus),
        "failed": len(failed),
        "which": failed,
        "slowest file, processor seconds": round(outcome.slowest, 2),
        "texts cut by looks": outcome.chunker.fallbacks,
        **dict(outcome.tally.most_common()),
    }
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, "utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
