"""A hit to draw, with whatever a test wants to be different about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fiuto.model import Hit

BODY = """\
def should_strip_auth(self, old_url, new_url):
    \"\"\"Decide whether Authorization header should be removed when redirecting\"\"\"
    old_parsed = urlparse(old_url)
    new_parsed = urlparse(new_url)
    if old_parsed.hostname != new_parsed.hostname:
        return True

    # Special case: allow http -> https redirect when using the standard ports.
    changed_port = old_parsed.port != new_parsed.port
    changed_scheme = old_parsed.scheme != new_parsed.scheme
    return changed_port or changed_scheme"""


@pytest.fixture
def hit_of() -> Callable[..., Hit]:
    """Makes a hit in src/sessions.py, lines 127 to 137."""
    plain = Hit(
        path="src/sessions.py",
        start=127,
        end=137,
        symbol="Session.should_strip_auth",
        language="python",
        label="source",
        kind="function",
        score=0.03,
        parts={"lexical": 0.02, "semantic": 0.01},
        ranks={"lexical": 1, "semantic": 7},
        text=BODY,
        verified=True,
    )

    def make(**changes: object) -> Hit:
        return replace(plain, **changes)

    return make
