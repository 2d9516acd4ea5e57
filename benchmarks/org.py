"""
Many repositories at once: interrupted shards against one pass, and which repository is found.

``python -m benchmarks.org --questions DIR --checkouts DIR``

The repositories that ``--questions`` has a file for are indexed twice, each time from
nothing: in one pass, and in two shards of two processes each, both killed with SIGKILL on
the way and started again.  Both indexes must hold the same chunks.  Then every question
is asked of all repositories together; what counts is whose the first hit is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.questions import load_grep_proof
from benchmarks.report import machine
from fiuto.engine import open_index
from fiuto.engine.org import Org
from fiuto.engine.several import open_list

SHARDS, PROCESSES = 2, 2


def start(listed: Path, home: Path, *extra: str) -> subprocess.Popen[bytes]:
    """``fiuto org`` in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "fiuto", "org", str(listed), "--json", *extra],
        env={**os.environ, "FIUTO_HOME": str(home)},  # noqa: TID251 - handed on, not read
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def ended(run: subprocess.Popen[bytes]) -> list[dict[str, Any]]:
    """The rows of a run that came to its end."""
    out, _ = run.communicate()
    assert run.returncode == 0, out.decode()
    rows: list[dict[str, Any]] = json.loads(out)["repositories"]
    return rows


def sharded(listed: Path, home: Path) -> list[subprocess.Popen[bytes]]:
    """One run for each shard, at the same time."""
    return [
        start(listed, home, "--shard", f"{i}/{SHARDS}", "--processes", str(PROCESSES))
        for i in range(1, SHARDS + 1)
    ]


def contents(org: Org, home: Path) -> dict[str, str]:
    """A hash of every chunk and its vector's place, by repository."""
    out = {}
    for entry in org.entries:
        digest = hashlib.blake2b(digest_size=16)
        with open_index(entry.source, home=home) as index:
            reader = index.ready("lexical", lambda *_: None, refresh=False).reader
            assert reader.manifest.complete, entry.name
            assert not reader.counts().unembedded, entry.name
            for path in sorted(reader.files()):
                for stored in reader.chunks_of(path):
                    digest.update(f"{path}\0{stored.chunk}\0{stored.label}\0".encode())
        out[entry.name] = digest.hexdigest()
    return out


def interrupted(listed: Path, home: Path, after: Sequence[float]) -> list[int]:
    """Start both shards and kill them, once for each of ``after`` seconds; chunks done by then."""
    done = []
    for seconds in after:
        runs = sharded(listed, home)
        time.sleep(seconds)
        for run in runs:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        rows = open_list(listed, home=home).status()
        done.append(sum(row.state == "done" for row in rows))
    return done


def ask(org: Org, questions: Path, checkouts: Path) -> dict[str, Any]:
    """Whose the first hit of each question is, asked of all repositories together."""
    rows, seconds = [], []
    with org.many() as many:
        for entry in org.entries:
            file = questions / f"{entry.name}.json"
            for question in load_grep_proof(file, entry.name, checkouts / entry.name):
                started = time.perf_counter()
                results = many.search(question.text, k=10, refresh=False)
                seconds.append(time.perf_counter() - started)
                (target,) = question.targets
                own = [
                    (hit.path, hit.start, hit.end)
                    for hit in results[:5]
                    if hit.repository == entry.name
                ]
                rows.append(
                    {
                        "repository": entry.name,
                        "question": question.text,
                        "first": results[0].repository if results.hits else "",
                        "place": target.rank(own) is not None,
                    }
                )
    first = sum(row["first"] == row["repository"] for row in rows)
    return {
        "asked": len(rows), "first": first, "answer_in_5": sum(row["place"] for row in rows),
        "milliseconds": round(1000 * sum(seconds) / len(seconds)), "questions": rows,
    }  # fmt: skip


def resume(listed: Path, folder: Path, after: Sequence[float]) -> dict[str, Any]:
    """One pass against killed and resumed shards."""
    one, two = folder / "one", folder / "two"
    started = time.monotonic()
    passed = ended(start(listed, one, "--processes", str(PROCESSES)))
    one_pass = time.monotonic() - started
    done = interrupted(listed, two, after)
    started = time.monotonic()
    resumed = [row for run in sharded(listed, two) for row in ended(run)]
    seconds = time.monotonic() - started
    again = [row for run in sharded(listed, two) for row in ended(run)]
    org = open_list(listed, home=one)
    equal = contents(org, one) == contents(open_list(listed, home=two), two)
    return {
        "repositories": len(passed), "chunks": sum(row["chunks"] for row in passed),
        "equal": equal, "seconds": {"one pass": round(one_pass, 1), "resumed": round(seconds, 1)},
        "killed_after": list(after), "done_when_killed": done,
        "embedded": {
            "one pass": sum(row["embedded"] for row in passed),
            "resumed": sum(row["embedded"] for row in resumed),
            "once more": sum(row["embedded"] for row in again),
        },
        "rows": [
            {k: v for k, v in row.items() if k not in ("source", "folder")} for row in passed
        ],
    }  # fmt: skip


def main() -> int:
    """Run it; 0 where both indexes are equal and enough questions find their repository."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.org", description=__doc__)
    options.add_argument("--questions", type=Path, required=True, metavar="DIR")
    options.add_argument("--checkouts", type=Path, required=True, metavar="DIR")
    options.add_argument("--kill-after", type=float, nargs="+", default=[8.0, 20.0],
                         metavar="SECONDS")  # fmt: skip
    options.add_argument("--stage", choices=("resume", "search"), required=True)
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder, "list")
        names = sorted(path.stem for path in given.questions.glob("*.json"))
        listed.write_text("".join(f"{(given.checkouts / name).resolve()}\n" for name in names))
        if given.stage == "resume":
            found = resume(listed, Path(folder), given.kill_after)
            good = found["equal"]
        else:
            home = Path(folder, "home")
            ended(start(listed, home, "--processes", str(PROCESSES)))
            found = ask(open_list(listed, home=home), given.questions, given.checkouts)
            good = found["first"] >= 0.75 * found["asked"]
    print(json.dumps({k: v for k, v in found.items() if k not in ("rows", "questions")}))
    if given.out:
        given.out.write_text(json.dumps({"machine": machine(), **found}, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
