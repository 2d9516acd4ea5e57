"""What the doctor says of one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    """``install``, ``model``, ``cache``, ``index``, ``git``, ``terminal``."""
    state: Literal["ok", "note", "fault"]
    """A note is worth knowing and needs nothing done."""
    what: str
    remedy: str = ""
    """What to do; empty where nothing needs to be."""
