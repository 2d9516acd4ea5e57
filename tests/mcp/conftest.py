"""A small tree that is served."""

from pathlib import Path

import pytest

FILES = {
    "src/limits.py": "def block_user(user):\n    # Put a user on cooldown.\n    user.cool = True\n",
    "src/net.py": "def open_proxy(host):\n    return connect(host)\n",
    "tests/test_limits.py": "def test_cooldown():\n    assert block_user\n",
    ".env": "TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ0123456789\n",
}


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Path:
    """Four files, one of them secret; indexes in a home of their own."""
    monkeypatch.setenv("FIUTO_HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root
