"""
How long a coding agent waits for a server that it has just started.

``python -m benchmarks.cold_start /path/to/requests`` starts ``fiuto mcp`` on a folder whose
index is fresh, many times, each time as a new process: seconds until the answer to
``initialize``, and until the answer to a first question, both since the process was
started.  The same with the SDK alone, for what it would be without the front.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import fiuto

QUESTION = "skip the proxy for machines on the local network"
SDK_ALONE = """
import sys
from pathlib import Path
from mcp.server.stdio import stdio_server
import anyio
from fiuto.mcp.roots import Roots
from fiuto.mcp.server import make_server
async def main():
    server = make_server(Roots([Path(sys.argv[1]).resolve()]))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
anyio.run(main)
"""
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


def processor(process: subprocess.Popen[bytes]) -> float:
    """Seconds that it has worked, in steps of ten milliseconds (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def once(command: list[str], environment: dict[str, str]) -> tuple[float, float, float, float]:
    """
    Seconds to the answer to ``initialize`` and to the first question.

    By the clock, then of the processor.
    """
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        ask("initialize", HELLO)
        hello, worked = time.perf_counter() - started, processor(process)
        process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        arguments = {"question": QUESTION, "k": 5}
        found = ask("tools/call", {"name": "folder_search", "arguments": arguments})
        answered, in_all = time.perf_counter() - started, processor(process)
        assert found["result"]["structuredContent"]["hits"], found
        process.kill()
    return hello, answered, worked, in_all


def main() -> None:
    """Measure, and print medians as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--times", type=int, default=21)
    arguments = parser.parse_args()
    root = str(arguments.root)
    with fiuto.open(root) as index:
        index.refresh()
    commands = {
        "fiuto mcp": [sys.executable, "-m", "fiuto", "mcp", root],
        "the SDK alone": [sys.executable, "-c", SDK_ALONE, root],
    }
    measured: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}  # noqa: TID251 - for the child
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for command in commands.values():
            once(command, environment)
        for _ in range(arguments.times):  # taking turns: other work on the machine hits both
            for name, command in commands.items():
                measured[name].append(once(command, environment))
    report: dict[str, Any] = {
        "command": f"python -m benchmarks.cold_start {arguments.root.name}",
        "machine": f"{platform.machine()}, 2 cores, Python {platform.python_version()}, "
        f"mcp {importlib.metadata.version('mcp')}",
        "times": arguments.times,
    }
    for name, rows in measured.items():
        for nth, what in enumerate(("initialize", "first answer")):
            values = sorted(row[nth] for row in rows)
            report[f"{name}, {what}, median s"] = round(statistics.median(values), 3)
            report[f"{name}, {what}, fastest s"] = round(values[0], 3)
            worked = statistics.median(row[nth + 2] for row in rows)
            report[f"{name}, {what}, processor s"] = round(worked, 2)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
