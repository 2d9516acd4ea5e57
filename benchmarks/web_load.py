"""
Many people search while an index is rebuilt: does anything fail, and how much slower is it?

``python -m benchmarks.web_load TREE --questions FILE`` starts ``fiuto serve TREE`` with a
home of its own and asks over loopback, 50 clients 20 questions each: once while the server
does nothing else, once while TREE is rebuilt from nothing, again and again.  Each client
waits for its answer before it asks on, so times hold the wait for the other 49.  An answer
counts as an error unless it is whole: status 200, hits, and every file in the index.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.report import machine, versions

RESULTS = Path(__file__).parent / "results"
PHASES = {
    "one client, idle": "one client, nothing else going on",
    "idle": "all clients, no rebuild",
    "rebuilding": "all clients, the index being rebuilt",
}


@contextmanager
def serving(tree: Path, home: str) -> Iterator[httpx2.URL]:
    """The address of ``fiuto serve``."""
    server = subprocess.Popen(
        [sys.executable, "-m", "fiuto", "serve", str(tree), "--port", "0"],
        env={**os.environ, "FIUTO_HOME": home},  # noqa: TID251 - the child needs it all
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    address = httpx2.URL(server.stdout.readline().strip())
    try:
        yield address
    finally:
        server.terminate()
        _, said = server.communicate(timeout=30)
        print(said, file=sys.stderr)


class Load:
    """One server under load."""

    def __init__(self, address: httpx2.URL, questions: Sequence[str], seed: int) -> None:
        self.base = str(address.join("/"))
        self.index = address.params["index"]
        self.questions = questions
        self.rng = random.Random(seed)
        self.times: list[float] = []
        self.errors: list[str] = []
        self.rebuilds = 0
        self.files = 0

    async def settle(self) -> None:
        """Wait for the index, and ask once, which loads the model."""
        async with self._client() as client:
            await self._ended(client)
            self.files = (await client.get(f"/api/indexes/{self.index}")).json()["files"]
            await self._ask(client, "where does it begin")
        self.times.clear()

    async def asking(self, clients: int, searches: int, *, rebuild: bool) -> Mapping[str, Any]:
        """Ask with so many clients at once; what came of it."""
        self.times, self.errors, self.rebuilds = [], [], 0
        stop = asyncio.Event()
        started = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            if rebuild:
                group.create_task(self._rebuild(stop))
            asked = [group.create_task(self._one(searches)) for _ in range(clients)]
            await asyncio.gather(*asked)
            took = time.perf_counter() - started
            stop.set()
        return {
            "searches": len(self.times), "errors": len(self.errors), "rebuilds": self.rebuilds,
            "said": sorted(set(self.errors))[:5], "seconds": round(took, 1),
            "per_second": round(len(self.times) / took, 1), **_percentiles(self.times),
        }  # fmt: skip

    async def _one(self, searches: int) -> None:
        async with self._client() as client:
            for _ in range(searches):
                started = time.perf_counter()
                await self._ask(client, self.rng.choice(self.questions))
                self.times.append(time.perf_counter() - started)

    async def _ask(self, client: httpx2.AsyncClient, question: str) -> None:
        try:
            params = {"index": self.index, "q": question, "lines": "true"}
            answer = await client.get("/api/search", params=params)
        except httpx2.HTTPError as error:
            self.errors.append(repr(error))
            return
        data = answer.json()
        if answer.status_code != 200:
            self.errors.append(f"{answer.status_code}: {data['error']['message']}")
        elif not data["hits"] or data["index"]["files"] != self.files:
            self.errors.append(f"not whole: {len(data['hits'])} hits, {data['index']['files']}")

    async def _rebuild(self, stop: asyncio.Event) -> None:
        async with self._client() as client:
            while not stop.is_set():
                path = f"/api/indexes/{self.index}/refresh"
                answer = await client.post(path, json={"rebuild": True})
                if answer.status_code != 202:
                    self.errors.append(f"rebuild: {answer.status_code} {answer.text}")
                    return
                job = await self._ended(client)
                self.rebuilds += 1
                if job["state"] != "done":
                    self.errors.append(f"rebuild: {job['state']} {job['error']}")

    async def _ended(self, client: httpx2.AsyncClient) -> dict[str, Any]:
        while True:
            jobs: list[dict[str, Any]] = (await client.get("/api/jobs")).json()["jobs"]
            if jobs[-1]["state"] not in ("waiting", "running"):
                return jobs[-1]
            await asyncio.sleep(0.1)

    def _client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.base, timeout=120)


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    at = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99, "max_ms": 1.0}
    last = len(ordered) - 1
    return {name: round(1000 * ordered[round(share * last)], 1) for name, share in at.items()}


def markdown(data: Mapping[str, Any]) -> str:
    """The results as a page."""
    made, settings = data["machine"], data["settings"]
    used = ", ".join(f"{key} {value}" for key, value in data["versions"].items())
    columns = ["searches", "errors", "rebuilds", "per_second", "p50_ms", "p95_ms", "p99_ms",
               "max_ms"]  # fmt: skip
    about = (
        f"{settings['clients']} clients, {settings['searches']} searches each, of "
        f"{settings['questions']} questions, over {settings['tree']} ({data['files']} files). "
        "Server and clients share the machine; each client waits for its answer before it asks on."
    )
    where = (
        f"{made['cpu']}, {made['cores']} cores, {made['system']}, load average {made['load']} "
        f"before the start; {used}."
    )
    lines = ["# Searches over HTTP while an index is rebuilt", "", about, "", where, ""]
    lines += [f"|  | {' | '.join(columns)} |", "|---|" + "--:|" * len(columns)]
    for name, said in PHASES.items():
        phase = data["phases"][name]
        lines.append(f"| {said} | {' | '.join(str(phase[column]) for column in columns)} |")
    return "\n".join(lines) + "\n"


async def measure(address: httpx2.URL, questions: Sequence[str], args: Any) -> dict[str, Any]:
    """Every phase, in order."""
    load = Load(address, questions, args.seed)
    await load.settle()
    phases = {
        "one client, idle": await load.asking(1, args.searches, rebuild=False),
        "idle": await load.asking(args.clients, args.searches, rebuild=False),
        "rebuilding": await load.asking(args.clients, args.searches, rebuild=True),
    }
    return {"files": load.files, "phases": phases}


def main() -> None:
    """Measure, print, and write ``results/web_load.json`` and ``.md``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--questions", type=Path, required=True, help="as for fiuto eval")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--searches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    questions = [one["question"] for one in json.loads(args.questions.read_text())["questions"]]
    load, _, _ = os.getloadavg()
    with tempfile.TemporaryDirectory() as home, serving(args.tree.resolve(), home) as address:
        found = asyncio.run(measure(address, questions, args))
    data = {
        "settings": {
            "tree": args.tree.resolve().name, "questions": len(questions),
            "clients": args.clients, "searches": args.searches, "seed": args.seed,
        },
        "machine": machine() | {"load": round(load, 1)}, "versions": versions(), **found,
    }  # fmt: skip
    (RESULTS / "web_load.json").write_text(json.dumps(data, indent=1) + "\n")
    (RESULTS / "web_load.md").write_text(markdown(data))
    print(markdown(data))
    sys.exit(any(phase["errors"] for phase in data["phases"].values()))


if __name__ == "__main__":
    main()
