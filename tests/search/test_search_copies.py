"""Equal text is shown once, from the place a reader would call the original."""

from fiuto.model import Chunk, StoredChunk
from fiuto.search.copies import Folded, fold


def chunk(path, text, start=1, label="source"):
    """One chunk of one line."""
    return StoredChunk(hash((path, start)), path, Chunk(start, start, text), "python", label, "d")


def test_main_checkout_first():
    """A worktree and a vendored copy are counted, whichever ranked first."""
    worktree = chunk(".trees/w1/src/a.py", "def f(): pass", label="vendored")
    main = chunk("src/a.py", "def f(): pass")
    deeper = chunk("lib/old/src/a.py", "def f(): pass", start=7)
    other = chunk("src/b.py", "def g(): pass")

    folded = list(fold([worktree, other, main, deeper]))

    assert folded == [
        Folded(main, worktree, (".trees/w1/src/a.py:1-1", "lib/old/src/a.py:7-7")),
        Folded(other, other),
    ]


def test_one_file_is_no_copy_of_itself():
    """Two equal stretches of a file are two places."""
    first, second = chunk("a.py", "pass", 1), chunk("a.py", "pass", 9)
    assert [folded.main for folded in fold([second, first])] == [second, first]


def test_copies_of_repeated_text_pair_up():
    """The second occurrence here belongs to the second occurrence there."""
    ranked = [chunk("a.py", "x", 1), chunk("v/a.py", "x", 1), chunk("a.py", "x", 5)]
    assert [folded.copies for folded in fold(ranked)] == [("v/a.py:1-1",), ()]


def body(name, constant="1", lines=24):
    """A function of some lines, one of which holds a constant."""
    return "\n".join(
        [f"def {name}():", *(f"    step_{i}()" for i in range(lines)), f"    {constant}"]
    )


def test_nearly_equal_definitions_are_copies():
    """One line of 26 differs; most of them do."""
    one = StoredChunk(1, "a.py", Chunk(1, 14, body("f"), "f"), "python", "source", "d")
    near = StoredChunk(2, "old/a.py", Chunk(3, 16, body("f", "2"), "f"), "python", "source", "d")
    far = StoredChunk(3, "b.py", Chunk(1, 8, body("f", "3", 6), "f"), "python", "source", "d")
    other = StoredChunk(4, "c.py", Chunk(1, 14, body("g"), "g"), "python", "source", "d")

    assert list(fold([near, one, far, other])) == [
        Folded(one, near, ("old/a.py:3-16",)), Folded(far, far), Folded(other, other),
    ]  # fmt: skip


def test_short_definitions_are_no_near_copies():
    """Getters are all alike."""
    chunks = [
        StoredChunk(
            i, f"{i}.py", Chunk(1, 2, f"def get():\n    return {i}", "get"), "python", "source", "d"
        )
        for i in range(2)
    ]
    assert len(list(fold(chunks))) == 2
