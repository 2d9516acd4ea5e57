"""
Kills fiuto at random points while it writes, and asks what is left.

``python -m benchmarks.kill --times 200 --seed 0`` makes a tree, changes it, starts
``fiuto index`` (now and then ``fiuto index --rebuild``) and kills it with SIGKILL
after a random part of the time that the command takes.  Then a search must answer
from a whole index: every file there, the newest content or the one before where
the refresh was switched off, no warning, no error.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import fiuto

FILES = 60


def change(tree: Path, turn: int) -> None:
    """Write every file anew, each with words of this turn."""
    for i in range(FILES):
        body = "\n".join(f"def t{turn}_f{i}_n{j}(user):\n    return {j}\n" for j in range(8))
        (tree / f"part_{i}.py").write_text(body)


def start(tree: Path, home: Path, *extra: str) -> subprocess.Popen[bytes]:
    """``fiuto index`` in a process of its own."""
    code = (
        "import sys, fiuto; from pathlib import Path\n"
        "index = fiuto.open(sys.argv[1], home=Path(sys.argv[2]))\n"
        "index.refresh(rebuild='--rebuild' in sys.argv)"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(tree), str(home), *extra])


def check(tree: Path, home: Path, turn: int) -> str:
    """What is wrong with the index, or the generation that it answered from."""
    with fiuto.open(tree, home=home) as index:
        try:
            before = index.search(f"t{turn - 1}_f7_n3", mode="lexical", refresh=False)
            now = index.search(f"t{turn}_f7_n3", mode="lexical", refresh=False)
            kind = "new" if _holds(now, turn) else "old" if _holds(before, turn - 1) else "mixed"
        except fiuto.IndexMissing:
            kind = "none"
        results = index.search(f"t{turn}_f7_n3", k=1, mode="lexical")
        counts = results.status.counts
        whole = (counts.files, counts.unembedded) == (FILES, 0)
        if not _holds(results, turn) or not whole or results.warnings:
            return f"broken: {counts} {results.warnings}"
        return kind


def _holds(results: fiuto.Results, turn: int) -> bool:
    return bool(results) and f"t{turn}_f7_n3(" in results[0].text


def main() -> None:
    """Run the trials and print a tally as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        tree, home = Path(folder, "tree"), Path(folder, "home")
        tree.mkdir()
        change(tree, 0)
        started = time.monotonic()
        start(tree, home).wait()
        whole = time.monotonic() - started
        for turn in range(1, arguments.times + 1):
            change(tree, turn)
            extra = ["--rebuild"] if rng.random() < 0.25 else []
            run = start(tree, home, *extra)
            time.sleep(rng.uniform(0.1, 1.1) * whole)
            finished = run.poll() is not None
            run.kill()
            run.wait()
            said = check(tree, home, turn)
            tally["finished before the kill" if finished else f"killed, {said}"] += 1
            if said.startswith("broken"):
                print(turn, said)
    broken = sum(count for name, count in tally.items() if "broken" in name)
    print(json.dumps({"times": arguments.times, "broken": broken, **tally}, indent=1))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
