"""One Milvus for all tests of its store."""

import itertools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from fiuto.store.milvus import open_joint
from milvus_server import Server, needed

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory):
    """A server of this session's own."""
    needed()
    server = Server(tmp_path_factory.mktemp("milvus"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def milvus_url(milvus_server):
    """The address of a collection that is not there yet; what a test leaves is removed."""
    url = milvus_server.url(f"test_{next(_NUMBERS)}")
    yield url
    collection = open_joint(url)
    collection.remove()
    collection.close()
