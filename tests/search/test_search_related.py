"""Which chunk a line belongs to."""

import pytest
from search_made import chunk

from fiuto.search.related import chunk_at

CHUNKS = [chunk(1, "a.py", start=1, end=4), chunk(2, "a.py", start=5, end=9),
          chunk(3, "a.py", start=15, end=20)]  # fmt: skip


@pytest.mark.parametrize(("line", "id_"), [(1, 1), (4, 1), (5, 2), (11, 2), (12, 3), (99, 3)])
def test_the_chunk_that_holds_a_line_or_the_nearest(line, id_):
    """Of two equally near the later, which the blank lines lead to."""
    found = chunk_at(CHUNKS, line)
    assert found is not None
    assert found.id == id_


def test_no_chunks():
    """An empty file has none."""
    assert chunk_at([], 1) is None
