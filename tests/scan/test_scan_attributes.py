"""Labels from ``.gitattributes``."""

import pytest

from fiuto.scan.attributes import read_attributes


def said(make, text, path):
    """What one file at the root says of a path."""
    return read_attributes(str(make({".gitattributes": text}))).of(path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("*.pb.go linguist-generated\n", "api/x.pb.go", {"generated": True}),
        ("*.pb.go linguist-generated=true\n", "x.pb.go", {"generated": True}),
        ("*.pb.go linguist-generated\n", "x.go", {}),
        ("docs/** linguist-documentation=false\n", "docs/a/b.py", {"docs": False}),
        ("/lib/** -linguist-vendored\n", "lib/a.js", {"vendored": False}),
        ("/lib/** -linguist-vendored\n", "x/lib/a.js", {}),
        ("* linguist-vendored\na.py -linguist-vendored\n", "a.py", {"vendored": False}),
        ("* linguist-vendored\na.py !linguist-vendored\n", "a.py", {}),
        ('"a b.py" text linguist-generated eol=lf\n', "a b.py", {"generated": True}),
        ("# *.py linguist-generated\n*.py linguist-language=Rust\n", "a.py", {}),
        (
            "*.a linguist-generated linguist-vendored\n",
            "x.a",
            {"generated": True, "vendored": True},
        ),
    ],
)
def test_lines(make, text, path, expected):
    """Set, unset, true, false, unspecified; the last line wins."""
    assert said(make, text, path) == expected


def test_none(make):
    """No file, or one that speaks of other things."""
    assert read_attributes(str(make({"a.py": ""}))).of("a.py") == {}
    assert read_attributes(str(make({".gitattributes": "* text=auto\n"}))).lines == ()


def test_from_above_the_root(repository):
    """The work tree's own file counts for a folder inside it; a nearer one wins."""
    root = repository({
        ".gitattributes": "/sub/gen/*.py linguist-generated\n*.md linguist-documentation=false\n",
        "sub/.gitattributes": "*.md linguist-documentation\n",
        "sub/gen/a.py": "1",
    })  # fmt: skip
    attributes = read_attributes(str(root / "sub"))
    assert attributes.of("gen/a.py") == {"generated": True}
    assert attributes.of("x.md") == {"docs": True}
    assert read_attributes(str(root)).of("x.md") == {"docs": False}
