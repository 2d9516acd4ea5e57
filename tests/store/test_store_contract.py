"""Every store keeps the contract."""

import pytest

from fiuto.store.local import LocalStore
from fiuto.store.memory import MemoryStore
from fiuto.store.milvus import open_milvus
from fiuto.testing.stores import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_local(check, tmp_path):
    """The store on disk."""
    check(lambda: LocalStore(tmp_path / "index"))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_milvus(check, milvus_shared):
    """The store on a cluster, beside the other checks' repositories."""
    check(lambda: open_milvus(milvus_shared, check.__name__))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_memory(check):
    """The store in memory."""
    check(MemoryStore)
