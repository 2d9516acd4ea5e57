"""The order: what it is made of, and that leaving work out changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from search_made import chunk, pool

from fiuto.model import Query
from fiuto.search.copies import Folded
from fiuto.search.rank import MOST_REPEATS, Ranked, in_order, rank, spread
from fiuto.search.signals import SIGNALS
from fiuto.search.weights import REPEAT, WEIGHTS


def test_parts_are_what_counted_and_add_up():
    """Each list and signal that gave something, none that gave nothing."""
    chunks = [
        chunk(1, "src/session.py", "strip the header", symbol="strip_header", size=99),
        chunk(2, "tests/test_session.py", "strip", label="test", size=9),
        chunk(3, "a/b/other.py", "nothing"),
    ]
    made = pool("strip headers", *chunks, scores={"lexical": {2: 4.0, 1: 2.0}})
    order = rank(Query("strip headers"), made, {"lexical": [2, 1]}, signals=True)
    weights = WEIGHTS[made.asked.kind]

    for entry in order:
        at = chunks.index(entry.stored)
        expected = {}
        if entry.ranks:
            expected["lexical"] = weights["lexical"] / (60 + entry.ranks["lexical"])
        for name, signal in SIGNALS.items():
            if weights.get(name) and signal(made)[at]:
                expected[name] = weights[name] * signal(made)[at] * (1 / 61)
        assert dict(entry.parts) == expected
        assert len(entry.parts) == len(expected)
        assert "quoted" not in entry.parts
        assert entry.score == sum(expected.values())
    assert order == in_order(order)


def test_without_lists_and_signals_all_are_equal():
    """Then the path decides."""
    made = pool("q", chunk(1, "b.py"), chunk(2, "a.py"))
    order = rank(Query("q", without=("signals",)), made, {}, signals=False)

    assert [(e.stored.path, e.score, dict(e.parts)) for e in order] == [
        ("a.py", 0.0, {}), ("b.py", 0.0, {}),
    ]  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40)), max_size=60),
    st.integers(1, 12),
)
def test_spreading_stops_early_and_finds_the_same(drawn, k):
    """As if each candidate had paid for its company before the best were taken."""
    made = pool("how is it done", chunk(0, "x.py"))
    price = REPEAT[made.asked.kind] * (1 / 61)
    entries = in_order(
        [
            Ranked(
                chunk(i, f"{name}.py", start=i + 1),
                {},
                {"card": points * price / 2},
                points * price / 2,
            )
            for i, (name, points) in enumerate(drawn)
        ]
    )
    seen: dict[str, int] = {}
    paid = []
    for entry in entries:
        path = entry.stored.path
        score = entry.score - min(seen.get(path, 0), MOST_REPEATS) * price
        seen[path] = seen.get(path, 0) + 1
        paid.append((-score, path, entry.stored.chunk.start, entry.stored.id))

    shown = spread(
        Query("how is it done", k=k), made, ((e, Folded(e.stored, e.stored)) for e in entries)
    )

    assert [entry.stored.id for entry, _ in shown] == [id_ for *_, id_ in sorted(paid)[:k]]
