"""Nobody is sent to lines that are not there any more."""

from fiuto.model import Chunk, Content, StoredChunk
from fiuto.search.verify import verify

TEXT = "one\ndef f():\n    pass\nend"
STORED = StoredChunk(1, "a.py", Chunk(2, 3, "def f():\n    pass", "f"), "python", "source", "old")


def now(text, digest="new"):
    """The file as it is."""
    return Content(text, digest)


def test_unchanged_file_is_believed():
    """The digest of the whole file decides."""
    assert verify(STORED, now("whatever", "old")) == (STORED.chunk, True)


def test_moved_lines_are_followed():
    """Twenty lines further down, the same function."""
    chunk, verified = verify(STORED, now("\n" * 20 + TEXT))
    assert (chunk.start, chunk.end, chunk.symbol, verified) == (22, 23, "f", True)


def test_nearest_of_equal_places():
    """Of two copies the one nearest to where it was."""
    text = "def f():\n    pass\n" + "x\n" * 9 + "def f():\n    pass"
    assert verify(STORED, now(text))[0].start == 1


def test_edited_lines_are_marked():
    """Another function's lines are never shown under that name."""
    assert verify(STORED, now("one\ndef g():\n    pass\nend")) == (STORED.chunk, False)


def test_prefix_of_a_longer_line_does_not_count():
    """Whole lines are compared."""
    assert verify(STORED, now("def f():\n    pass_on()"))[1] is False


def test_gone_file_is_marked():
    """A file that cannot be read verifies nothing."""
    assert verify(STORED, None) == (STORED.chunk, False)
