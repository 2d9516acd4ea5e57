"""Asks the current folder again and again in one process; prints seconds as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import fiuto


def main() -> None:
    """``inside_fiuto.py QUESTIONS ROUNDS``: each way to ask, over all questions, in turn."""
    questions = json.loads(Path(sys.argv[1]).read_text())
    ways = {
        "query": {"refresh": False},
        "refreshed": {"refresh": True},
        "lexical": {"refresh": False, "mode": "lexical"},
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    with fiuto.open(".") as index:
        started = time.perf_counter()
        index.search(questions[0], refresh=False)
        first = time.perf_counter() - started
        for _ in range(int(sys.argv[2])):
            for question in questions:
                for name, keywords in ways.items():
                    started = time.perf_counter()
                    index.search(question, **keywords)
                    taken[name].append(time.perf_counter() - started)
        counts = index.status().counts
    figures = {"files": counts.files, "chunks": counts.chunks, "bytes": counts.bytes}
    print(json.dumps({"first": first, **taken, **figures}))


if __name__ == "__main__":
    main()
