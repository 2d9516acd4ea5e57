"""The scan's reasons in words, for surfaces, which do not reach into the scan."""

from __future__ import annotations

from fiuto.scan.reasons import REASONS

__all__ = ["sentence"]


def sentence(reason: str) -> str:
    """What a :attr:`fiuto.model.Skipped.reason` means, as a sentence."""
    return REASONS[reason]
