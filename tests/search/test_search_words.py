"""Words of names: what is left out to be fast is nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from search_made import chunk, pool

from fiuto.search.words import Nearest, alike, name_parts, names_of, symbols_of

WORDS = st.text("abcdé", max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, max_size=12))
def test_the_nearest_is_the_most_similar(terms, words):
    """Of all pairs."""
    near = Nearest(terms)
    assert [near[word] for word in words] == [
        max(alike(term, word) for term in terms) for word in words
    ]


def test_the_words_of_each_name_in_a_symbol():
    """Without what a name belongs to."""
    names, beginnings = names_of("Session.rebuild_auth std::getURL")

    assert names == (("rebuild", "auth"), ("get", "url"))
    assert beginnings == {"rebu", "auth", "get", "url"}


@given(
    st.lists(st.sampled_from(["parse", "auth", "redirect", "url"]), min_size=1, max_size=3),
    st.lists(
        st.sampled_from(["parseUrl", "Auth.authenticate", "redirects", "x", "get_url", "a::b"]),
        max_size=4,
    ),
)
def test_how_much_of_a_name_the_question_says(words, symbols):
    """The best of a chunk's names, each by the mean of its words."""
    symbol = " ".join(symbols)
    made = pool(" ".join(words), chunk(1, "a.py", symbol=symbol))

    def fit(name):
        parts = name_parts(name)
        nearest = [max(alike(term, part) for term in made.asked.content) for part in parts]
        return sum(nearest) / len(parts)

    assert made.fit_of_names(symbol) == max(map(fit, symbols_of(symbol)), default=0.0)
