"""A note of the last walk is used for just the index that it was made for."""

import pytest

from fiuto.indexing.glances import Glances
from fiuto.model import Stamp


class Scanner:
    """One that can tell at a glance, and counts how often it was asked."""

    def __init__(self, made=b"as it was"):
        self.made = made
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
        return self.made if settled(Stamp(1, 2, 3, 4)) else None

    def is_unchanged(self, glance):
        """Whether it is the same."""
        self.asked.append(glance)
        return glance == self.made


def kept(path, scanner, **more):
    """Glances with a note for generation 7."""
    glances = Glances(scanner, path)
    given = {"files": 1000, "settled": lambda _: True, "embeddable": True, **more}
    glances.keep(7, given["files"], given["settled"], embeddable=given["embeddable"])
    return glances


def test_it_holds_for_the_generation_it_was_made_for(tmp_path):
    """And for as long as the scanner says so."""
    scanner = Scanner()
    glances = kept(tmp_path / "walk", scanner)

    assert glances.holds(7, embeddable=True)
    assert glances.holds(7, embeddable=False)
    assert not glances.holds(8, embeddable=True)
    assert scanner.asked == [b"as it was"] * 2
    scanner.made = b"other"
    assert not glances.holds(7, embeddable=True)


def test_files_without_vectors_are_no_whole_index(tmp_path):
    """Words alone were asked for; meaning would need more."""
    glances = kept(tmp_path / "walk", Scanner(), embeddable=False)

    assert glances.holds(7, embeddable=False)
    assert not glances.holds(7, embeddable=True)


@pytest.mark.parametrize("more", [{"files": 10}, {"settled": lambda _: False}])
def test_no_note_is_made_that_is_not_worth_it_or_may_lie(tmp_path, more):
    """A walk through ten files costs less; a file just changed may change unseen."""
    assert not kept(tmp_path / "walk", Scanner(), **more).holds(7, embeddable=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_nothing_and_a_damaged_note_do_no_harm(tmp_path):
    """Then every walk is made."""
    assert not kept(tmp_path / "gone" / "walk", Scanner()).holds(7, embeddable=True)
    (tmp_path / "walk").write_bytes(b"\x07")
    assert not Glances(Scanner(), tmp_path / "walk").holds(7, embeddable=True)
    assert not kept(None, Scanner()).holds(7, embeddable=True)
