"""
The same questions to the local store and to one on Milvus: how many of ten hits agree.

``python -m benchmarks.overlap --checkouts DIR --repos JSON --annotations DIR --grep-proof DIR``

Each repository is indexed twice, locally and into a collection of its own; every question is
asked of both with fiuto's defaults.  The figure is the share of the local first ten that are
among the first ten of the other, mean over the questions.  Without ``--store`` it starts
``milvus-lite server`` on 127.0.0.1 and stops it again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.questions import Question, load_annotations, load_grep_proof
from benchmarks.report import machine
from benchmarks.repositories import load_repositories
from fiuto.config import Cluster, load
from fiuto.engine import Index, open_index
from fiuto.engine.opening import opened
from fiuto.engine.stores import make_collection
from fiuto.testing.servers import LiteServer

K = 10


def questions_of(given: argparse.Namespace, name: str) -> list[Question]:
    """Both sets' questions about one repository."""
    checkout = given.checkouts / name
    hidden = given.grep_proof / f"{name}.json"
    found = load_grep_proof(hidden, name, checkout) if hidden.is_file() else []
    annotated = given.annotations / f"{name}.json"
    if annotated.is_file():
        found += load_annotations(annotated, load_repositories(given.repos)[name], checkout)[0]
    return found


def places(index: Index, text: str) -> tuple[list[tuple[str, int, int]], float]:
    """The first ten hits, and the seconds they took."""
    started = time.perf_counter()
    results = index.search(text, k=K, refresh=False, verify=False)
    seconds = time.perf_counter() - started
    return [(hit.path, hit.start, hit.end) for hit in results], seconds


def compare(root: Path, url: str, home: Path, questions: list[Question]) -> dict[str, Any]:
    """One repository in both stores."""
    settings = load(root, {"home": home})
    cluster = Cluster(url=url, repository=root.name)
    with (
        open_index(root, home=home) as local,
        opened(root, replace(settings, store=cluster)) as remote,
    ):
        here, there = local.refresh(), remote.refresh()
        assert here.status.counts == there.status.counts, "the stores hold different chunks"
        rows = []
        for question in questions:
            a, seconds_a = places(local, question.text)
            b, seconds_b = places(remote, question.text)
            rows.append(
                {
                    "question": question.text,
                    "overlap": len(set(a) & set(b)) / len(a) if a else float(not b),
                    "same_first": a[:1] == b[:1],
                    "seconds": [round(seconds_a, 3), round(seconds_b, 3)],
                }
            )
    collection = make_collection(cluster)
    collection.remove()
    collection.close()
    counts = here.status.counts
    return {"repository": root.name, "files": counts.files, "chunks": counts.chunks,
            "seconds": [here.seconds, there.seconds], "questions": rows}  # fmt: skip


def main() -> int:
    """Run it; 0 where the mean overlap is at least 0.9."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.overlap", description=__doc__)
    for name in ("checkouts", "repos", "annotations", "grep-proof"):
        options.add_argument(f"--{name}", type=Path, required=True)
    options.add_argument("--repository", action="append", required=True)
    options.add_argument("--store", default="", help="milvus://host:port/name of a real server")
    options.add_argument("--limit", type=int, default=200, help="questions in all")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    found: list[dict[str, Any]] = []
    asked = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = given.store
        if not url:
            server = LiteServer(folder / "server")
            server.start()
            stack.callback(server.kill)
            url = server.url("overlap")
        for number, name in enumerate(given.repository):
            questions = questions_of(given, name)[: given.limit - asked]
            asked += len(questions)
            one = compare(given.checkouts / name, f"{url}_{number}", folder / "home", questions)
            found.append(one)
            share = mean(question["overlap"] for question in one["questions"])
            print(f"{name:20} {one['chunks']:6,} chunks {len(questions):3} {share:.3f}", flush=True)
    rows = [row for one in found for row in one["questions"]]
    total = {
        "questions": len(rows),
        "overlap": round(mean(row["overlap"] for row in rows), 4),
        "same_first": round(mean(row["same_first"] for row in rows), 4),
        "worst": min(row["overlap"] for row in rows),
        "milliseconds": [round(1000 * mean(row["seconds"][i] for row in rows)) for i in (0, 1)],
    }
    print(json.dumps(total))
    if given.out:
        data = {"machine": machine(), "store": given.store or "milvus-lite server", "k": K,
                "total": total, "repositories": found}  # fmt: skip
        given.out.write_text(json.dumps(data, indent=1) + "\n")
    return 0 if total["overlap"] >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
