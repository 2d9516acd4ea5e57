"""A note of the last walk is used for just the index that it was made for."""

import pytest

from fiuto.indexing.glances import Glances
from fiuto.model import Found, Glimpse, Stamp

SEEN = Glimpse((Found("a.py", Stamp(1, 2, 3, 4)),), 1000, b"as it is")


class Scanner:
    """One that can tell at a glance, and notes what it was asked."""

    def __init__(self):
        self.asked = []

    @property
    def identity(self):
        """Its rules."""
        return "scan"

    def walk(self):
        """Nothing."""
        return iter(())

    def read(self, found):
        """Nothing either."""
        raise NotImplementedError

    def glance(self, settled):
        """What was found, where all of it is old."""
        return b"as it was" if settled(Stamp(1, 2, 3, 4)) else None

    def glimpse(self, glance, settled):
        """One file is another."""
        self.asked.append((glance, settled(Stamp(1, 2, 3, 4))))
        return SEEN


def settled(_stamp):
    """All is old."""
    return True


@pytest.fixture
def kept(tmp_path):
    """Glances with a note for generation 7, with vectors or without."""

    def keep(*, embedded=True):
        glances = Glances(Scanner(), tmp_path / "walk")
        glances.keep(7, glances.of_walk(1000, settled), embedded=embedded)
        return glances

    return keep


def test_it_holds_for_the_generation_it_was_made_for(kept):
    """What the scanner then says is passed on."""
    glances = kept()

    assert glances.look(7, settled, embeddable=True) == SEEN
    assert glances.look(8, settled, embeddable=True) is None
    assert glances._scanner.asked == [(b"as it was", True)]
    assert glances.embedded


def test_files_without_vectors_are_no_whole_index(kept):
    """Words alone were asked for; meaning would need more."""
    glances = kept(embedded=False)

    assert glances.look(7, settled, embeddable=True) is None
    assert glances.look(7, settled, embeddable=False) == SEEN
    assert not glances.embedded


def test_a_later_note_takes_the_place_of_an_earlier_one(kept, tmp_path):
    """As a refresh leaves it."""
    glances = kept()
    glances.keep(8, SEEN.glance, embedded=True)

    assert glances.look(7, settled, embeddable=True) is None
    assert glances.look(8, settled, embeddable=True) == SEEN
    assert glances._scanner.asked == [(b"as it is", True)]
    assert [path.name for path in tmp_path.iterdir()] == ["walk"]


def test_a_walk_through_few_files_costs_less_than_a_note(tmp_path):
    """And a file just changed may change unseen."""
    glances = Glances(Scanner(), tmp_path / "walk")

    assert glances.of_walk(10, settled) is None
    assert glances.of_walk(1000, lambda _: False) is None


def test_a_folder_that_takes_nothing_and_a_damaged_note_do_no_harm(tmp_path):
    """Then every walk is made."""
    glances = Glances(Scanner(), tmp_path / "gone" / "walk")
    glances.keep(7, b"as it was", embedded=True)
    assert glances.look(7, settled, embeddable=True) is None
    (tmp_path / "walk").write_bytes(b"\x07")
    assert Glances(Scanner(), tmp_path / "walk").look(7, settled, embeddable=True) is None
    assert Glances(Scanner(), None).look(7, settled, embeddable=True) is None
