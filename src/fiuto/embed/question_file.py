"""
The file of the question side: a small BERT in int8, and how its answer is used.

Sections of the container, little-endian; D is the width of the transformer, I its
inner width, N its layers, P the longest question in tokens::

    shape    D, N, heads, I, P as uint16, and the share of the words as float32
    pieces   the vocabulary in UTF-8, in the order of the ids, each ended by LF
    words    int8[pieces, D], the embedding of each piece
    wscales  float32[pieces], what one int8 step of it is worth
    wchecks  uint32[pieces], CRC-32 of each row of ``words``
    places   float32[P, D], the embedding of each position
    layers   int8, for each layer: query, key and value [3 D, D], their output [D, D],
             up [I, D], down [D, I]
    lscales  float32, one for each row of ``layers``
    plain    float32, gain and shift of the first normalisation [2 D], then for each
             layer the biases [3 D], [D], gain and shift [2 D], the biases [I], [D],
             gain and shift [2 D]

Only the rows of ``words`` that a question uses are read and checked; all the rest is
read anyway.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from zlib import crc32

from fiuto.embed.container import Container, assemble, damaged, open_at
from fiuto.values import dataclass

__all__ = ["QUESTIONS", "QuestionFile", "Shape", "open_questions", "pack_questions"]

QUESTIONS = Path(__file__).with_name("data") / "fiuto-static.questions"
"""The question side that comes with the package; ``training/`` makes it."""

_SHAPE = struct.Struct("<HHHHHf")
_CHECK = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the transformer, and how much the words of a question count beside it."""

    width: int
    layers: int
    heads: int
    inner: int
    places: int
    words_share: float

    @property
    def rows(self) -> int:
        """Rows of all matrices of one layer."""
        return 3 * self.width + self.width + self.inner + self.width

    @property
    def matrices(self) -> tuple[tuple[int, int], ...]:
        """(rows, columns) of the four matrices of a layer."""
        return (
            (3 * self.width, self.width),
            (self.width, self.width),
            (self.inner, self.width),
            (self.width, self.inner),
        )


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """An open file of the question side."""

    container: Container
    shape: Shape

    def vocabulary(self) -> dict[str, int]:
        """Piece -> id."""
        pieces = bytes(self.container.sections["pieces"]).decode().split("\n")
        return dict(zip(pieces[:-1], range(self.container.size), strict=True))

    def check_rows(self, ids: Sequence[int]) -> None:
        """
        Compare the checksums of the rows of ``words`` that are about to be used.

        Raises:
            ModelUnavailable: one of them is damaged.
        """
        width = self.shape.width
        words, checks = self.container.sections["words"], self.container.sections["wchecks"]
        for row in set(ids):
            (check,) = _CHECK.unpack_from(checks, row * _CHECK.size)
            if crc32(words[row * width : (row + 1) * width]) != check:
                raise damaged(self.container.path, f"row {row}")


def open_questions(path: Path) -> QuestionFile:
    """
    Map the file and check everything but the checksums of its larger sections.

    Raises:
        ModelUnavailable: missing, unreadable, of another version, or damaged.
    """
    container = open_at(path)
    container.expect({"shape": _SHAPE.size})
    container.verify("shape")
    shape = Shape(*_SHAPE.unpack(container.sections["shape"]))
    width, size = shape.width, container.size
    per_layer = sum(rows * columns for rows, columns in shape.matrices)
    container.expect(
        {
            "words": size * width,
            "wscales": 4 * size,
            "wchecks": 4 * size,
            "places": 4 * shape.places * width,
            "layers": shape.layers * per_layer,
            "lscales": 4 * shape.layers * shape.rows,
            "plain": 4 * (2 * width + shape.layers * (shape.rows + 4 * width)),
        }
    )
    return QuestionFile(container, shape)


def pack_questions(shape: Shape, pieces: Sequence[str], sections: Mapping[str, bytes]) -> bytes:
    """
    The bytes of a file; ``sections`` holds what the module says but shape, pieces and checks.

    Raises:
        ValueError: a piece with a line end.
    """
    if any("\n" in piece for piece in pieces):
        raise ValueError("a piece of the vocabulary must not hold a line end")
    width = shape.width
    words = sections["words"]
    checks = [crc32(words[i * width : (i + 1) * width]) for i in range(len(pieces))]
    packed = {
        "shape": _SHAPE.pack(
            width, shape.layers, shape.heads, shape.inner, shape.places, shape.words_share
        ),
        "pieces": "".join(f"{piece}\n" for piece in pieces).encode(),
        "wchecks": struct.pack(f"<{len(pieces)}I", *checks),
    }
    return assemble({**packed, **sections}, len(pieces), width)
