"""
How fast, beside others: first answer, warm answer, refresh, query, memory, size of the index.

``python -m benchmarks.speed --repos JSON --checkouts DIR --peers semble,ripgrep``

One repository of each language is copied, so that a file can be edited, and each tool asks
it in turn, every command in a fresh process: run by run fiuto, then each peer, so that
whatever else the machine does hits all alike.  Absolute times of a busy machine are too
high; the ratios are what can be compared.  Tools are taken as they come: fiuto indexes
documents and settings too, semble code alone.  With ``--scope root`` the folder is the one
that the public set asks about, mostly code, instead of the whole checkout.
"""

from __future__ import annotations

import argparse
import compileall
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import load, machine
from benchmarks.peers import PEERS, Fiuto, Tool, make_peers
from benchmarks.processes import Timed, peak_memory, run
from benchmarks.repositories import Repository, load_repositories
from benchmarks.speed_table import markdown
from fiuto.errors import FiutoError, UsageError
from fiuto.languages import language_of

__all__ = ["QUESTIONS", "measure", "one_a_language", "with_edit"]

QUESTIONS = (
    "where is the configuration read",
    "how are errors reported to the caller",
    "parse the input into values",
    "which function writes the result",
    "what happens when a timeout is reached",
    "close the connection and release resources",
    "retry after a failure",
    "default options",
    "how is a name looked up",
    "convert a value to a string",
    "where are listeners called when something changes",
    "to_string",
)
"""Questions that any repository has some answer to; what they find is not looked at."""


def one_a_language(repositories: Sequence[Repository], checkouts: Path) -> list[Repository]:
    """The first repository of each language that is there."""
    found: dict[str, Repository] = {}
    for repository in repositories:
        if (checkouts / repository.name).is_dir():
            found.setdefault(repository.language, repository)
    return list(found.values())


def with_edit(root: Path, language: str, turn: int) -> None:
    """Change one file of the language, else of any: that of middle size, its last lines again."""
    every = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    named = [path for path in every if language_of(path.name) == language]
    files = named or [path for path in every if language_of(path.name)]
    files.sort(key=lambda path: (path.stat().st_size, path))
    path = files[len(files) // 2]
    lines = path.read_text("utf-8", "surrogateescape").split("\n")
    more = "\n".join([*lines, *lines[-10:], f"again {turn}", ""])
    path.write_text(more, "utf-8", "surrogateescape")


def measure(  # noqa: C901 - one loop after the other
    repository: Repository, checkout: Path, tools: Sequence[Tool], runs: int, scratch: Path
) -> dict[str, Any]:
    """Everything about one repository, by tool; lists of seconds, sizes in bytes."""
    tree = scratch / "tree"
    shutil.copytree(checkout, tree, symlinks=True)
    root = tree / repository.root
    homes = {tool.name: scratch / f"home-{tool.name}" for tool in tools}
    out: dict[str, dict[str, Any]] = {tool.name: {} for tool in tools}

    def ask(tool: Tool, turn: int, mode: str = "") -> Timed:
        command = tool.command(QUESTIONS[turn % len(QUESTIONS)], mode or tool.modes[0])
        return run(command, tool.environment(homes[tool.name]), root, accept=(0, 1))

    def note(tool: Tool, what: str, done: Timed) -> None:
        out[tool.name].setdefault(what, []).append(done.seconds)
        out[tool.name].setdefault(f"{what} cpu", []).append(done.cpu)

    indexed = [tool for tool in tools if tool.inside(Path(), 0)]
    for tool in indexed:  # the first look at each file is the disk's, not the tool's
        shutil.rmtree(homes[tool.name], ignore_errors=True)
        homes[tool.name].mkdir()
        command = tool.command(QUESTIONS[0], tool.modes[0])
        env = tool.environment(homes[tool.name])
        out[tool.name]["memory"] = peak_memory(command, env, root, accept=(0, 1)).peak
    for turn in range(max(2, runs // 2)):
        for tool in indexed:
            shutil.rmtree(homes[tool.name])
            homes[tool.name].mkdir()
            note(tool, "cold", ask(tool, turn))
    for tool in indexed:
        files = [path for path in homes[tool.name].rglob("*") if path.is_file()]
        out[tool.name]["index"] = sum(path.stat().st_size for path in files)
    for turn in range(runs):
        for tool in tools:
            for mode in tool.modes:
                note(tool, mode, ask(tool, turn, mode))
    questions = scratch / "questions.json"
    questions.write_text(json.dumps(QUESTIONS))
    for tool in indexed:
        env = tool.environment(homes[tool.name])
        out[tool.name]["inside"] = json.loads(run(tool.inside(questions, runs), env, root).output)
    for turn in range(max(2, runs // 2)):
        with_edit(root, repository.language, turn)
        for tool in indexed:
            note(tool, "refresh", ask(tool, turn))
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0, or 2 where the input cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--repos", type=Path, required=True, metavar="JSON")
    parser.add_argument("--checkouts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--peers", default="", metavar="NAMES", help=f"of {', '.join(PEERS)}")
    parser.add_argument("--venv", type=Path, default=Path(".peers"), metavar="DIR",
                        help="environment of the peers, made where missing")  # fmt: skip
    parser.add_argument("--runs", type=int, default=5, help="warm runs; half as many cold ones")
    parser.add_argument("--scope", choices=("checkout", "root"), default="checkout")
    parser.add_argument("--repository", action="append", default=[], metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="STEM",
                        help="write STEM.json and STEM.md after each repository")  # fmt: skip
    given = parser.parse_args(arguments)
    try:
        chosen = _chosen(given)
        names = [name for name in given.peers.split(",") if name]
        if wrong := set(names) - set(PEERS):
            raise UsageError(f"no peer is called {wrong.pop()!r}; known: {', '.join(PEERS)}")
    except FiutoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    venv = given.venv.absolute()
    tools: list[Tool] = [Fiuto(), *make_peers(names, venv, given.checkouts)]
    compileall.compile_dir(Path(__file__).parents[1] / "src", quiet=1)
    data: dict[str, Any] = {
        "command": f"python -m benchmarks.speed --repos JSON --checkouts DIR --peers {given.peers} "
        f"--runs {given.runs} --scope {given.scope}",
        "machine": machine(), "started": load(), "runs": given.runs, "scope": given.scope,
        "repositories": {},
    }  # fmt: skip
    for repository in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            checkout = given.checkouts.absolute() / repository.name
            figures = measure(repository, checkout, tools, given.runs, Path(scratch))
        entry = {"language": repository.language, "load": load()["load"], **figures}
        data["repositories"][repository.name] = entry
        data["ended"] = load()
        if given.out:
            given.out.with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n")
            given.out.with_suffix(".md").write_text(markdown(data))
        print(f"{repository.name} done", file=sys.stderr, flush=True)
    print(markdown(data))
    return 0


def _chosen(given: argparse.Namespace) -> list[Repository]:
    every = list(load_repositories(given.repos).values())
    if given.repository:
        chosen = [one for one in every if one.name in given.repository]
    else:
        chosen = one_a_language(every, given.checkouts)
    if not chosen:
        raise UsageError(f"none of the repositories is in {given.checkouts}")
    if given.scope == "checkout":
        return [Repository(o.name, o.github, o.revision, o.language) for o in chosen]
    return chosen


if __name__ == "__main__":
    sys.exit(main())
