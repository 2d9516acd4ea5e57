"""Tests of fiuto.web.evaluations: the tables of ``fiuto eval`` on a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

Ended = Callable[[str], dict[str, Any]]


def begun(client: TestClient, index: str, **body: Any) -> Any:
    """The answer to a start."""
    return client.post(f"/api/indexes/{index}/evaluations", json=body)


def test_a_file_of_the_folder(client: TestClient, index: str, ended: Ended) -> None:
    """It is offered by its name, and gives the tables that the terminal prints."""
    offered = client.get(f"/api/indexes/{index}/questions").json()["files"]
    assert offered == ["eval/questions.json"]

    job = begun(client, index, path=offered[0], scope=["all", "label:source"]).json()
    assert ended(job["id"])["state"] == "done"
    data = client.get(f"/api/evaluations/{job['id']}").json()

    ranks, *_ = data["tables"]
    assert ranks["title"].startswith("the whole tree: 2 questions over 7 files")
    assert ranks["header"][-1] == "fiuto static"
    assert [row[0] for row in ranks["rows"]] == [
        "do not send the password to another site after a redirect", "users who fail too often",
    ]  # fmt: skip
    assert ranks["rows"][1][-1] == "1"
    assert len(data["run"]["scopes"]) == 2
    assert data["run"]["questions"] == "eval/questions.json"
    assert data["facts"][0].startswith("eval/questions.json on ")
    assert "2 questions are few" in data["caution"]


def test_a_file_sent_along(client: TestClient, index: str, ended: Ended) -> None:
    """TOML by its name."""
    content = (
        '[[questions]]\nquestion = "users who fail"\n'
        'target = { path = "src/limits.py", line = 1 }\n'
    )
    job = begun(client, index, content=content, name="mine.TOML").json()
    ended(job["id"])

    data = client.get(f"/api/evaluations/{job['id']}").json()
    assert data["run"]["questions"] == "mine.TOML"
    report = client.get(f"/api/evaluations/{job['id']}/report.html")
    assert report.headers["content-disposition"] == 'attachment; filename="fiuto-evaluation.html"'
    assert "users who fail" in report.text


def test_every_fault_of_a_file_is_told_under_its_own_name(
    client: TestClient, index: str, ended: Ended, tmp_path: Path
) -> None:
    """And never under that of a temporary file."""
    content = '[{"question": "a"}, {"question": "b", "target": {"path": "no.py", "line": 1}}]'
    job = ended(begun(client, index, content=content, name="q.json").json()["id"])

    assert job["state"] == "failed"
    assert [fault.partition(": ")[0] for fault in job["error"]["faults"]] == ["q.json", "q.json"]
    assert "/tmp" not in str(job["error"])
    assert str(tmp_path) not in str(job["error"]["message"])
    assert client.get(f"/api/evaluations/{job['id']}").status_code == 404


def test_questions_from_doc_comments(client: TestClient, index: str, ended: Ended) -> None:
    """No file at all."""
    job = ended(begun(client, index, from_docs=5).json()["id"])

    assert job["state"] == "done", job
    data = client.get(f"/api/evaluations/{job['id']}").json()
    (row,) = data["run"]["scopes"][0]["rows"]
    assert row["targets"] == ["src/redirects.py:2"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"path": "eval/questions.json", "from_docs": 3}, 400),
        ({"path": "../outside/secret.py"}, 400),
        ({"path": "/etc/passwd"}, 400),
        ({"path": ".env"}, 404),
        ({"path": "eval/questions.json", "scope": ["label:nonsense"]}, 400),
    ],
)
def test_what_cannot_be_measured(
    client: TestClient, index: str, body: dict[str, Any], status: int
) -> None:
    """Refused before anything starts."""
    assert begun(client, index, **body).status_code == status
    assert all(job["kind"] == "index" for job in client.get("/api/jobs").json()["jobs"])
