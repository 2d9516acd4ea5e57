"""The same for semble; run by an environment that has semble and not fiuto."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from semble import SembleIndex


def main() -> None:
    """``inside_semble.py QUESTIONS ROUNDS``."""
    questions = json.loads(Path(sys.argv[1]).read_text())
    taken = []
    index = SembleIndex.from_path(".")
    started = time.perf_counter()
    index.search(questions[0], top_k=10)
    first = time.perf_counter() - started
    for _ in range(int(sys.argv[2])):
        for question in questions:
            started = time.perf_counter()
            index.search(question, top_k=10)
            taken.append(time.perf_counter() - started)
    stats = index.stats
    figures = {"files": stats.indexed_files, "chunks": stats.total_chunks}
    print(json.dumps({"first": first, "query": taken, **figures}))


if __name__ == "__main__":
    main()
