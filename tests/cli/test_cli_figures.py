"""Tests of fiuto.cli.figures."""

from __future__ import annotations

import doctest

import pytest

from fiuto.cli import figures


def test_the_examples_are_true() -> None:
    """In the docstrings."""
    assert doctest.testmod(figures).failed == 0


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2_500_000, "2.5 MB"), (7e9, "7.0 GB"),
     (3e13, "30000.0 GB")],
)  # fmt: skip
def test_size_in_the_fitting_unit(number: int, text: str) -> None:
    """Up to gigabytes."""
    assert text == figures.size(int(number))
