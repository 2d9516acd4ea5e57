"""Progress as the protocol wants it: one number that only rises."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Rising"]

_SPANS = {"scan": (0, 2), "read": (2, 50), "embed": (50, 99)}
"""Where each stage of indexing lies in the whole, in percent: what it takes for most folders.
Commits come in between, and are short."""


class Rising:
    """
    Turns stages into percents; tells each once, and none that is lower than one before.

    Called as :data:`fiuto.protocols.Progress`.

    Args:
        tell: given percents done, 100, and a line for people.
    """

    def __init__(self, tell: Callable[[float, float, str], None]) -> None:
        self._tell = tell
        self._last = -1

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in _SPANS:
            return
        first, last = _SPANS[stage]
        share = done / total if total else 0
        percent = first + int((last - first) * share)
        if percent <= self._last:
            return
        self._last = percent
        amount = f" {done:,} of {total:,}" if total else ""
        self._tell(float(percent), 100.0, f"{stage}{amount}")
