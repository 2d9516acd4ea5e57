"""Lists of several indexes as one list, with no index asked for more than is needed."""

from __future__ import annotations

from typing import cast

import pytest

from fiuto.model import Scored, TermQuery, Where
from fiuto.protocols import Reader
from fiuto.store.joined import JoinedReader

WORDS = TermQuery(("word",))
SHIFT = 64


class Listed:
    """A reader of one list that notes how many it is asked for."""

    def __init__(self, scores: list[float], *, reverse: bool = False) -> None:
        self.rows = [Scored(id_, score) for id_, score in enumerate(scores)]
        self.asked: list[int] = []
        self._reverse = reverse

    def match_terms(self, query: TermQuery, where: Where, limit: int) -> list[Scored]:
        """As tantivy does: of equal scores some are taken, and what is taken is put in order."""
        self.asked.append(limit)
        sign = -1 if self._reverse else 1
        taken = sorted(self.rows, key=lambda s: (-s.score, sign * s.id))[:limit]
        return sorted(taken, key=lambda s: (-s.score, s.id))


def joined(*readers: Listed) -> JoinedReader:
    """The readers as one, named by their number."""
    named = {str(nth): cast("Reader", reader) for nth, reader in enumerate(readers)}
    return JoinedReader(named, lambda _: "")


def places(found) -> list[tuple[int, int]]:
    """(index, id in it) of each."""
    return [(s.id >> SHIFT, s.id & ((1 << SHIFT) - 1)) for s in found]


def test_the_best_of_all_come_first_with_their_scores():
    """By score over both; equal ones by the order of the indexes."""
    found = joined(Listed([0.9, 0.2]), Listed([0.5, 0.2])).match_terms(WORDS, Where(), 3)
    assert places(found) == [(0, 0), (1, 0), (0, 1)]
    assert [s.score for s in found] == [0.9, 0.5, 0.2]


def test_only_an_index_that_holds_much_of_the_best_is_asked_again():
    """Ten places of five indexes: four at first, and all ten where those four are taken."""
    rich = Listed([1 - i / 100 for i in range(50)])
    poor = [Listed([0.3 - i / 100 for i in range(50)]) for _ in range(4)]
    found = joined(rich, *poor).match_terms(WORDS, Where(), 10)
    assert places(found) == [(0, i) for i in range(10)]
    assert rich.asked == [4, 10]
    assert [reader.asked for reader in poor] == [[4]] * 4


@pytest.mark.parametrize("reverse", [False, True])
def test_equal_scores_at_a_short_lists_end_are_neither_lost_nor_given_twice(reverse):
    """Which of them a short list holds is chance; the long one holds all."""
    level = Listed([0.9, *[0.5] * 20], reverse=reverse)
    others = [Listed([0.4]) for _ in range(3)]
    found = joined(level, *others).match_terms(WORDS, Where(), 21)
    assert places(found) == [(0, i) for i in range(21)]


def test_two_indexes_are_asked_once():
    """Each may hold all of it, and twice a half is the whole."""
    readers = [Listed([0.5] * 9), Listed([0.4] * 9)]
    assert len(joined(*readers).match_terms(WORDS, Where(), 8)) == 8
    assert [reader.asked for reader in readers] == [[8], [8]]
    assert joined(*readers).match_terms(WORDS, Where(), 0) == []
