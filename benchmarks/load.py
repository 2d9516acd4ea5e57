"""
Sixteen readers and one writer on one index, and what each reader may see.

``python -m benchmarks.load --seconds 300`` changes every file of a small tree to the next
version, refreshes, and again; each reader is a process that searches all the while, without
refreshing.  What must hold for every answer:

1. one generation: every hit of an answer is of one version, and the lists agree on it;
2. no step back: a reader never sees an older version than it saw before;
3. nothing is said to be damaged, and nothing fails.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import fiuto

FILES = 40
_VERSION = re.compile(r"def v(\d+)_")


def change(tree: Path, version: int) -> None:
    """Write every file anew, each with words of this version and some that stay."""
    for i in range(FILES):
        body = "\n".join(f"def v{version}_f{i}_n{j}(user):\n    return block\n" for j in range(3))
        (tree / f"part_{i}.py").write_text(body)


def read(number: int, tree: str, home: str, until: float, said: Any) -> None:
    """Search until the time is up, then say what was seen."""
    mode = ("lexical", "hybrid", "semantic")[number % 3]
    newest, answers, wrong, times = 0, 0, [], []
    seen: set[int] = set()
    with fiuto.open(tree, home=Path(home)) as index:
        while time.time() < until:
            started = time.perf_counter()
            try:
                results = index.search("block user", k=20, mode=mode, refresh=False, verify=False)
            except fiuto.FiutoError as error:
                wrong.append(f"{type(error).__name__}: {error}")
                continue
            times.append(time.perf_counter() - started)
            answers += 1
            versions = {int(v) for hit in results for v in _VERSION.findall(hit.text)}
            if len(versions) != 1 or len(results) != 20:
                wrong.append(f"{len(results)} hits of versions {sorted(versions)}")
            elif max(versions) < newest:
                wrong.append(f"version {max(versions)} after {newest}")
            newest = max(newest, *versions) if versions else newest
            seen |= versions
            wrong += results.warnings
    said.put((mode, answers, sorted(set(wrong))[:5], len(wrong), times, len(seen)))


def write(tree: str, home: str, until: float, said: Any) -> None:
    """Change everything and refresh, until the time is up."""
    version, times = 1, []
    with fiuto.open(tree, home=Path(home)) as index:
        while time.time() < until:
            version += 1
            change(Path(tree), version)
            started = time.perf_counter()
            index.refresh()
            times.append(time.perf_counter() - started)
    said.put(("writer", version, [], 0, times, 0))


def _median(readers: list[Any], mode: str) -> float:
    """Seconds of an answer."""
    return round(statistics.median(t for row in readers if row[0] == mode for t in row[4]), 3)


def main() -> None:
    """Run them all; print what was seen as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree, home = Path(folder, "tree"), Path(folder, "home")
        tree.mkdir()
        change(tree, 1)
        with fiuto.open(tree, home=home) as index:
            index.refresh()
        context = multiprocessing.get_context("spawn")
        said = context.Queue()
        until = time.time() + arguments.seconds
        workers = [context.Process(target=write, args=(str(tree), str(home), until, said))]
        workers += [
            context.Process(target=read, args=(i, str(tree), str(home), until, said))
            for i in range(arguments.readers)
        ]
        for worker in workers:
            worker.start()
        told = [said.get(timeout=arguments.seconds + 300) for _ in workers]
        for worker in workers:
            worker.join()
        with fiuto.open(tree, home=home) as index:
            faults = list(index.refresh().warnings)
    readers = [row for row in told if row[0] != "writer"]
    (writer,) = (row for row in told if row[0] == "writer")
    broken = sum(row[3] for row in readers) + len(faults)
    report = {
        "command": f"python -m benchmarks.load --seconds {arguments.seconds:.0f}",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}",
        "readers": len(readers),
        "generations written": writer[1],
        "answers": sum(row[1] for row in readers),
        "invariants broken": broken,
        "which": sorted({what for row in readers for what in row[2]} | set(faults)),
        "versions seen by a reader, fewest": min(row[5] for row in readers),
        "median seconds": {
            "a refresh of every file": round(statistics.median(writer[4]), 2),
            **{mode: _median(readers, mode) for mode in ("lexical", "hybrid", "semantic")},
        },
    }  # fmt: skip
    text = json.dumps(report, indent=1) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
