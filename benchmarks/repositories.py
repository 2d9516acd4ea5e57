"""The list of repositories: where each comes from, and at which revision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fiuto.errors import UsageError

__all__ = ["Repository", "load_repositories", "read_json_list"]


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository of a benchmark."""

    name: str
    """What its work tree and its file of questions are called."""
    github: str
    """``owner/name``."""
    revision: str
    language: str = ""
    root: str = ""
    """The folder inside it that is indexed; empty for all of it."""


def load_repositories(path: Path) -> dict[str, Repository]:
    """
    Repositories by name, in the order of the file.

    Raises:
        UsageError: the file is not a list of such entries; the message names the entry.
    """
    found: dict[str, Repository] = {}
    for number, entry in enumerate(read_json_list(path), start=1):
        texts = {key: entry.get(key) or "" for key in _KEYS}
        wrong = [key for key, value in texts.items() if not isinstance(value, str)]
        missing = [key for key in ("name", "github", "revision") if not texts[key]]
        if wrong or missing:
            raise UsageError(f"{path}, entry {number}: {(wrong + missing)[0]} must be a text")
        if texts["name"] in found or "/" in texts["name"]:
            raise UsageError(f"{path}, entry {number}: {texts['name']!r} cannot be a name here")
        found[texts["name"]] = Repository(
            name=texts["name"],
            github=texts["github"],
            revision=texts["revision"],
            language=texts["language"],
            root=texts["benchmark_root"].strip("/"),
        )
    return found


_KEYS: Sequence[str] = ("name", "github", "revision", "language", "benchmark_root")


def read_json_list(path: Path) -> list[dict[str, Any]]:
    """
    The objects of a JSON file that holds a list of them.

    Raises:
        UsageError: it cannot be read, or holds something else.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise UsageError(f"{path} must hold a list of objects")
    return data
