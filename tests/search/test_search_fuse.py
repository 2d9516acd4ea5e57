"""Fusion adds reciprocal ranks and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from fiuto.search.fuse import K, ranks_of, shares


def test_formula():
    """Ranks count from one, k is 60."""
    ranks = ranks_of({"lexical": [5, 6], "semantic": [6, 7]})
    assert ranks == {5: {"lexical": 1}, 6: {"lexical": 2, "semantic": 1}, 7: {"semantic": 2}}
    assert K == 60
    assert sum(shares(ranks[6]).values()) == 1 / 62 + 1 / 61


def test_repeated_id_counts_at_its_best_rank():
    """A list that names an id twice gives it one share."""
    assert ranks_of({"a": [3, 3, 4]}) == {3: {"a": 1}, 4: {"a": 3}}


@given(st.lists(st.integers(), unique=True), st.lists(st.integers(), unique=True))
def test_agreement_wins(first, second):
    """The sum is that of the shares, and input lists are not changed."""
    lists = {"a": list(first), "b": list(second)}
    ranks = ranks_of(lists)
    assert lists == {"a": first, "b": second}
    assert ranks.keys() == {*first, *second}
    for id_, by_list in ranks.items():
        assert all(lists[name][rank - 1] == id_ for name, rank in by_list.items())
