"""What a measurement was made on, and how busy that was: no figure without it."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

__all__ = ["load", "machine"]


def machine() -> dict[str, object]:
    """Processor, cores, memory, system and Python."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory / 1e9),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def load() -> dict[str, object]:
    """The moment, and the load averages of 1 and 5 minutes: processes that want to run."""
    return {
        "at": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "load": [round(value, 2) for value in os.getloadavg()[:2]],
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
