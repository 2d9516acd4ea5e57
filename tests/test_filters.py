"""A filter admits what every kind of restriction admits."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fiuto.errors import UsageError
from fiuto.filters import admitting
from fiuto.model import LABELS, Where

PARTS = ("src", "src2", "x", "a.py", "b.go", "test_a.py", "größe.rs", "a b", "[x]", "*")
paths = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("/".join)
globs = st.lists(
    st.sampled_from((*PARTS[:7], "*", "**", "*.py", "?", "[ab]*", "[!a]*", "\\*")),
    min_size=1, max_size=3,
).map("/".join)  # fmt: skip
languages = st.sampled_from(("python", "go", ""))
labels = st.sampled_from(LABELS)
wheres = st.builds(
    Where,
    paths=st.lists(globs, max_size=3).map(tuple),
    languages=st.lists(languages, max_size=2).map(tuple),
    only=st.lists(labels, max_size=2).map(tuple),
    no=st.lists(labels, max_size=2).map(tuple),
)


@settings(max_examples=300, deadline=None)
@given(where=wheres, path=paths, language=languages, label=labels)
def test_kinds_intersect_and_values_unite(where, path, language, label):
    """The whole filter is the meet of its kinds, each kind the union of its values."""
    file = (path, language, label)
    whole = admitting(where)(*file)
    kinds = [replace(Where(), **{name: getattr(where, name)})
             for name in ("paths", "languages", "only", "no")]  # fmt: skip
    assert whole == all(admitting(kind)(*file) for kind in kinds)
    if where.paths:
        one_by_one = [admitting(Where(paths=(glob,)))(*file) for glob in where.paths]
        assert admitting(kinds[0])(*file) == any(one_by_one)
    assert not (where.only and label not in where.only and whole)
    assert not (label in where.no and whole)


@settings(max_examples=300, deadline=None)
@given(folder=st.sampled_from(PARTS[:3]), path=paths)
def test_folders_end_at_their_borders(folder, path):
    """``src/**`` is what lies below ``src``, never ``src2`` or ``x/src``."""
    assert admitting(Where(paths=(f"{folder}/**",)))(path, "", "source") == path.startswith(
        f"{folder}/"
    )
    direct = path.startswith(f"{folder}/") and path.count("/") == 1
    assert admitting(Where(paths=(f"{folder}/*",)))(path, "", "source") == direct


@settings(max_examples=300, deadline=None)
@given(glob=st.text(max_size=30), path=st.text(max_size=30))
def test_any_text_is_a_glob_or_a_usage_error(glob, path):
    """Nothing else is raised, and the answer is yes or no."""
    try:
        admits = admitting(Where(paths=(glob,)))
    except UsageError:
        return
    assert admits(path, "", "source") in {True, False}
