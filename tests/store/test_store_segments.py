"""The best rows are the same ones, whichever way they are picked."""

import heapq
from array import array

import pytest

from fiuto.store import segments
from fiuto.store.segments import Row, merge_segments, open_segment, write_segment
from fiuto.store.where import EVERYTHING, Selection


@pytest.mark.parametrize(
    "selection", [EVERYTHING, Selection(frozenset({1, 3})), Selection(frozenset())]
)
@pytest.mark.parametrize("limit", [1, 5, 100])
def test_lowest_rows_with_ties(selection, limit):
    """Of equal values the first rows win, filtered or not."""
    values = array("d", [0.5, 0.25, 0.5, 0.25, 0.75, 0.25, 0.5, 0.0, 0.25] * 3)
    files = array("I", [i % 4 for i in range(len(values))])
    rows = [i for i, file in enumerate(files) if file in selection]
    wanted = heapq.nsmallest(limit, rows, key=values.__getitem__)
    pytest.importorskip("numpy")

    assert segments._lowest(memoryview(values), memoryview(files), selection, limit) == wanted


def test_merged_segments_hold_the_living_rows(tmp_path):
    """In order, in both precisions, whole blocks and parts of them."""
    rows = [Row(i, i // 2, array("f", [i, 1.0, -i, 0.5]).tobytes()) for i in range(9)]
    parts = []
    for nth, some in enumerate((rows[:4], rows[4:])):
        crc = write_segment(tmp_path / f"{nth}.vec", some, 4)
        parts.append(open_segment(tmp_path / f"{nth}.vec", len(some), crc))
    alive = {0, 1, 2, 3, 5, 8}
    total, crc = merge_segments(tmp_path / "m.vec", parts, alive)
    merged = open_segment(tmp_path / "m.vec", total, crc)

    assert list(merged.chunks) == [0, 1, 2, 3, 5, 8]
    assert list(merged.files) == [0, 0, 1, 1, 2, 4]
    assert merged.row(4) == parts[1].row(1)
    assert bytes(merged.int8.cast("B")[16:20]) == bytes(parts[1].int8.cast("B")[4:8])
