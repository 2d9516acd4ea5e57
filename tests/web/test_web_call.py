"""Tests of fiuto.web.call: what is declared is taken, everything else is refused by name."""

from __future__ import annotations

import json

import pytest

from fiuto.web.call import Field, body_values, query_values
from fiuto.web.problems import Problem

FIELDS = (
    Field("q", "What to ask.", needed=True, longest=10),
    Field("k", "How many.", int, least=1, most=5),
    Field("no", "Labels.", many=True, choices=("test", "docs")),
    Field("deep", "Look further.", bool, default=False),
)


def test_values_have_their_types_and_defaults() -> None:
    """From a query and from a body alike."""
    query = query_values(FIELDS, [("q", "x"), ("k", "3"), ("no", "test"), ("no", "docs")])
    body = body_values(FIELDS, json.dumps({"q": "x", "k": 3, "no": ["test", "docs"]}).encode())

    assert query == body == {"q": "x", "k": 3, "no": ("test", "docs"), "deep": False}
    assert query_values(FIELDS, [("q", "x")]) == {"q": "x", "k": None, "no": (), "deep": False}
    assert query_values(FIELDS, [("q", "x"), ("deep", "TRUE")])["deep"] is True


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ([], "q is missing: What to ask."),
        ([("q", "x"), ("deap", "1")], "nothing is called 'deap' here; did you mean 'deep'?"),
        ([("q", "x"), ("q", "y")], "q is given 2 times; once is enough"),
        ([("q", "x" * 11)], "q is 11 characters; 10 are the most"),
        ([("q", "x"), ("k", "many")], "k must be a whole number, not 'many'"),
        ([("q", "x"), ("k", "6")], "k must lie between 1 and 5"),
        ([("q", "x"), ("no", "tests")], "no must be one of test, docs"),
        ([("q", "x"), ("deep", "perhaps")], "deep must be true or false, not 'perhaps'"),
    ],
)
def test_queries_that_say_something_else(query: list[tuple[str, str]], said: str) -> None:
    """One line each, with what would do."""
    with pytest.raises(Problem) as caught:
        query_values(FIELDS, query)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "q is missing: What to ask."),
        (b"[1]", "the body must be a JSON object"),
        (b"{", "the body is not JSON: "),
        (b"[" * 100_000, "the body is not JSON: "),
        (b"\xff\xfe{}x", "the body is not JSON: "),
        (b'{"q": 1}', "q must be text"),
        (b'{"q": "x", "k": true}', "k must be a whole number"),
        (b'{"q": "x", "no": "test"}', "no must be a list"),
        (b'{"q": "x", "no": [1]}', "no must be text"),
        (b'{"q": "x", "__proto__": {}}', "nothing is called '__proto__' here"),
    ],
)
def test_bodies_that_say_something_else(body: bytes, said: str) -> None:
    """Never a traceback."""
    with pytest.raises(Problem) as caught:
        body_values(FIELDS, body)
    assert str(caught.value).startswith(said)
