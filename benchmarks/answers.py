"""
Writes down what is answered, to twelve digits: made faster must mean nothing else.

``python -m benchmarks.answers --annotations DIR --checkouts DIR --out before.jsonl``, then
the same after a change with ``--against before.jsonl``, which names each difference and
exits with 1.  Runs against whatever fiuto is on the path, an older one too.  The thirteenth
digit depends on the seed of Python's hashes, in whose order some sums are taken.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import fiuto

__all__ = ["main"]

_QUESTIONS = 12
_K = 50


def answers(name: str, root: Path, questions: Sequence[str]) -> Iterator[str]:
    """A line of JSON for each question in each mode: every hit with its score and its parts."""
    with tempfile.TemporaryDirectory() as home, fiuto.open(root, home=Path(home)) as index:
        index.refresh()
        for question in questions:
            for mode in ("hybrid", "lexical", "semantic"):
                for only in ((), ("source",)):
                    found = index.search(question, k=_K, mode=mode, only=only, refresh=False)
                    hits = [
                        (h.path, h.start, h.end, _short(h.score), _parts(h), h.copies)
                        for h in found
                    ]
                    also = found.also and (found.also.identifiers, found.also.total)
                    rest = [found.confidence, also, hits]
                    yield json.dumps([name, question, mode, only, *rest])


def _short(value: float) -> str:
    return f"{value:.12g}"


def _parts(hit: fiuto.Hit) -> list[tuple[str, str]]:
    return [(name, _short(value)) for name, value in sorted(hit.parts.items())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, or compare; 1 where an answer differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers", description=__doc__)
    parser.add_argument("--annotations", type=Path, required=True, metavar="DIR")
    parser.add_argument("--checkouts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--repository", action="append", required=True, metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    lines: list[str] = []
    for name in given.repository:
        entries = json.loads((given.annotations / f"{name}.json").read_text())
        questions = [entry["query"] for entry in entries][:_QUESTIONS]
        lines += answers(name, given.checkouts / name, questions)
    if given.out:
        given.out.write_text("\n".join(lines) + "\n")
    if not given.against:
        return 0
    before = given.against.read_text().splitlines()
    differing = [now for now, then in zip(lines, before, strict=True) if now != then]
    for line in differing:
        print(json.loads(line)[:4])
    print(f"{len(differing)} of {len(lines)} answers differ", file=sys.stderr)
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
