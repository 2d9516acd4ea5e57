"""Unit rows and encodable texts."""

import struct

import pytest

from fiuto.embed.rows import encodable, unit_row


def test_rows_get_length_one():
    """A row keeps its direction, as little-endian float32."""
    assert unit_row([3.0, -4.0]) == struct.pack("<2f", 0.6, -0.8)


@pytest.mark.parametrize("values", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], []])
def test_a_row_without_direction_is_refused(values):
    """Zero, infinite and undefined rows have no unit vector."""
    with pytest.raises(ValueError, match="without a direction"):
        unit_row(values)


def test_lone_surrogates_are_replaced():
    """What UTF-8 cannot carry becomes a mark; everything else stays."""
    assert encodable("a\ud83db größe \U0001f600") == "a?b größe \U0001f600"
