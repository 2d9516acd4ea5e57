"""What the two learners share: both sets of questions, each with the home of its index."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import grep_proof, quality
from benchmarks.command import Case

__all__ = ["PROOF", "PUBLIC", "cases", "parser"]

PUBLIC, PROOF = "public", "grep-proof"
"""Names of the sets; answers of the first are files, of the second lines."""


def parser(description: str) -> argparse.ArgumentParser:
    """With the options that name the sets and where to keep indexes and the report."""
    options = argparse.ArgumentParser(description=description)
    for name in ("--repos", "--annotations", "--questions", "--checkouts", "--home"):
        options.add_argument(name, type=Path, required=True)
    options.add_argument("--json", type=Path)
    return options


def cases(given: argparse.Namespace) -> list[tuple[str, Case, Path]]:
    """
    Every repository of both sets: the set's name, its questions, the home of its index.

    Raises:
        FiutoError: a work tree is missing, or a file is malformed.
    """
    public = quality.load_cases(given.repos, given.annotations, given.checkouts)[0]
    proof = grep_proof.load_cases(given.questions, given.checkouts, "en")
    return [
        *((PUBLIC, case, given.home / "public" / case.repository) for case in public),
        *((PROOF, case, given.home / "whole" / case.repository) for case in proof),
    ]
