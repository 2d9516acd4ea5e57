"""A server over a small tree, asked as a program on this machine asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_tree import make_tree

from fiuto.web.app import create_app
from fiuto.web.guard import Access
from fiuto.web.library import Library
from fiuto.web.service import Service


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder outside any repository."""
    return make_tree(tmp_path / "shop")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Indexes in a home of their own."""
    service = Service(Library(tmp_path / "home"))
    yield service
    service.close()


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    """Asks as curl on this machine does."""
    with TestClient(create_app(service, Access()), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def ended(client: TestClient) -> Callable[[str], dict[str, Any]]:
    """Waits for a job."""

    def wait(id_: str) -> dict[str, Any]:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            job: dict[str, Any] = client.get(f"/api/jobs/{id_}").json()
            if job["state"] not in ("waiting", "running"):
                return job
            time.sleep(0.02)
        raise AssertionError("the job did not end")

    return wait


@pytest.fixture
def index(client: TestClient, tree: Path, ended: Callable[[str], dict[str, Any]]) -> str:
    """The id of the tree's index, complete."""
    started = client.post("/api/indexes", json={"root": str(tree)}).json()
    assert ended(started["job"]["id"])["state"] == "done"
    return str(started["id"])
