"""A cloned repository cannot choose where its reader's code is kept."""

import pytest

from fiuto.config import Cluster, Settings
from fiuto.engine.places import place_of
from fiuto.engine.stores import make_collection, make_store
from fiuto.errors import UsageError

ELSEWHERE = "milvus://evil.example:19530/code"


@pytest.mark.parametrize(
    ("url", "hosts", "kept"),
    [
        ("milvus://127.0.0.1:19530/code", "", True),
        (ELSEWHERE, "", False),
        (ELSEWHERE, "good.example", False),
        (ELSEWHERE, "good.example, evil.example", True),
    ],
)
def test_a_store_elsewhere_needs_the_users_word(tmp_path, monkeypatch, url, hosts, kept):
    """Before anything is sent, and before a token is read."""
    monkeypatch.setenv("FIUTO_REMOTE_HOSTS", hosts)
    made = []
    monkeypatch.setattr(
        "fiuto.engine.stores.registry.load", lambda *_: lambda *given, **_how: made.append(given[0])
    )
    cluster = Cluster(url=url)
    if kept:
        make_store(Settings(store=cluster), place_of(tmp_path, tmp_path, "default"))
        make_collection(cluster)
    else:
        with pytest.raises(UsageError, match=r"set FIUTO_REMOTE_HOSTS=evil\.example"):
            make_store(Settings(store=cluster), place_of(tmp_path, tmp_path, "default"))
        with pytest.raises(UsageError, match=r"set FIUTO_REMOTE_HOSTS=evil\.example"):
            make_collection(cluster)
    assert made == ([url] * 2 if kept else [])
