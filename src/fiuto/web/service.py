"""What the endpoints work on."""

from __future__ import annotations

from dataclasses import dataclass, field

from fiuto.web.jobs import Jobs
from fiuto.web.library import Library

__all__ = ["Service"]


@dataclass(frozen=True, slots=True)
class Service:
    """One server's indexes and jobs."""

    library: Library
    jobs: Jobs = field(default_factory=Jobs)
    editor: str = ""
    """Address that opens a file in an editor, with ``{path}`` and ``{line}``; empty for the
    page's own default."""

    def close(self) -> None:
        """Stop what runs and let every index go."""
        self.jobs.close()
        self.library.close()
