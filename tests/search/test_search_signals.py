"""Each signal on chunks where its value can be told by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from math import log

import pytest
from search_made import chunk, pool

from fiuto.search.signals import SIGNALS
from fiuto.search.weights import WEIGHTS


def values(name, question, *chunks, **more):
    """One signal of each chunk, rounded."""
    return [round(value, 3) for value in SIGNALS[name](pool(question, *chunks, **more))]


@pytest.mark.parametrize("question", ["raise_for_status", "raiseForStatus", "R.raise_for_status"])
def test_a_definition_of_the_name(question):
    """In any style of writing, for any of the names a chunk defines."""
    there = chunk(1, "src/models.py", symbol="R.close R.raise_for_status", kind="class")
    assert values("type_definition", question, there) == [1]


@pytest.mark.parametrize("symbol", ["R.raise_for", "R.status", "", "R"])
def test_parts_of_a_name_are_no_definition(symbol):
    """Nor are owners."""
    there = chunk(1, "raise_for_status.py", symbol=symbol, kind="class")
    assert values("type_definition", "raise_for_status", there) == [0]


def test_a_type_before_its_constructor():
    """Only the kind tells them apart."""
    cls = chunk(1, "a.py", symbol="Session", kind="class")
    init = chunk(2, "a.py", symbol="Session", kind="method")
    assert values("type_definition", "Session", cls, init) == [1, 0]
    assert values("type_definition", "how sessions end", cls, init) == [0, 0]


@pytest.mark.parametrize(
    ("language", "path", "text"),
    [
        (
            "rust",
            "extract/mod.rs",
            "pub use core::extract::{\n    DefaultBodyLimit, FromRequest,\n};",
        ),
        ("typescript", "index.ts", 'export type { Schema, FromRequest } from "./schemas"'),
        ("javascript", "index.js", 'export * as FromRequest from "./all"'),
        ("python", "shop/__init__.py", "from .core import (\n    Body,\n    FromRequest,\n)"),
    ],
)
def test_a_name_of_another_package_is_where_it_comes_in(language, path, text):
    """As long as nothing here defines it, and only by that name."""
    there = chunk(1, path, text, language=language)
    user = chunk(2, "json.rs", symbol="Json Json.from_request", language="rust")
    heading = chunk(4, "guide.md", symbol="Implementing FromRequest", kind="section")
    assert values("passed_on", "FromRequest", there, user, heading) == [1, 0, 0]
    assert values("passed_on", "Request", there, user) == [0, 0]
    own = chunk(3, "core.rs", "trait FromRequest {}", symbol="FromRequest", language="rust")
    assert values("passed_on", "FromRequest", there, own) == [0, 0]


@pytest.mark.parametrize(
    ("language", "path", "text"),
    [
        ("rust", "lib.rs", "use core::FromRequest;"),
        ("python", "shop/cart.py", "from .core import FromRequest"),
        ("go", "lib.go", "pub use core::FromRequest;"),
        ("typescript", "index.ts", "export {}; FromRequest()"),
    ],
)
def test_a_file_that_only_uses_a_name_does_not_pass_it_on(language, path, text):
    """Nor does a language that has no such thing."""
    assert values("passed_on", "FromRequest", chunk(1, path, text, language=language)) == [0]


def test_scores_are_shares_of_the_best():
    """A list that does not hold a chunk says 0 of it."""
    a, b, c = chunk(1, "a.py"), chunk(2, "b.py"), chunk(3, "c.py")
    lists = {"lexical": {1: 8.0, 2: 2.0}, "semantic": {3: 0.9, 1: 0.6, 2: 0.5}}
    assert values("file_best", "some words", a, b, c, scores=lists) == [0.25, 0, 1]
    assert values("bm25", "some words", a, b, c, scores=lists) == [1, 0.25, 0]


def test_evidence_of_the_whole_file():
    """The best chunk's value, and the three best's over three."""
    a1, a2, b = chunk(1, "a.py"), chunk(2, "a.py", start=10), chunk(3, "b.py")
    lists = {"lexical": {1: 4.0, 2: 2.0, 3: 4.0}, "semantic": {3: 0.8, 2: 0.6, 1: 0.4}}
    assert values("file_lexical", "some words", a1, a2, b, scores=lists) == [0.5, 0.5, 0.333]
    assert values("file_best", "some words", a1, a2, b, scores=lists) == [0.5, 0.5, 1]


def test_coverage_counts_telling_words_more():
    """A word that every candidate holds tells little."""
    common = chunk(1, "a.py", "redirect")
    both = chunk(2, "b.py", "a redirect strips credentials")
    none = chunk(3, "c.py", "redirect loop")
    low, whole, same = values("file_coverage", "redirect credentials", common, both, none)
    assert whole == 1
    assert 0 < low == same < 0.2


def test_names_of_files():
    """``auth`` is of the family of ``authentication``."""
    auth, other = chunk(1, "src/auth.py"), chunk(2, "auth/models.py")
    assert values("file_name", "how authentication works", auth, other) == [0.7, 0]
    assert values("defined", "strip the auth", chunk(1, "a.py", symbol="S.strip_auth")) == [1]


def test_names_inside_a_sentence():
    """As written in code, in any style."""
    there = chunk(1, "a.py", symbol="Session.should_strip_auth")
    away = chunk(2, "b.py", symbol="strip")
    assert values("named", "who calls shouldStripAuth()", there, away) == [1, 0]
    assert values("named", "who strips auth", there, away) == [0, 0]


def test_a_tested_file():
    """``test_auth.py`` speaks for ``auth.py``, not for itself."""
    test = chunk(1, "tests/test_auth.py", label="test")
    source, other = chunk(2, "src/auth.py"), chunk(3, "src/api.py")
    lists = {"lexical": {1: 3.0}, "semantic": {1: 0.9, 2: 0.1}}
    assert values("tested", "some words", test, source, other, scores=lists) == [0, 1, 0]


@pytest.mark.parametrize("label", ["test", "docs", "example", "config", "generated", "vendored"])
def test_priors_of_labels(label):
    """A prior is silent where the question asks for the label."""
    assert values(label, "some words", chunk(1, "a", label=label), chunk(2, "b")) == [1, 0]


def test_what_is_asked_for_is_lifted_and_not_held_back():
    """Both sides of an intent."""
    test, source = chunk(1, "tests/t.py", label="test"), chunk(2, "a.py")
    question = "tests for redirect handling"
    assert values("wanted", question, test, source) == [1, 0]
    assert values("test", question, test, source) == [0, 0]


def test_quoted_messages_without_what_was_filled_in():
    """The longest piece between quotes, braces and digits."""
    raised = chunk(1, "a.py", 'raise MissingSchema(f"Invalid URL {url!r}: No scheme supplied.")')
    other = chunk(2, "b.py", "scheme supplied")
    question = "\"Invalid URL 'foo': No scheme supplied.\""
    assert values("quoted", question, raised, other) == [1, 0]


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("first", {"start": 1}, {"start": 2}),
        ("nameless", {"symbol": ""}, {"symbol": "f"}),
        ("short", {"text": "x"}, {"text": "x" * 200}),
    ],
)
def test_what_a_chunk_is(name, yes, no):
    """One property each."""
    assert values(name, "some words", chunk(1, "a.py", **yes), chunk(2, "a.py", **no)) == [1, 0]


@pytest.mark.parametrize("path", ["include/a.h", "types/a.d.ts", "a.pyi"])
def test_headers_hold_no_code(path):
    """By their endings."""
    assert values("header", "some words", chunk(1, path), chunk(2, "src/a.c")) == [1, 0]


@pytest.mark.parametrize("label", ["test", "docs", "example", "generated", "vendored"])
@pytest.mark.parametrize("kind", ["phrase", "how", "sentence"])
def test_what_is_not_the_projects_own_code_comes_later(kind, label):
    """Unless the question says so, which takes the price away."""
    assert WEIGHTS[kind][label] < 0
    there = chunk(1, "a.py", label=label)
    assert values(label, "some words", there, chunk(2, "b.py")) == [1, 0]


def test_size_and_depth():
    """Logarithm of the bytes, folders, each over ten."""
    there = chunk(1, "a/b/c.py", size=999)
    assert values("size", "some words", there) == [round(log(1000) / 10, 3)]
    assert values("depth", "some words", there) == [0.2]


def test_cards():
    """A file's is its cosine, the same for all its chunks."""
    a, b = chunk(1, "a.py", symbol="cat"), chunk(2, "b.py", symbol="dog")
    c = chunk(3, "b.py", symbol="cow")
    near = {"cat": 0.2, "dog": 0.4, "cow": 0.3}
    assert values("card", "some words", a, b, c, near=near) == [0.2, 0.4, 0.4]


def test_frames():
    """What retrieval found out, as it is."""
    a, b = chunk(1, "a.py"), chunk(2, "b.py")
    assert values("frame", "b.py:3", a, b, scores={"frames": {2: 0.5}}) == [0, 0.5]


def test_every_weight_is_of_a_signal_and_every_signal_has_one():
    """No name is misspelt, and nothing is computed for nothing."""
    used = {name for weights in WEIGHTS.values() for name, weight in weights.items() if weight}
    assert used - {"lexical", "semantic"} == set(SIGNALS)


_COVERAGE = """
from search_made import chunk, pool
words = "alpha bravo charlie delta echo foxtrot golf hotel".split()
held = [" ".join(w for i, w in enumerate(words) if n % (i + 2) != 1) for n in range(60)]
question = "where do " + " ".join(words) + " meet"
print(pool(question, *(chunk(i, f"{i}.py", text) for i, text in enumerate(held))).coverage)
"""


def test_equal_to_the_last_bit_in_every_process():
    """Sums run in the question's order, not in that of a set, which differs by process."""
    told = {
        subprocess.run(
            [sys.executable, "-c", _COVERAGE],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
