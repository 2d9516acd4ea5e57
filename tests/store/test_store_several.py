"""What readers of several repositories share."""

from fiuto.model import Counts
from fiuto.store.several import repository_of, summed


def test_the_longest_name_wins_and_a_file_is_no_repository():
    """Names may hold slashes; what stands in no repository has none."""
    names = {"team", "team/shop"}
    assert repository_of("team/shop/a.py", names) == "team/shop"
    assert repository_of("team/other/a.py", names) == "team"
    assert repository_of("team", names) == ""
    assert repository_of("away/a.py", names) == ""


def test_figures_add_up():
    """Every one, and each reason of what was left out."""
    one = Counts(1, 2, 3, {"image": 1}, 4, 5)
    other = Counts(10, 20, 30, {"binary": 2, "image": 1}, 40, 50)
    assert summed([one, other]) == Counts(11, 22, 33, {"binary": 2, "image": 2}, 44, 55)
    assert summed([]).files == 0
