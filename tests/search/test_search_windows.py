"""What the deep tier reads of a chunk."""

from fiuto.model import Chunk
from fiuto.search.windows import windows_of


def chunk_of(text, symbol="Cart.add"):
    """A chunk that begins at line 10."""
    return Chunk(10, 10 + text.count("\n"), text, symbol, "method")


def test_a_short_chunk_is_one_window():
    """Path and symbol stand before the text, which is whole."""
    text = "def add(self, item):\n\n    self.items.append(item)"
    assert windows_of("shop/cart.py", chunk_of(text)) == [f"shop/cart.py\nCart.add\n{text}"]


def test_a_long_chunk_is_cut_between_lines_and_read_at_its_start():
    """Two windows of at most 400 non-blank characters; blanks cost nothing."""
    lines = [f"    {n:03}" + "x" * 97 for n in range(12)]
    windows = windows_of("a.py", chunk_of("\n".join(lines), symbol=""))
    assert windows == ["\n".join(["a.py", "", *lines[:4]]), "\n".join(["a.py", "", *lines[4:8]])]


def test_a_line_longer_than_a_window_is_not_cut():
    """The model cuts it, which is no worse."""
    windows = windows_of("a.js", chunk_of("y" * 5_000 + "\nend();", symbol=""))
    assert windows == ["a.js\n\n" + "y" * 5_000, "a.js\n\nend();"]


def test_a_blank_chunk_has_a_window():
    """Nothing is left without a vector."""
    assert windows_of("a.py", chunk_of("", symbol="")) == ["a.py\n\n"]
