"""Arguments are what they should be, or named."""

import pytest

from fiuto.errors import UsageError
from fiuto.mcp.tools import TOOLS, checked


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("folder_serch", {}, "no tool is called 'folder_serch'; did you mean 'folder_search'?"),
        ("folder_search", {}, "folder_search needs the argument 'question'"),
        ("folder_search", {"question": ""}, "needs the argument 'question'"),
        ("folder_search", {"question": "q", "language": "go"}, "did you mean 'languages'?"),
        ("folder_search", {"question": "q", "k": 0}, "k must be a whole number of at least 1"),
        ("folder_search", {"question": "q", "k": True}, "k must be a whole number"),
        ("folder_search", {"question": "q", "k": "3"}, "k must be a whole number"),
        ("folder_search", {"question": "q", "paths": "src"}, "paths must be a list of texts"),
        ("folder_search", {"question": 3}, "question must be a text"),
        ("folder_search", {"question": "q", "mode": "hybird"}, "did you mean 'hybrid'?"),
        ("folder_search", {"question": "q", "only": ["tests"]}, "did you mean 'test'?"),
        ("read_lines", {"file": "a", "start": 1}, "needs the argument 'end'"),
    ],
)
def test_what_is_refused(tool, arguments, message):
    """With the right spelling where one is near."""
    with pytest.raises(UsageError) as caught:
        checked(tool, arguments)
    assert message in str(caught.value)


def test_what_is_taken():
    """As given; a null is an argument left out."""
    given = {"question": "q", "k": 3, "paths": ["src"], "only": ["source"], "mode": None}
    assert checked("folder_search", given) == {
        "question": "q", "k": 3, "paths": ["src"], "only": ["source"],
    }  # fmt: skip


def test_schemas_accept_nothing_else():
    """What is listed is what is checked."""
    for spec in TOOLS.values():
        schema = spec.schema()
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
    assert TOOLS["folder_search"].schema()["properties"]["only"]["items"]["enum"][0] == "source"
