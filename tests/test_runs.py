"""The short way for ASCII finds what the pattern finds."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fiuto.runs import runs_of


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_runs_are_those_of_the_pattern(text):
    """Any text, and plain ASCII with every control character, which takes the short way."""
    assert runs_of(text) == re.findall(r"\w+", text)
