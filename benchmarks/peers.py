"""
The tools that are timed side by side, each behind the same four questions.

A peer lives in an environment of its own, made here where it is missing.  semble's weights
are not on PyPI: it is given random ones of the same shape, which is fair for time, and says
nothing about quality, which is not measured here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks import random_model

__all__ = ["PEERS", "Fiuto", "Ripgrep", "Semble", "Tool", "make_peers"]

PEERS = {"semble": ("semble==0.7.0",), "ripgrep": ("--only-binary", ":all:", "ripgrep")}
"""What pip is asked for."""

_HERE = Path(__file__).parent


class Tool(Protocol):
    """One tool, its index below a home folder."""

    name: str
    modes: Sequence[str]
    """How it can be asked; the first is its default."""

    def environment(self, home: Path) -> Mapping[str, str]:
        """What its process is given."""
        ...

    def command(self, question: str, mode: str) -> Sequence[str]:
        """Asks the current folder."""
        ...

    def inside(self, questions: Path, rounds: int) -> Sequence[str]:
        """Asks the current folder in one process, and prints seconds as JSON; or nothing."""
        ...


def _plain() -> dict[str, str]:
    """The environment of a user: bytecode is kept, nobody's Python path."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ}  # noqa: TID251


@dataclass(frozen=True, slots=True)
class Fiuto:
    """This checkout, by the interpreter that runs the benchmark."""

    name: str = "fiuto"
    modes: Sequence[str] = ("hybrid", "lexical")

    def environment(self, home: Path) -> Mapping[str, str]:
        return _plain() | {"PYTHONPATH": str(_HERE.parent / "src"), "FIUTO_HOME": str(home)}

    def command(self, question: str, mode: str) -> Sequence[str]:
        script = Path(sys.executable).with_name("fiuto")
        start = [str(script)] if script.is_file() else [sys.executable, "-P", "-m", "fiuto"]
        return [*start, "search", question, ".", "--mode", mode]

    def inside(self, questions: Path, rounds: int) -> Sequence[str]:
        script = str(_HERE / "inside_fiuto.py")
        return [sys.executable, script, str(questions), str(rounds)]


@dataclass(frozen=True, slots=True)
class Semble:
    """semble in ``venv``, with the model folder ``model``."""

    venv: Path
    model: Path
    name: str = "semble"
    modes: Sequence[str] = ("hybrid",)

    def environment(self, home: Path) -> Mapping[str, str]:
        own = {
            "SEMBLE_MODEL_NAME": str(self.model),
            "SEMBLE_CACHE_LOCATION": str(home),
            "HF_HUB_OFFLINE": "1",
        }
        return _plain() | own

    def command(self, question: str, mode: str) -> Sequence[str]:
        del mode
        return [str(self.venv / "bin/semble"), "search", question, ".", "-k", "10",
                "--format", "text"]  # fmt: skip

    def inside(self, questions: Path, rounds: int) -> Sequence[str]:
        python = str(self.venv / "bin/python")
        return [python, str(_HERE / "inside_semble.py"), str(questions), str(rounds)]


@dataclass(frozen=True, slots=True)
class Ripgrep:
    """The floor: one pass over all files for any of the question's words, with no index."""

    venv: Path
    name: str = "ripgrep"
    modes: Sequence[str] = ("words",)

    def environment(self, home: Path) -> Mapping[str, str]:
        del home
        return _plain()

    def command(self, question: str, mode: str) -> Sequence[str]:
        del mode
        words = [word for word in re.findall(r"\w+", question) if len(word) > 3]
        return [str(self.venv / "bin/rg"), "-n", "-i", "|".join(words), "."]

    def inside(self, questions: Path, rounds: int) -> Sequence[str]:
        del questions, rounds
        return ()


def make_peers(names: Sequence[str], venv: Path, text: Path) -> list[Tool]:
    """
    The peers called ``names``, installed into ``venv`` where they are missing.

    Args:
        names: of :data:`PEERS`.
        venv: the environment; made where it is missing.
        text: code that the vocabulary of the random model is learnt from.

    Raises:
        CalledProcessError: pip or the making of the model failed.
    """
    if names and not (venv / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    programs = {"semble": "semble", "ripgrep": "rg"}
    for name in names:
        if not (venv / "bin" / programs[name]).exists():
            command = [str(venv / "bin/pip"), "install", "--quiet", *PEERS[name]]
            subprocess.run(command, check=True, env=_plain())
    tools: list[Tool] = []
    for name in names:
        if name == "semble":
            model = venv / "random-model"
            making = [str(venv / "bin/python"), random_model.__file__, str(model), "--text"]
            subprocess.run([*making, str(text)], check=True, env=_plain())
            tools.append(Semble(venv, model))
        else:
            tools.append(Ripgrep(venv))
    return tools
