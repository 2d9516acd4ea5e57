"""Tests of fiuto.web.jobs and events: progress that others see, and a stop that keeps."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_slow import Slow

from fiuto.errors import IndexBusy, UsageError
from fiuto.protocols import Progress
from fiuto.web.events import events
from fiuto.web.jobs import Jobs
from fiuto.web.problems import Missing


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    """Closed at the end."""
    jobs = Jobs()
    yield jobs
    jobs.close()


def until(jobs: Jobs, id_: str, *states: str) -> None:
    """Wait for one of some states."""
    end = time.monotonic() + 20
    while jobs.get(id_).state not in states:
        assert time.monotonic() < end, jobs.get(id_)
        time.sleep(0.005)


def test_a_job_that_ends_well(jobs: Jobs) -> None:
    """Its result is kept, its progress was that of its work."""

    def work(progress: Progress) -> str:
        progress("read", 3, 7)
        return "figures"

    job = jobs.start("index", "a", "/a", work)
    until(jobs, job.id, "done")

    ended = jobs.get(job.id)
    assert (ended.stage, ended.done, ended.total, ended.error) == ("read", 3, 7, None)
    assert jobs.result(job.id) == "figures"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UsageError("no such model"), {"kind": "usage", "message": "no such model"}),
        (
            OSError(28, "No space left"),
            {"kind": "fault", "message": "OSError: [Errno 28] No space left"},
        ),
    ],
)
def test_a_job_that_fails_says_why(jobs: Jobs, error: Exception, told: dict[str, str]) -> None:
    """Whatever it was."""

    def work(_progress: Progress) -> None:
        raise error

    job = jobs.start("index", "a", "/a", work)
    until(jobs, job.id, "failed")

    assert jobs.get(job.id).error == told


def held(gate: threading.Event) -> Callable[[Progress], None]:
    """Work that goes on until its gate opens or somebody stops it."""

    def work(progress: Progress) -> None:
        while not gate.wait(0.005):
            progress("read", 1, 2)

    return work


def test_one_writer_for_an_index(jobs: Jobs) -> None:
    """A second job of the kind is refused; another index, or another kind, is not."""
    gate = threading.Event()
    first = jobs.start("index", "a", "/a", held(gate))

    with pytest.raises(IndexBusy, match="/a is being worked on already"):
        jobs.start("index", "a", "/a", held(gate))
    assert jobs.active("a") == jobs.get(first.id)
    other = jobs.start("index", "b", "/b", held(gate))
    queued = jobs.start("eval", "a", "/a", held(gate))
    assert jobs.get(queued.id).state == "waiting"

    gate.set()
    for job in (first, other, queued):
        until(jobs, job.id, "done")
    assert jobs.active("a") is None


def test_a_stop_ends_what_runs_and_what_waits(jobs: Jobs) -> None:
    """At the next sign of progress."""
    gate = threading.Event()
    started = [jobs.start("index", name, name, held(gate)) for name in "abc"]

    for job in started:
        jobs.stop(job.id)

    for job in started:
        until(jobs, job.id, "stopped")


def test_the_oldest_are_forgotten(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Running ones never."""
    monkeypatch.setattr("fiuto.web.jobs._KEPT", 3)
    gate = threading.Event()
    running = jobs.start("index", "slow", "slow", held(gate))
    for i in range(6):
        job = jobs.start("index", str(i), str(i), lambda _progress: None)
        until(jobs, job.id, "done")

    titles = [job.title for job in jobs.all()]
    assert (len(titles), titles[0], titles[-1]) == (3, "slow", "5")
    assert jobs.get(running.id).state == "running"
    with pytest.raises(Missing):
        jobs.get("gone")
    gate.set()


def test_closing_stops_everything() -> None:
    """And waits until it has."""
    jobs = Jobs()
    started = [jobs.start("index", name, name, held(threading.Event())) for name in "abc"]

    jobs.close()

    assert {jobs.get(job.id).state for job in started} == {"stopped"}


def test_events_tell_each_change_until_the_server_stops(jobs: Jobs) -> None:
    """What is there first, then what moves; no more once hushed."""

    async def heard() -> list[tuple[str, str]]:
        out = []
        gate = threading.Event()
        jobs.start("index", "a", "/a", held(gate))
        async for chunk in events(jobs):
            if chunk.startswith("event: job\ndata: "):
                data = json.loads(chunk.removeprefix("event: job\ndata: "))
                out.append((data["title"], data["state"]))
                if data["state"] == "running":
                    gate.set()
                if data["state"] == "done":
                    jobs.hush()
        return out

    told = asyncio.run(asyncio.wait_for(heard(), 20))

    assert told[-1] == ("/a", "done")
    assert ("/a", "running") in told


def test_what_was_done_before_a_stop_is_kept(
    client: TestClient,
    tmp_path: Path,
    ended: Callable[[str], dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next run embeds only the rest."""
    root = tmp_path / "many"
    root.mkdir()
    for i in range(30):
        (root / f"m{i:02}.py").write_text(f"def name_{i}():\n    return {i}\n")
    slow = Slow(monkeypatch)
    started = client.post("/api/indexes", json={"root": str(root)}).json()
    assert slow.reached.wait(20)
    assert client.get(f"/api/indexes/{started['id']}").json()["state"] == "incomplete"
    assert client.delete(f"/api/jobs/{started['job']['id']}").json()["state"] == "running"
    slow.gate.set()
    assert ended(started["job"]["id"])["state"] == "stopped"
    (listed,) = client.get("/api/indexes").json()["indexes"]
    assert (listed["id"], listed["state"]) == (started["id"], "incomplete")

    again = client.post("/api/indexes", json={"root": str(root)}).json()["job"]
    result = ended(again["id"])["result"]

    assert result["reused"] >= 8
    assert result["embedded"] + result["reused"] == 30


def test_questions_are_answered_while_a_folder_is_indexed(
    client: TestClient,
    index: str,
    tree: Path,
    ended: Callable[[str], dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From the last whole index, and it is said; forgetting has to wait."""
    for i in range(20):
        (tree / f"more{i}.py").write_text(f"def more_{i}():\n    return {i}\n")
    slow = Slow(monkeypatch)
    job = client.post(f"/api/indexes/{index}/refresh", json={}).json()["job"]
    assert slow.reached.wait(20)

    answer = client.get("/api/search", params={"index": index, "q": "cooldown"}).json()
    forgotten = client.delete(f"/api/indexes/{index}")
    slow.gate.set()

    assert answer["hits"][0]["path"] == "src/limits.py"
    assert answer["index"]["files"] == 7
    assert answer["warnings"] == [
        "the folder is being indexed; these are results of the last whole index"
    ]
    assert forgotten.status_code == 409
    assert ended(job["id"])["result"]["files"] == 27
