"""What stands on a card."""

from search_made import chunk

from fiuto.search.cards import FILES, file_cards


def test_a_file_has_its_name_and_what_it_defines():
    """Names without what they belong to, each once, in the order of the candidates."""
    pool = [
        chunk(1, "src/user.py", symbol="User User.name"),
        chunk(2, "src/other.py", symbol=""),
        chunk(3, "src/user.py", symbol="User.block User.name"),
    ]
    assert file_cards(pool) == {
        "src/user.py": "src user.py user.py\nUser name block",
        "src/other.py": "src other.py other.py\n",
    }


def test_only_the_first_files_have_one():
    """Later candidates of those files still add their names."""
    pool = [chunk(i, f"{i}.py") for i in range(FILES + 1)]
    assert list(file_cards([*pool, chunk(999, "0.py", symbol="late")])) == [
        one.path for one in pool[:FILES]
    ]
    assert file_cards([*pool, chunk(999, "0.py", symbol="late")])["0.py"] == "0.py 0.py\nlate"
