"""What is like one place, through the door that every surface uses."""

import pytest

from fiuto.errors import UsageError


def test_others_first_the_same_file_last(opened):
    """The chunk itself is the source, never a hit."""
    results = opened(chunker="lines").related("src/limits.py", 1, k=10)

    assert results.source is not None
    assert results.source.path == "src/limits.py"
    assert "src/limits.py" not in {hit.path for hit in results}
    assert {hit.path for hit in results} >= {"tests/test_limits.py"}


def test_chunks_of_the_same_file_come_last(opened, tree):
    """However like they are."""
    body = "\n".join(f"def block_user_{i}(user):\n    user.cooldown = True\n" for i in range(90))
    (tree / "src/limits.py").write_text(body)
    paths = [hit.path for hit in opened().related("src/limits.py", 3, k=20)]

    assert "src/limits.py" in paths
    assert set(paths[paths.index("src/limits.py") :]) == {"src/limits.py"}


def test_filters_and_modes(opened):
    """As for a question; a mode asks one list."""
    index = opened()
    only = index.related("src/limits.py", 1, only=["test"], mode="lexical")

    assert [hit.path for hit in only] == ["tests/test_limits.py"]
    assert set(only[0].ranks) == {"lexical"}
    assert {tuple(h.ranks) for h in index.related("src/limits.py", 1, mode="semantic")} == {
        ("semantic",)
    }


@pytest.mark.parametrize(
    ("path", "line", "message"),
    [
        ("src/limit.py", 1, "there is no file src/limit.py; did you mean src/limits.py?"),
        ("src/limits.py", 99, "src/limits.py has 7 lines; there is no line 99"),
        ("src/limits.py", 0, "src/limits.py has 7 lines; there is no line 0"),
        ("../out.py", 1, "out.py"),
    ],
)
def test_places_that_are_none(opened, path, line, message):
    """Said by name, with the nearest that is there."""
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        opened().related(path, line)
