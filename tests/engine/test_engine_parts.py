"""Names become parts, and a name that cannot is told why."""

import pytest

import fiuto
from fiuto import terms
from fiuto.config import Remote, Settings
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.engine.parts import make_embedder, profile_named
from fiuto.errors import ModelUnavailable, PluginFailed, UnknownPlugin, UsageError


def test_unknown_embedder_lists_the_known_ones():
    """A slip never falls back to another model."""
    with pytest.raises(UnknownPlugin, match=r"'bge'.*bge-m3"):
        make_embedder("bge", Settings())


def test_remote_needs_its_settings():
    """Where to ask and for what."""
    with pytest.raises(UsageError, match=r"\[remote\] url and model"):
        make_embedder("remote", Settings())


def test_remote_takes_its_key_from_the_environment(monkeypatch):
    """The key is named in the settings, and read when it is needed."""
    made = []
    monkeypatch.setenv("SOME_KEY", "secret")
    monkeypatch.setattr(
        "fiuto.registry.load", lambda *_: lambda *arguments: made.append(arguments) or Broken()
    )
    remote = Remote(url="http://127.0.0.1:8080/v1", model="m", key_env="SOME_KEY")
    with pytest.raises(PluginFailed, match="no method embed"):
        make_embedder("remote", Settings(remote=remote))
    assert made == [(remote, "secret")]


@pytest.mark.parametrize(
    ("url", "hosts", "sent"),
    [
        ("http://localhost:11434/v1", "", True),
        ("http://[::1]:8080/v1", "", True),
        ("https://evil.example/v1", "", False),
        ("https://127.0.0.1.evil.example/v1", "", False),
        ("https://localhost@evil.example/v1", "", False),
        ("https://api.example.org/v1", "api.example.org", True),
        ("https://API.example.org/v1", "other, Api.Example.org", True),
        ("https://sub.api.example.org/v1", "api.example.org", False),
    ],
)
def test_a_folder_cannot_send_its_text_away(monkeypatch, url, hosts, sent):
    """Its settings may name this machine; another only where the user's environment does."""
    monkeypatch.setenv("FIUTO_REMOTE_HOSTS", hosts)
    monkeypatch.setenv("SOME_KEY", "secret")
    made = []
    monkeypatch.setattr(
        "fiuto.engine.parts.registry.load",
        lambda *_: lambda remote, key: made.append(key) or ScriptedEmbedder("far", 16),
    )
    settings = Settings(remote=Remote(url=url, model="m", key_env="SOME_KEY"))
    if sent:
        make_embedder("remote", settings)
    else:
        with pytest.raises(UsageError, match="set FIUTO_REMOTE_HOSTS="):
            make_embedder("remote", settings)
    assert made == (["secret"] if sent else [])


class Broken:
    """Registered, and no embedder."""


def test_folder_of_a_transformer(tmp_path):
    """``st:`` takes a folder; one without a model is named."""
    with pytest.raises((ModelUnavailable, UsageError), match=str(tmp_path)):
        _ = make_embedder(f"st:{tmp_path}", Settings()).identity


def test_unknown_profile():
    """Profiles are a fixed list."""
    with pytest.raises(UsageError, match="'fast'"):
        profile_named("fast")


def test_other_terms_mean_a_rebuild(opened, monkeypatch):
    """An upgrade that splits words otherwise makes the index anew, and says so once."""
    opened().refresh()
    monkeypatch.setattr(terms, "IDENTITY", "terms/99")
    index = opened()
    results = index.search("cooldown", mode="lexical")
    assert [w for w in results.warnings if "terms/1 -> terms/99" in w] == list(results.warnings)
    assert len(results.warnings) == 1
    assert index.search("cooldown").warnings == ()


def test_plugin_objects_are_checked_by_what_they_give(opened):
    """An embedder whose rows have another width than it says is refused."""

    class Wide:
        identity = fiuto.EmbedderIdentity("wide", "1", 4)

        def embed(self, texts, role):
            return fiuto.Vectors(b"\0" * 12 * len(texts), 3, tuple(False for _ in texts))

    with pytest.raises(PluginFailed, match="wide"):
        opened(embedder=Wide()).refresh()
