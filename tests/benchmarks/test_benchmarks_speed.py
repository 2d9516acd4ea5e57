"""The edit that a refresh is measured after."""

import pytest
from benchmarks.speed import with_edit

from fiuto.errors import UsageError


def folder(tmp_path, **files):
    """A tree of files that hold so many lines."""
    for name, lines in files.items():
        path = tmp_path / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n" * lines)
    return tmp_path


def changed(root):
    """The files that were edited, and how many lines they have now."""
    texts = {path.name: path.read_text() for path in root.rglob("*.*")}
    return {name: text.count("\n") for name, text in texts.items() if "again 7" in text}


def test_the_file_of_middle_size_is_changed(tmp_path):
    """Of the language that was named, whatever else lies there."""
    root = folder(tmp_path, a_py=10, b_py=20, c_py=90, d_js=20, e_js=21, f_md=22, g_js=23)
    with_edit(root, "python", 7)
    assert changed(root) == {"b.py": 20 + 12}


@pytest.mark.parametrize("language", ["javascript", ""])
def test_where_no_file_is_in_the_language_the_commonest_is_taken(tmp_path, language):
    """Never a document, and never a link."""
    root = folder(tmp_path, src__a_ts=5, src__b_ts=9, c_py=1, d_md=1, e_md=2, f_md=3)
    (root / "g.ts").symlink_to(root / "c.py")
    with_edit(root, language, 7)
    assert changed(root) == {"b.ts": 9 + 12}


def test_nothing_to_edit_is_told(tmp_path):
    """With the folder."""
    with pytest.raises(UsageError, match="no source file"):
        with_edit(folder(tmp_path, a_md=3), "python", 1)
