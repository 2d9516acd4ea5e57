"""
How index time, memory, disk, queries and a refresh grow with a tree, up to a whole kernel.

``apt-get download linux-source-6.1``, unpack it, and the archive inside, then
``python -m benchmarks.scale --tree DIR --out benchmarks/results/scale --chart OUT.svg``.

Parts of the tree are made of hard links, every second, fourth … file by a checksum of its
path, each a git work tree of its own.  Beside fiuto's figures stand floors, what no tool can
go below: reading all bytes, looking at every file, ``git status``, passing once over as many
bytes as there are in the vectors.  An hour on two cores; figures are written after each part.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.machine import load, machine
from benchmarks.peers import Fiuto
from benchmarks.processes import peak_memory, run
from benchmarks.scale_report import chart, markdown

__all__ = ["QUESTIONS", "main", "make_part"]

QUESTIONS = (
    "where is a page written back to disk",
    "how does the scheduler pick the next task",
    "allocate memory that is aligned to the cache line",
    "which function registers a network driver",
    "what happens when the battery is low",
    "verify the checksum of a packet",
    "lock order of the inode mutex",
    "parse the mount options",
    "copy data from user space",
    "vfs_read",
)
"""Questions about the tree that this is run on by default; for time any will do."""


def make_part(tree: Path, share: int, out: Path) -> None:
    """Link one in ``share`` of the files of ``tree`` into ``out``, and make it a work tree."""
    for path in _files(tree):
        name = path.relative_to(tree)
        # The archive's own .gitignore leaves out everything.
        if zlib.crc32(str(name).encode()) % share == 0 and str(name) != ".gitignore":
            target = out / name
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, target)
    quiet = ["git", "-C", str(out), "-c", "core.fsync=none", "-c", "core.looseCompression=0"]
    subprocess.run(["git", "init", "--quiet", str(out)], check=True)
    subprocess.run([*quiet, "add", "--all"], check=True)


def _files(tree: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(tree):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                yield path


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def floors(root: Path) -> dict[str, float]:
    """Seconds of what nobody can spare: second runs, so from the system's cache."""
    files = list(_files(root))

    def read() -> None:
        for path in files:
            path.read_bytes()

    status = ["git", "-C", str(root), "status", "--porcelain"]
    work: dict[str, Callable[[], object]] = {
        "read": read,
        "stat": lambda: [path.stat() for path in _files(root)],
        "git status": lambda: subprocess.run(status, check=True, capture_output=True),
    }
    for one in work.values():
        one()
    return {name: _seconds(one) for name, one in work.items()}


def _pass_over(size: int) -> float:
    """Seconds of one pass over ``size`` bytes of memory: the floor of a scan of all vectors."""
    import numpy as np  # noqa: PLC0415 - only here

    data = np.ones(max(1, size // 8), np.int64)
    return min(_seconds(data.sum) for _ in range(5))


def edit(root: Path, turn: int) -> None:
    """Change one source file of middle size, leaving the one it is linked to alone."""
    files = sorted(path for path in _files(root) if path.suffix == ".c")
    path = files[len(files) // 2]
    text = path.read_bytes() + b"\nint again_%d(void) { return %d; }\n" % (turn, turn)
    draft = path.with_suffix(".new")
    draft.write_bytes(text)
    draft.replace(path)


def measure(root: Path, scratch: Path, runs: int) -> dict[str, Any]:
    """Everything about one part."""
    tool, home = Fiuto(), scratch / "home"
    env = tool.environment(home)
    files = [path.stat().st_size for path in _files(root)]
    out: dict[str, Any] = {"files": len(files), "bytes": sum(files), "load": load()["load"]}
    out["floors"] = floors(root)
    command = [sys.executable, "-m", "fiuto", "index", ".", "--json"]
    indexed = peak_memory(command, env, root, look_seconds=0.1)
    report = json.loads(indexed.output)
    out |= {"index": indexed.seconds, "index cpu": indexed.cpu, "memory": indexed.peak}
    out |= {"indexed files": report["files"], "chunks": report["chunks"]}
    sizes: dict[str, int] = {}
    for path in home.rglob("*"):
        if path.is_file():
            kind = next((k for k in ("postings", "vectors") if k in str(path)), "database")
            sizes[kind] = sizes.get(kind, 0) + path.stat().st_size
    out["disk"] = sizes
    vectors = report["chunks"] * report["embedder"]["dimension"]
    out["floors"]["one pass over the vectors"] = _pass_over(vectors)
    for mode in tool.modes:
        done = [
            run(tool.command(QUESTIONS[turn], mode), env, root, accept=(0, 1))
            for turn in range(runs)
        ]
        out[mode] = median(one.seconds for one in done)
        out[f"{mode} cpu"] = median(one.cpu for one in done)
        out[f"{mode} memory"] = max(one.peak for one in done)
    questions = scratch / "questions.json"
    questions.write_text(json.dumps(QUESTIONS))
    out["inside"] = json.loads(run(tool.inside(questions, 2), env, root).output)
    refreshed = []
    for turn in range(runs):
        edit(root, turn)
        refreshed.append(run(tool.command(QUESTIONS[turn], "hybrid"), env, root, accept=(0, 1)))
    out["refresh"] = median(one.seconds for one in refreshed)
    out["refresh cpu"] = median(one.cpu for one in refreshed)
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--tree", type=Path, required=True, metavar="DIR")
    parser.add_argument("--shares", default="16,8,4,2,1", metavar="N,N",
                        help="one in N files, part after part")  # fmt: skip
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--scratch", type=Path, metavar="DIR",
                        help="on the file system of the tree; beside it by default")  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="STEM", help="STEM.json and STEM.md")
    parser.add_argument("--chart", type=Path, metavar="SVG")
    given = parser.parse_args(arguments)
    tree = given.tree.absolute()
    compileall.compile_dir(Path(__file__).parents[1] / "src", quiet=1)
    data: dict[str, Any] = {
        "command": f"python -m benchmarks.scale --tree DIR --shares {given.shares} "
        f"--runs {given.runs}",
        "machine": machine(), "started": load(), "parts": [],
    }  # fmt: skip
    for share in map(int, given.shares.split(",")):
        with tempfile.TemporaryDirectory(dir=given.scratch or tree.parent) as folder:
            scratch = Path(folder)
            (scratch / "home").mkdir()
            make_part(tree, share, scratch / "tree")
            data["parts"].append({"share": share, **measure(scratch / "tree", scratch, given.runs)})
            shutil.rmtree(scratch / "home")
        data["ended"] = load()
        if given.out:
            given.out.with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n")
            given.out.with_suffix(".md").write_text(markdown(data))
        if given.chart:
            given.chart.write_text(chart(data["parts"]))
        print(f"one in {share} done", file=sys.stderr, flush=True)
    print(markdown(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
