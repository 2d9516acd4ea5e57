"""The ranking on the golden corpus is the one that was accepted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from golden_guard import FILES, HERE, answers


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What is answered today."""
    return answers(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", FILES)
def test_the_ranking_is_the_accepted_one(name: str, now: Mapping[str, str]) -> None:
    """A change on purpose is accepted by ``python -m tests.golden --update`` and reviewed."""
    accepted = Path(HERE / name).read_text("utf-8")

    assert now[name].splitlines() == accepted.splitlines()
