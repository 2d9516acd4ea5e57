"""Values say what they are."""

from fiuto.model import EmbedderIdentity


def test_identities_that_differ_read_differently():
    """A message that names two models must not name the same one twice."""
    documents, one, other = "a" * 32, "b" * 32, "c" * 32
    first = EmbedderIdentity("m", f"{documents}+{one}", 4)
    second = EmbedderIdentity("m", f"{documents}+{other}", 4)

    assert str(first) == "m (revision aaaaaaaaaaaa+bbbbbbbbbbbb, 4 dimensions)"
    assert str(first) != str(second)
    assert first.key != second.key
