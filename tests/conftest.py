"""For every test: Hypothesis tries the same examples each time; one Milvus serves them all."""

import itertools

import pytest
from hypothesis import settings

from fiuto.config import environment
from fiuto.store.milvus import open_joint
from fiuto.testing.servers import LiteServer, available

settings.register_profile("fiuto", deadline=None, derandomize=True)
settings.load_profile("fiuto")

_NUMBERS = itertools.count()
_REASON = "the store on Milvus is tested with pip install 'fiuto[milvus-tests]'"


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory):
    """A server of this session's own; where CI says that it must be there, its lack fails."""
    if not available():
        (pytest.fail if environment("FIUTO_TESTS_NEED_MILVUS") else pytest.skip)(_REASON)
    server = LiteServer(tmp_path_factory.mktemp("milvus"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def milvus_shared(milvus_server):
    """The address of a collection that tests fill side by side, each as a repository."""
    yield from _removed(milvus_server.url("shared"))


@pytest.fixture
def milvus_url(milvus_server):
    """The address of a collection that is not there yet; what a test leaves is removed."""
    yield from _removed(milvus_server.url(f"test_{next(_NUMBERS)}"))


def _removed(url):
    yield url
    collection = open_joint(url)
    collection.remove()
    collection.close()
