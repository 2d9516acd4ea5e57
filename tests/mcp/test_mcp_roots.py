"""What is served: nothing beside it, nothing longer than it is wanted."""

from __future__ import annotations

import time

import pytest

from fiuto.engine import open_index
from fiuto.errors import UsageError
from fiuto.mcp.answers import answer
from fiuto.mcp.roots import Roots


def silent(*_):
    """Progress for nobody."""


def read(roots, file):
    """Its first line."""
    given = {"file": str(file), "start": 1, "end": 1}
    return answer("read_lines", given, roots, silent).data["text"]


@pytest.fixture
def linked(tree):
    """Links in the tree: to a folder of it, out of it, and to files."""
    outside = tree.parent / "outside"
    outside.mkdir()
    (outside / "notes.py").write_text("outside = 1\n")
    hidden = tree / "hidden"
    hidden.mkdir()
    (hidden / ".env").write_text("TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ0123456789\n")
    (tree / "inner").symlink_to(tree / "src")
    (tree / "outer").symlink_to(outside)
    (tree / "to_hidden").symlink_to(hidden)
    (tree / "file.py").symlink_to(outside / "notes.py")
    (tree / "env.py").symlink_to(tree / ".env")
    return tree


def test_a_linked_folder_is_read_where_it_leads(linked):
    """Inside the root."""
    roots = Roots([linked])
    assert read(roots, "inner/net.py") == "def open_proxy(host):"
    assert read(roots, linked / "inner/net.py") == "def open_proxy(host):"


@pytest.mark.parametrize(
    "file",
    ["outer/notes.py", "inner/../outer/notes.py", "to_hidden/.env", "hidden/.env", "file.py",
     "env.py", "inner/../.env", ".git/config", "outer/../outside/notes.py"],
)  # fmt: skip
def test_no_link_leads_out_or_to_what_is_withheld(linked, file):
    """By no spelling, absolute or not."""
    roots = Roots([linked])
    for spelling in (file, linked / file):
        with pytest.raises(UsageError):
            read(roots, spelling)


def test_idle_indexes_are_let_go(tree):
    """And opened again by the next call."""
    opened = []

    def opener(root):
        opened.append(open_index(root))
        return opened[-1]

    roots = Roots([tree], opener, idle=0.1)
    question = {"question": "cooldown"}
    before = answer("folder_search", question, roots, silent)
    many = len(opened)
    until = time.monotonic() + 30
    while roots._open:
        assert time.monotonic() < until
        time.sleep(0.05)
    after = answer("folder_search", question, roots, silent)
    assert after == before
    assert len(opened) == many + 1
    roots.close()
