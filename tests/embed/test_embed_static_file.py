"""The file of a static model: lookup in place, and every kind of damage noticed."""

import struct
from zlib import crc32

import pytest
from embed_models import rows_of

from fiuto.embed.container import HEADER, SECTION
from fiuto.embed.static_file import open_file
from fiuto.embed.static_pack import Row, pack
from fiuto.errors import ModelUnavailable


def test_every_word_is_found_and_no_other(tiny):
    """Binary search finds each word by its bytes, other alphabets included."""
    file = open_file(tiny)

    words = ("file", "größe", "http", "read", "the")
    assert [file.find(word) for word in words] == [0, 1, 2, 3, 4]
    for absent in ("", "a", "fil", "files", "zzz", "\ud83d", "gr"):
        assert file.find(absent) is None


def test_rows_come_with_their_factor(tiny):
    """A row is its int8 values with weight times scale."""
    file = open_file(tiny)

    factor, values = file.asked(file.find("größe"))
    assert factor == pytest.approx(0.01)
    assert list(values) == [-50, 50, 0, 0]
    assert file.asked(file.find("read"))[0] == pytest.approx(0.02)


def test_the_digest_follows_the_content(tmp_path, tiny_bytes):
    """Equal content gives equal bytes whatever the order; other content another digest."""
    changed = [*rows_of()[:-1], Row("größe", (1.0,) * 3, 0.01, struct.pack("4b", -50, 51, 0, 0))]
    (tmp_path / "a").write_bytes(tiny_bytes)
    (tmp_path / "b").write_bytes(pack(changed, 4))

    assert pack(rows_of()[::-1], 4) == tiny_bytes
    assert open_file(tmp_path / "a").digest != open_file(tmp_path / "b").digest


def test_unknown_sections_are_passed_over(tmp_path, tiny_bytes):
    """A later model may bring more sections; this reader takes those it knows."""
    count_at = HEADER.size - 18
    (count,) = struct.unpack_from("<H", tiny_bytes, count_at)
    end = HEADER.size + count * SECTION.size
    data = bytearray(tiny_bytes[:end])
    struct.pack_into("<H", data, count_at, count + 1)
    for i in range(count):
        name, check, offset, size = SECTION.unpack_from(data, HEADER.size + i * SECTION.size)
        SECTION.pack_into(
            data, HEADER.size + i * SECTION.size, name, check, offset + SECTION.size, size
        )
    body = tiny_bytes[end + 4 :]
    data += SECTION.pack(b"encoder", 0, end + SECTION.size + 4, len(body))
    path = tmp_path / "later.vectors"
    path.write_bytes(bytes(data) + struct.pack("<I", crc32(bytes(data))) + body)

    assert open_file(path).find("http") == 2


def test_a_missing_file_is_said_in_one_line(tmp_path):
    """The error names the path and what to do."""
    with pytest.raises(ModelUnavailable, match=r"absent\.vectors cannot be read") as caught:
        open_file(tmp_path / "absent.vectors")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("keep", [0, 1, 8, 40, 100, 200, -1])
def test_a_shortened_file_is_refused(tiny, keep):
    """Cut anywhere, the file is not opened."""
    data = tiny.read_bytes()
    tiny.write_bytes(data[:keep])

    with pytest.raises(ModelUnavailable, match=r"tiny\.vectors (is damaged|cannot be read)"):
        open_file(tiny)


def test_no_flipped_bit_goes_unnoticed(tiny, tiny_bytes):
    """Whichever byte is damaged, reading all of the file says so."""
    for at in range(len(tiny_bytes)):
        data = bytearray(tiny_bytes)
        data[at] ^= 0x10
        tiny.unlink()  # a mapped file must not change under its readers
        tiny.write_bytes(data)

        with pytest.raises(ModelUnavailable):
            open_file(tiny).verify()


def test_another_version_asks_for_its_own_fiuto(tiny, tiny_bytes):
    """A file of a later format is not called damaged."""
    data = bytearray(tiny_bytes)
    data[8] = 9
    tiny.write_bytes(data)

    with pytest.raises(ModelUnavailable, match="has format 9, this fiuto reads 1"):
        open_file(tiny)


ONES = (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    "rows",
    [
        [Row("a", ONES, 1, b"\1\2"), Row("a", ONES, 1, b"\1\2")],
        [Row("a\nb", ONES, 1, b"\1\2")],
        [Row("", ONES, 1, b"\1\2")],
        [Row("a", ONES, 1, b"\1")],
    ],
)
def test_rows_that_cannot_be_looked_up_are_not_written(rows):
    """The same word twice, a line end in a word, no word, a row too short."""
    with pytest.raises(ValueError, match=r"words must differ|needs 2 values"):
        pack(rows, 2)
