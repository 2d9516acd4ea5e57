"""Notebooks by cell, at places that exist in their file."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fiuto.chunk.packing import TARGET, limits
from fiuto.chunk.syntax import SyntaxChunker

SIZES = limits(TARGET)


def cut(text):
    """What the default chunker makes of a notebook."""
    return SyntaxChunker().chunk("a.ipynb", text, "notebook")


def notebook(*cells, **more):
    """A notebook as Jupyter writes it, one source line per line of the file."""
    made = [
        {
            "cell_type": kind,
            "metadata": {},
            "outputs": [{"data": {"image/png": "aGlkZGVu" * 50, "text/plain": ["hidden\n"]}}],
            "source": source.splitlines(keepends=True),
        }
        for kind, source in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, **more}, indent=1) + "\n"


def test_a_chunk_is_a_cell_without_its_output():
    """Text, kind and symbols are the cell's; the lines lead to its source in the file."""
    text = notebook(
        ("markdown", "# Read *it*\n\nFirst."),
        ("code", "import json\n\ndef read(path):\n    return json.load(path)\n"),
    )

    first, second = cut(text)

    assert first.text == "# Read *it*\n\nFirst."
    assert (first.kind, first.symbol) == ("cell", "Read it")
    assert second.text == "import json\n\ndef read(path):\n    return json.load(path)"
    assert (second.kind, second.symbol) == ("cell", "read")
    rows = text.split("\n")
    assert '"import json' in rows[second.start - 1]
    assert "return json.load(path)" in rows[second.end - 1]
    assert "hidden" not in first.text + second.text


def test_a_long_cell_is_cut_along_its_syntax():
    """Each part at the lines where it stands."""
    body = "".join(f"    call({i}, some, arguments)\n" for i in range(60))
    text = notebook(("code", f"def one():\n{body}\ndef two():\n{body}"))

    parts = cut(text)

    assert [part.symbol for part in parts] == ["one", "two"]
    rows = text.split("\n")
    for part in parts:
        assert part.text.split("\n")[0] in rows[part.start - 1]
        assert part.text.split("\n")[-1] in rows[part.end - 1]


def test_sources_may_be_single_strings_and_files_single_lines():
    """Both are allowed by the format; then all cells stand on line 1."""
    cells = [{"cell_type": "code", "source": "a = 1\nb = 2"}, {"cell_type": "raw", "source": ["x"]}]

    parts = cut(json.dumps({"cells": cells}))

    assert [(p.start, p.end, p.text) for p in parts] == [(1, 1, "a = 1\nb = 2"), (1, 1, "x")]


def test_the_language_is_that_of_the_kernel():
    """Cells of another language are read by its grammar."""
    text = notebook(
        ("code", "fn area() -> u8 {\n    1\n}\n"),
        metadata={"kernelspec": {"language": "Rust", "name": "evcxr"}},
    )

    assert [part.symbol for part in cut(text)] == ["area"]


def test_old_notebooks_keep_their_cells_in_worksheets():
    """Format 3: the source of code is called input."""
    text = json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": ["a = 1"]}]}]})

    assert [part.text for part in cut(text)] == ["a = 1"]


def test_odd_cells_are_read_as_code():
    """A type that is no text, a source that holds no text."""
    text = json.dumps({"cells": [{"cell_type": [1], "source": ["a = 1", 2]}, {"source": {}}]})

    assert [part.text for part in cut(text)] == ["a = 1"]


def test_empty_cells_are_no_chunks():
    """Neither an empty source nor blanks."""
    assert cut(notebook(("code", ""), ("code", " \n"), ("markdown", "x")))[0].text == "x"
    assert cut(notebook()) == []


def test_broken_notebooks_are_cut_as_text():
    """Cut short, not JSON, not a notebook, or nested beyond reason: found all the same."""
    whole = notebook(("code", "needle = 1"))
    broken = [whole[:-20], "needle", '{"needle": 1}', '{"cells": {"needle": 1}}']
    broken += ['{"needle": ' + "[" * 100_000, '{"cells": [{["needle"]: 1}]}']

    for text in broken:
        parts = cut(text)
        assert "needle" in "".join(part.text for part in parts)
        assert {part.kind for part in parts} <= {"block", "slice"}


@settings(max_examples=150, deadline=None)
@given(
    sources=st.lists(
        st.lists(st.sampled_from(["a = 1\n", "def f():\n", "\n", "  x", "é\r\n", "word " * 2000]))
    ),
    indent=st.sampled_from([None, 1]),
)
def test_every_source_is_found_in_order(sources, indent):
    """Nothing of a source is lost, whatever its lines, and no chunk exceeds the cap."""
    cells = [{"cell_type": "code", "source": lines} for lines in sources]
    text = json.dumps({"cells": cells}, indent=indent)

    parts = cut(text)

    found = "".join("".join(part.text.split()) for part in parts)
    assert found == "".join("".join("".join(lines).split()) for lines in sources)
    assert all(1 <= part.start <= part.end <= text.count("\n") + 1 for part in parts)
    assert all(len(part.text) <= max(SIZES.cap, len(text) // 8) for part in parts)


@settings(max_examples=150, deadline=None)
@given(
    text=st.text(alphabet='{}[]":,\\ \ncelsourxy1'),
    head=st.sampled_from(["", '{"cells": [{"source": [']),
)
def test_any_text_may_call_itself_a_notebook(head, text):
    """Never a traceback."""
    for part in cut(head + text):
        assert part.text.strip()
