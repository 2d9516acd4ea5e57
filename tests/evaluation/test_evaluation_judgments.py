"""Question files of the right shape, and one clear line for each fault of the others."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fiuto.evaluation.judgments import BadQuestions, Draft, Fault, parse

TARGET = {"path": "a.py", "line": 3}
KEYS = st.sampled_from(
    ["question", "target", "also", "path", "line", "symbol", "id", "question_de", "questions",
     "revision", "grep_word_lines", "nonsense"]
)  # fmt: skip


def faults_of(data, question_file, name="questions.json"):
    """(entry, what is wrong) for each fault."""
    path = question_file(data, name)
    try:
        found = parse(path)[2]
    except BadQuestions as error:
        found = error.faults
    assert all(fault.file == str(path) for fault in found)
    return [(fault.entry, fault.what) for fault in found]


def test_a_list_of_entries(question_file):
    """Every field arrives, and what is not given is empty."""
    path = question_file([
        {
            "id": "one", "question": " where is it ", "question_it": "dov'è", "category": "c",
            "grep_phrase": "is it", "grep_phrase_lines": 0, "grep_word": "it",
            "grep_word_lines": 12, "why": "a note", "target": TARGET,
            "also": [{"path": "b.py", "symbol": "f"}],
        },
        {"question": "and this", "target": {"path": "c.py", "symbol": "g", "line": 1}},
    ])  # fmt: skip

    (first, second), revision, faults = parse(path)

    assert not faults
    assert revision == ""
    assert (first.number, first.id, first.category) == (1, "one", "c")
    assert first.texts == {"": "where is it", "it": "dov'è"}
    assert (first.phrase, first.phrase_lines) == ("is it", 0)
    assert (first.word, first.word_lines) == ("it", 12)
    assert first.target == Draft("a.py", "", 3)
    assert first.also == (Draft("b.py", "f", 0),)
    assert (second.id, second.also, second.word_lines) == ("and this", (), None)


def test_a_table_with_a_revision(question_file):
    """The list may stand under ``questions``, in JSON and in TOML alike."""
    entry = {"question": "where", "target": TARGET}
    as_json = question_file({"revision": "v1", "questions": [entry]})
    as_toml = question_file(
        'revision = "v1"\n[[questions]]\nquestion = "where"\ntarget = {path = "a.py", line = 3}\n',
        "questions.toml",
    )

    assert parse(as_json) == parse(as_toml)
    assert parse(as_json)[1] == "v1"


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"question": "q"}, "has no target; give it a path with a line, a symbol or both"),
        ({"target": TARGET}, "has no question"),
        ({"question": 7, "target": TARGET}, "question must be text, not 7"),
        ({"question": " ", "target": TARGET}, "question is empty"),
        (["q"], 'must be a table with question and target, not ["q"]'),
        (
            {"question": "q", "target": "a.py:3"},
            'target must be a table with path and line or symbol, not "a.py:3"',
        ),
        ({"question": "q", "target": {"line": 3}}, "has no target.path"),
        ({"question": "q", "target": {"path": "a"}}, "target needs a line, a symbol or both"),
        (
            {"question": "q", "target": {"path": "a", "line": 0}},
            "target.line must be a whole number from 1, not 0",
        ),
        (
            {"question": "q", "target": {"path": "a", "line": True}},
            "target.line must be a whole number from 1, not true",
        ),
        (
            {"question": "q", "target": {"path": "a", "line": "3"}},
            'target.line must be a whole number from 1, not "3"',
        ),
        ({"question": "q", "target": {"path": "a", "symbol": ""}}, "target.symbol is empty"),
        (
            {"question": "q", "target": {"path": "a", "line": 1, "lines": 3}},
            "target: unknown key 'lines'; did you mean 'line'?",
        ),
        (
            {"question": "q", "target": TARGET, "also": TARGET},
            'also must be a list of places, not {"path": "a.py", "line": 3}',
        ),
        (
            {"question": "q", "target": TARGET, "also": [TARGET, {"path": "b"}]},
            "also[2] needs a line, a symbol or both",
        ),
        (
            {"question": "q", "target": TARGET, "grep_frase": "x"},
            "unknown key 'grep_frase'; did you mean 'grep_phrase'?",
        ),
        (
            {"question": "q", "target": TARGET, "grep_word_lines": -1},
            "grep_word_lines must be a whole number from 0, not -1",
        ),
        ({"question": "q", "question_de": "", "target": TARGET}, "question_de is empty"),
    ],
)
def test_what_is_wrong_with_an_entry(entry, what, question_file):
    """One fault, with the number of the entry; the good entry beside it is kept."""
    good = {"question": "good", "target": TARGET}

    assert faults_of([good, entry], question_file) == [(2, what)]
    assert [one.number for one in parse(question_file([good, entry]))[0]] == [1]


def test_every_fault_is_told_at_once(question_file):
    """Three faults in one entry and one in another are four lines."""
    data = [{"target": {"path": 1}}, {"question": "q", "target": TARGET, "also": [3]}]

    assert [entry for entry, _ in faults_of(data, question_file)] == [1, 1, 1, 2]


def test_repeated_questions_and_ids(question_file):
    """The same question in other spelling counts once, and so does an id."""
    data = [
        {"question": "Where is it?", "target": TARGET},
        {"question": "where  is IT?", "target": TARGET},
        {"question": "another", "id": "x", "target": TARGET},
        {"question": "one more", "id": "x", "target": TARGET},
    ]

    assert faults_of(data, question_file) == [
        (2, "question repeats that of entry 1"),
        (4, "id repeats that of entry 3"),
    ]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("[", "is not JSON: Expecting value: line 1 column 2 (char 1)"),
        ("[]", "holds no question"),
        ('"text"', "must be a list of questions or hold 'questions'"),
        ("{}", "must be a list of questions or hold 'questions'"),
        ('{"questions": [], "revison": "v1"}', "unknown key 'revison'; did you mean 'revision'?"),
        ('{"questions": [], "revision": 1}', "revision must be text, not 1"),
        ("[" * 200_000, "is nested too deeply"),
    ],
)
def test_what_is_wrong_with_a_whole_file(data, what, question_file):
    """Such a fault belongs to no entry."""
    assert faults_of(data, question_file) == [(0, what)]


def test_other_files(question_file, tmp_path):
    """Bad TOML, bytes that are no UTF-8 and a file that is not there are faults too."""
    (tmp_path / "latin.json").write_bytes(b'["\xe9"]')

    assert faults_of("a = ", question_file, "q.toml")[0][1].startswith("is not TOML: ")
    with pytest.raises(BadQuestions, match="is not JSON: 'utf-8' codec"):
        parse(tmp_path / "latin.json")
    with pytest.raises(BadQuestions, match=r"gone\.json: cannot be read: No such file"):
        parse(tmp_path / "gone.json")


def test_a_byte_order_mark_is_no_fault(tmp_path):
    """Editors on Windows write one."""
    path = tmp_path / "q.json"
    path.write_text(json.dumps([{"question": "q", "target": TARGET}]), "utf-8-sig")

    assert len(parse(path)[0]) == 1


def test_faults_read_as_file_entry_and_reason():
    """The error itself is one line too, and counts the others."""
    first, second = Fault("q.json", 3, "has no target"), Fault("q.json", 0, "holds no question")

    assert str(first) == "q.json: entry 3: has no target"
    assert str(second) == "q.json: holds no question"
    assert str(BadQuestions([first, second])) == "q.json: entry 3: has no target (and 1 more)"


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 9), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.one_of(anything, st.lists(st.dictionaries(KEYS, anything, max_size=6), max_size=4)))
def test_any_json_is_entries_or_faults(data, tmp_path):
    """Each entry is usable or has a fault of its own; nothing else is raised."""
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(data), "utf-8")
    try:
        entries, _, faults = parse(path)
    except BadQuestions as error:
        entries, faults = [], error.faults
        assert faults
    listed = data.get("questions", []) if isinstance(data, dict) else data
    number = len(listed) if isinstance(listed, list) else 0
    good = {entry.number for entry in entries}
    bad = {fault.entry for fault in faults}
    assert all(0 <= fault.entry <= number and fault.what for fault in faults)
    assert all(text.strip() for entry in entries for text in entry.texts.values())
    if 0 not in bad:
        assert good | bad == set(range(1, number + 1))
