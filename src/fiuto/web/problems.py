"""What goes wrong, as a status and one JSON object; the only place that knows status codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fiuto.errors import (
    FiutoError,
    IndexBusy,
    IndexMismatch,
    IndexMissing,
    ModelUnavailable,
    UsageError,
)

__all__ = ["Forbidden", "Missing", "Problem", "TooLarge", "Withheld", "problem_of"]


class Problem(UsageError):
    """A request that cannot be answered as asked."""

    status = 400
    kind = "usage"


class Missing(Problem):
    """No index, file, job or page of that name."""

    status = 404
    kind = "missing"


class Withheld(Problem):
    """A file that is not in the index, so that it is not shown either."""

    status = 403
    kind = "withheld"


class Forbidden(Problem):
    """A request from somewhere else than the page: another host, site, or nobody known."""

    status = 403
    kind = "forbidden"


class TooLarge(Problem):
    """A body longer than anything the API takes."""

    status = 413
    kind = "too-large"


_STATUS: tuple[tuple[type[FiutoError], int, str], ...] = (
    (IndexMissing, 404, "no-index"),
    (IndexBusy, 409, "busy"),
    (IndexMismatch, 409, "mismatch"),
    (ModelUnavailable, 503, "no-model"),
    (UsageError, 400, "usage"),
    (FiutoError, 500, "fault"),
)
"""The first class that fits decides."""


def problem_of(error: FiutoError) -> tuple[int, Mapping[str, Any]]:
    """The status for ``error`` and its body: ``{"error": {"kind", "message"}}``."""
    status, kind = next((s, k) for class_, s, k in _STATUS if isinstance(error, class_))
    if isinstance(error, Problem):
        status, kind = error.status, error.kind
    body: dict[str, Any] = {"kind": kind, "message": str(error)}
    if faults := getattr(error, "faults", ()):
        body["faults"] = [str(fault) for fault in faults]
    return status, {"error": body}
