"""A small tree of our own, and a way to open it without touching the user's cache."""

from pathlib import Path

import pytest

import fiuto
from fiuto.embed.scripted import ScriptedEmbedder

FILES = {
    "src/limits.py": (
        "def block_user(user):\n"
        '    """Put a user on cooldown after too many failed tries."""\n'
        "    user.cooldown = True\n"
        "\n\n"
        "def allow_user(user):\n"
        "    user.cooldown = False\n"
    ),
    "src/net.py": "def open_proxy(host):\n    return connect(host)\n",
    "tests/test_limits.py": "def test_cooldown():\n    assert block_user\n",
    "README.md": "# Shop\n\nUsers can be blocked.\n",
}


@pytest.fixture
def tree(tmp_path) -> Path:
    """A folder of four files, outside any repository."""
    root = tmp_path / "shop"
    for path, text in FILES.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return root


@pytest.fixture
def embedder():
    """Counts what it embeds."""
    return ScriptedEmbedder("first", 16)


@pytest.fixture
def opened(tree, tmp_path, embedder):
    """Open the tree, or another folder, with the scripted embedder and a home of its own."""
    indexes = []

    def open_(root=tree, **options):
        options.setdefault("embedder", embedder)
        index = fiuto.open(root, home=tmp_path / "home", **options)
        indexes.append(index)
        return index

    yield open_
    for index in indexes:
        index.close()
