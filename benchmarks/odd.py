"""
Indexes many folders with ``fiuto index`` and collects every line that is no result.

``python -m benchmarks.odd --home DIR --out JSON FOLDER…`` starts one process a folder, as a
user would, into an empty ``--home``.  Per folder: exit code, seconds, peak memory, figures,
what was left out and why, and each line on standard error.  A line that a user could not act
on (an exit code other than 0, a traceback, an internal error, a warning) is a complaint.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def look(folder: Path, home: Path) -> dict[str, Any]:
    """Index one folder; what came of it."""
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "fiuto", "index", str(folder), "--json"],
        env=os.environ | {"FIUTO_HOME": str(home)},  # noqa: TID251 - handed on
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds = time.monotonic() - started
    report = json.loads(done.stdout) if done.returncode == 0 else {}
    lines = [*done.stderr.splitlines(), *report.get("warnings", ())]
    kept = ("files", "chunks", "bytes", "skipped", "fallbacks")
    return {
        "folder": folder.name,
        "exit": done.returncode,
        "seconds": round(seconds, 1),
        **{name: report[name] for name in kept if name in report},
        "complaints": lines + [f"exit code {done.returncode}"] * bool(done.returncode),
    }


def main() -> None:
    """Index every folder and write what was said."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rows = []
    for folder in arguments.folders:
        rows.append(look(folder, arguments.home))
        print(json.dumps(rows[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    report = {
        "command": "python -m benchmarks.odd --home DIR FOLDER…",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}",
        "folders": len(rows),
        "complaints": sum(len(row["complaints"]) for row in rows),
        "peak memory of one process, MB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        // 1024,
        "rows": rows,
    }
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, "utf-8")
    sys.exit(1 if report["complaints"] else 0)


if __name__ == "__main__":
    main()
