"""Jobs as they move, as server-sent events: one ``job`` event for each change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from fiuto.web.indexes import job_data
from fiuto.web.jobs import Job, Jobs

__all__ = ["events"]

_PERIOD = 0.1
"""Seconds between two looks: what moved faster is told as one."""
_STILL_HERE = 15.0
"""Seconds of silence after which a comment tells proxies that the stream lives."""


async def events(jobs: Jobs) -> AsyncIterator[str]:
    """Every job as it is now, then whatever moves, until the server stops."""
    loop = asyncio.get_running_loop()
    moved = asyncio.Event()
    told: dict[str, Job] = {}
    with jobs.listening(lambda: loop.call_soon_threadsafe(moved.set)):
        yield "retry: 1000\n\n"
        while not jobs.closed:
            moved.clear()
            for job in jobs.all():
                if told.get(job.id) != job:
                    told[job.id] = job
                    yield f"event: job\ndata: {json.dumps(job_data(job))}\n\n"
            try:
                await asyncio.wait_for(moved.wait(), _STILL_HERE)
            except TimeoutError:
                yield ": still here\n\n"
            await asyncio.sleep(_PERIOD)
