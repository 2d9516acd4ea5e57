"""
Kills fiuto at random points while it writes, and asks what is left.

``python -m benchmarks.kill --times 1000 --seed 0`` makes a small tree and, for each trial,
starts a process that works on its index without pause:

- ``refresh``: changes every file, refreshes, and again;
- ``rebuild``: the same, starting over each time;
- ``search``: changes every file and asks a question, which refreshes;
- ``forget``: deletes the index, makes it again, and again;
- ``watch``: changes every file beside a running ``fiuto watch``, where there is that command.

After each step the process acknowledges it through a pipe; after a random time it is
killed with SIGKILL.  Then, in another process:

1. What was acknowledged is there: the newest whole version of every file, or a later one.
   After ``forget`` there may be no index, but never half of one.
2. All that is there is of one version: rows, keyword lists, vectors; nothing is said to be
   damaged.
3. A search with a refresh answers from the tree as it is now.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import itertools
import json
import os
import platform
import random
import re
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fiuto

FILES = 10
_VERSION = re.compile(r"def v(\d+)_f")
_LOADED = (
    "numpy", "tantivy", "simsimd", "tree_sitter", "tree_sitter_python",
    "fiuto.chunk.syntax", "fiuto.embed.question", "fiuto.embed.static_documents",
    "fiuto.engine.index", "fiuto.indexing.indexer", "fiuto.store.mend", "fiuto.store.writer",
)  # fmt: skip
_ACTIONS = ("refresh", "rebuild", "search", "forget", "watch")


def change(tree: Path, version: int) -> None:
    """Write every file anew, each with words of this version; each file in one step."""
    for i in range(FILES):
        body = "\n".join(f"def v{version}_f{i}_n{j}(user):\n    return {j}\n" for j in range(4))
        draft = tree.parent / "draft"
        draft.write_text(body)
        draft.rename(tree / f"part_{i}.py")


def work(action: str, tree: Path, home: Path, version: int, said: int) -> None:
    """Work without end, acknowledging each step as a line on the descriptor ``said``."""
    for now in itertools.count(version):
        if action == "forget":
            fiuto.forget(tree, home)
            os.write(said, b"gone\n")
        change(tree, now)
        with fiuto.open(tree, home=home) as index:
            if action == "search":
                index.search(f"v{now}_f7_n3")
            else:
                index.refresh(rebuild=action == "rebuild")
        os.write(said, f"{now}\n".encode())


def watch(tree: Path, home: Path, version: int, said: int) -> None:
    """Change files beside ``fiuto watch``; acknowledged is what a reader saw."""
    watcher = os.fork()
    if not watcher:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execve(
            sys.executable,
            [sys.executable, "-m", "fiuto", "watch", str(tree)],
            os.environ | {"FIUTO_HOME": str(home)},  # noqa: TID251 - handed on
        )
    os.write(said, f"pid {watcher}\n".encode())
    for now in itertools.count(version):
        change(tree, now)
        while True:
            time.sleep(0.02)
            try:
                with fiuto.open(tree, home=home) as index:
                    seen = set(versions(index).values())
            except fiuto.IndexMissing:
                continue
            if seen == {now}:
                break
        os.write(said, f"{now}\n".encode())


def versions(index: fiuto.Index) -> dict[str, int]:
    """The version of each file of the index; -1 where chunks of two versions stand side by side."""
    reader = index._store.read()  # noqa: SLF001 - what no hit shows matters here
    out = {}
    for path in reader.files():
        found = {v for s in reader.chunks_of(path) for v in _VERSION.findall(s.chunk.text)}
        out[path] = int(found.pop()) if len(found) == 1 else -1
    return out


def check(tree: Path, home: Path, acknowledged: str, newest: int) -> str:
    """What is wrong with the index, or in a word what the kill left."""
    kind = "none"
    with fiuto.open(tree, home=home) as index:
        try:
            kind = _left(index, acknowledged)
        except fiuto.IndexMissing:
            if acknowledged != "gone":
                return "LOST: no index"
        if kind.isupper() or ":" in kind:
            return kind
        change(tree, newest)
        results = index.search(f"v{newest}_f7_n3", k=1, mode="lexical")
        counts = results.status.counts
        if (counts.files, counts.unembedded) != (FILES, 0) or results.warnings:
            return f"BROKEN: {counts} {results.warnings}"
        if not results or f"v{newest}_f7_n3(" not in results[0].text:
            return f"BROKEN: the newest content is not found: {results.hits}"
    return kind


def _left(index: fiuto.Index, acknowledged: str) -> str:
    found = versions(index)
    status = index.status()
    held = set(found.values())
    if not status.manifest.complete:
        return "incomplete" if acknowledged == "gone" else "LOST: not complete"
    if len(held) != 1 or -1 in held or len(found) != FILES:
        return f"BROKEN: {len(found)} files of versions {sorted(held)}"
    (version,) = held
    if acknowledged != "gone" and version < int(acknowledged):
        return f"LOST: {acknowledged} was acknowledged, {version} is there"
    for mode in ("lexical", "hybrid")[: 1 + (version % 3 == 0)]:
        results = index.search(f"v{version}_f7_n3", k=1, mode=mode, refresh=False, verify=False)
        if results.warnings or not results or f"v{version}_f7_" not in results[0].text:
            return f"BROKEN: {mode} finds {results.hits} {results.warnings}"
    if status.counts.unembedded:
        return f"BROKEN: {status.counts}"
    return "acknowledged" if str(version) == acknowledged else "newer"


def apart(job: Callable[[int], None]) -> tuple[int, int]:
    """Run ``job`` in a process of its own: its number and a descriptor to read from."""
    listen, said = os.pipe()
    child = os.fork()
    if child:
        os.close(said)
        return child, listen
    os.close(listen)
    try:
        job(said)
    except BaseException as error:  # noqa: BLE001 - told to the parent, whatever it is
        os.write(said, f"error {error!r}\n".encode())
    os._exit(0)


def everything(listen: int, patience: float | None = 120) -> list[str]:
    """All lines until the other end is closed."""
    data = b""
    while select.select([listen], [], [], patience)[0] and (more := os.read(listen, 65536)):
        data += more
    os.close(listen)
    return data.decode().splitlines()


def trial(action: str, tree: Path, home: Path, version: int, seconds: float) -> str:
    """One kill; what was left, with what was acknowledged before."""
    before = version - 1
    doer = watch if action == "watch" else None
    child, listen = apart(
        lambda said: (
            doer(tree, home, version, said) if doer else work(action, tree, home, version, said)
        )
    )
    first = b""
    if action == "watch":  # it takes its time to start, which nobody needs to hit
        while b"\n" not in first.partition(b"\n")[2] and select.select([listen], [], [], 60)[0]:
            first += os.read(listen, 1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    lines = (first + _drained(listen)).decode().splitlines()
    for line in lines:
        if line.startswith("pid "):
            os.kill(int(line[4:]), signal.SIGKILL)
    told = [line for line in lines if not line.startswith("pid ")]
    if told and told[-1].startswith("error"):
        return f"BROKEN: {told[-1]}"
    acknowledged = told[-1] if told else "gone" if action == "forget" else str(before)
    if action == "forget":
        acknowledged = "gone"  # the next deletion may have begun
    newest = version + 100_000 - 1
    child, listen = apart(
        lambda said: os.write(said, check(tree, home, acknowledged, newest).encode()) and None
    )
    os.waitpid(child, 0)
    said = " ".join(everything(listen)) or "BROKEN: the check said nothing"
    return f"{said}, nothing done yet" if said == "acknowledged" and not told else said


def _drained(listen: int) -> bytes:
    """What is in the pipe now: a process that still holds its other end says no more."""
    data = b""
    while select.select([listen], [], [], 0)[0] and (more := os.read(listen, 65536)):
        data += more
    os.close(listen)
    return data


def trials(times: int, seed: int, actions: list[str]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Kill so many times, in a tree of its own; what was left by action, and what was wrong."""
    rng = random.Random(seed)
    tally: dict[str, Counter[str]] = {action: Counter() for action in actions}
    broken: list[str] = []
    others = len(actions) - (len(actions) > 1 and "watch" in actions)
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        tree, home = Path(folder, "tree"), Path(folder, "home")
        tree.mkdir()
        version = 100_000
        change(tree, version - 1)
        started = time.monotonic()
        # In another process: threads that an index starts would not live through a fork.
        child, listen = apart(lambda _: fiuto.open(tree, home=home).refresh() and None)
        os.waitpid(child, 0)
        said = everything(listen)
        assert not said, said
        whole = time.monotonic() - started
        for turn in range(times):
            # A watcher takes seconds to start: every tenth is enough of them.
            action = "watch" if "watch" in actions and turn % 10 == 9 else actions[turn % others]
            left = trial(action, tree, home, version, rng.uniform(0.02, 4) * whole)
            version += 100_000
            tally[action][left.partition(":")[0]] += 1
            if left.startswith(("LOST", "BROKEN", "error")):
                broken.append(f"seed {seed}, {turn}, {action}: {left}")
                print(broken[-1], file=sys.stderr, flush=True)
            if turn % 25 == 24:
                print(f"seed {seed}: {turn + 1} kills {tally}", file=sys.stderr, flush=True)
    return tally, broken


def main() -> None:
    """Run the trials and print a tally as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="runs at once, each with its own tree")
    parser.add_argument("--only", choices=_ACTIONS, help="only this kind of work")
    parser.add_argument("--out", type=Path, help="write the tally there too")
    arguments = parser.parse_args()
    for name in _LOADED:  # once, here, so that the processes start at once
        importlib.import_module(name)
    actions = [arguments.only] if arguments.only else list(_ACTIONS)
    if importlib.util.find_spec("fiuto.cli.watch") is None:
        print("no command fiuto watch: left out", file=sys.stderr)
        actions = [action for action in actions if action != "watch"]
    each = arguments.times // arguments.jobs
    runs = [
        apart(
            lambda said, seed=arguments.seed + i: (
                os.write(said, json.dumps(trials(each, seed, actions)).encode()) and None
            )
        )
        for i in range(arguments.jobs)
    ]
    tally: dict[str, Counter[str]] = {action: Counter() for action in actions}
    broken: list[str] = []
    for _, listen in runs:
        found, wrong = json.loads("".join(everything(listen, patience=None)))
        broken += wrong
        for action, counts in found.items():
            tally[action].update(counts)
    report = {
        "command": f"python -m benchmarks.kill --times {arguments.times} --seed {arguments.seed} "
        f"--jobs {arguments.jobs}",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}",
        "times": sum(counter.total() for counter in tally.values()),
        "broken or lost": len(broken),
        "which": broken,
        "left": {action: dict(counter.most_common()) for action, counter in tally.items()},
    }
    text = json.dumps(report, indent=1) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text)
    sys.exit(1 if broken else 0)


def _memory() -> str | None:
    """Where writes cost little, so that more of them are hit; the disk where there is no such."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if __name__ == "__main__":
    main()
