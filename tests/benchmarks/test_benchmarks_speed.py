"""The edit that a refresh is measured after."""

from benchmarks.speed import with_edit


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


def test_where_no_file_is_in_the_language_another_is_taken(tmp_path):
    """A part of a JavaScript repository may be all TypeScript; never a link."""
    root = folder(tmp_path, src__a_ts=5, src__b_ts=9, c_py=30, d_xyz=9)
    (root / "e.ts").symlink_to(root / "c.py")
    with_edit(root, "javascript", 7)
    assert changed(root) == {"b.ts": 9 + 12}
