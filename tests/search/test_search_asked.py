"""What questions are taken for."""

import pytest

from fiuto.search.asked import bare_identifier, parse


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("raise_for_status", "raise_for_status"), (" Foo::bar ", "bar"), ("a.b.C", "C"),
        ("f()", "f"), ("Foo#bar", "bar"), ("größe", "größe"), ("two words", ""), ("1st", ""),
        ("a.b.", ""), ("why?", ""), ("", ""),
    ],
)  # fmt: skip
def test_bare_identifier(question, name):
    """A name alone, however qualified; anything else is more than a name."""
    assert bare_identifier(question) == name


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("JsonReader", "name"),
        ("gin.Context", "name"),
        ("transport adapters and connection pooling", "phrase"),
        ("how routes are registered", "how"),
        ("how are routes registered", "how"),
        ("how are routes registered?", "sentence"),
        ("how does dependency injection work", "how"),
        ("how does the test client simulate requests", "sentence"),
        ("how do we block users", "sentence"),
        ("how many retries are made", "sentence"),
        ("where do we block users", "sentence"),
        ("redirects?", "sentence"),
        ("don't send the password to another site after a redirect", "sentence"),
        ("how big is the body that we are about to send", "sentence"),
        ("密码是怎样比较的？", "sentence"),
    ],
)
def test_kinds(question, kind):
    """Names, headings, whole sentences."""
    assert parse(question).kind == kind


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("tests for redirect handling", {"test"}),
        ("how is the retry loop tested", {"test"}),
        ("example of a custom adapter", {"example"}),
        ("docs on proxies", {"docs"}),
        ("changelog", set()),
        ("changelog of 2.32", {"docs"}),
        ("ci workflow", {"config"}),
        ("test whether a host is local", set()),
        ("where cookies are stored", set()),
    ],
)
def test_labels_that_are_asked_for(question, wanted):
    """Words that name a kind of file, not words that happen to look so."""
    assert parse(question).wanted == wanted


def test_words_that_say_something():
    """All of them where nothing else is left."""
    assert parse("where do we block users").content == ("block", "user")
    assert parse("what is it").content == ("what", "is", "it")


def test_names_inside():
    """As they are written, without their owners."""
    asked = parse("who calls Session.rebuild_auth and getNetrc")
    assert asked.written == ("rebuild_auth", "getNetrc")
    assert asked.named == {"rebuildauth", "getnetrc"}


def test_a_trace_is_asked_by_its_message():
    """The message, the functions of the innermost frames, and no path of another machine."""
    asked = parse(
        "Traceback (most recent call last):\n"
        '  File "/x/requests/models.py", line 439, in prepare_url\n'
        "    raise MissingSchema(\nMissingSchema: Invalid URL 'foo'\n"
    )
    assert asked.text == "MissingSchema: Invalid URL 'foo' prepare_url"
    assert asked.quoted == "MissingSchema: Invalid URL 'foo'"
