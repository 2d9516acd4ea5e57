"""Tests of fiuto.web.search, indexes, library and app, through the API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_tree import FILES, HOSTILE_NAME, HOSTILE_TEXT, TOKEN

QUESTION = "don't send the password to another site after a redirect"


def ask(client: TestClient, index: str, question: str = QUESTION, **more: Any) -> dict[str, Any]:
    """An answer, which must be one."""
    answer = client.get("/api/search", params={"index": index, "q": question, **more})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def test_the_answer_is_that_of_the_terminal(
    client: TestClient, index: str, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One schema: key for key, hit for hit."""
    monkeypatch.setenv("FIUTO_HOME", str(tmp_path / "home"))
    run = subprocess.run(
        [sys.executable, "-m", "fiuto", "search", QUESTION, str(tree), "--json", "--no", "test"],
        capture_output=True,
        check=True,
    )

    data = ask(client, index, no="test")

    assert data == json.loads(run.stdout)
    assert data["hits"][0]["symbol"] == "Redirects Redirects.keeps_login Redirects.follow"


def test_filters_filter(client: TestClient, index: str) -> None:
    """Label, language and path; several of a kind unite."""

    def paths(**more: Any) -> set[str]:
        return {hit["path"] for hit in ask(client, index, **more)["hits"]}

    assert "tests/test_redirects.py" in paths()
    assert "tests/test_redirects.py" not in paths(no="test")
    assert paths(only="test") == {"tests/test_redirects.py"}
    assert paths(lang=["go", "python"], path=["src/**", "nowhere"]) == {
        "src/redirects.py", "src/limits.py", "src/net.go",
    }  # fmt: skip
    assert paths(path="srcs") == set()


def test_lines_come_in_pieces_with_the_terms_marked(client: TestClient, index: str) -> None:
    """Together the pieces are the text; marks stand on the question's terms."""
    hit = ask(client, index, only="source", lines=True)["hits"][0]

    lines = ["".join(piece[1] for piece in line) for line in hit["lines"]]
    assert "\n".join(lines) == hit["text"]
    marked = {piece[1] for line in hit["lines"] for piece in line if len(piece) == 3}
    assert marked == {"Redirects", "password", "site", "after", "redirect"}
    assert hit["start"] <= hit["excerpt"]["first"] <= hit["best"] <= hit["end"]
    assert ["k", "class"] in hit["lines"][0]


def test_a_change_on_disk_is_found_by_the_question_that_refreshes(
    client: TestClient, index: str, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not by the one that asks for the index as it stands."""
    monkeypatch.setattr("fiuto.web.library._FRESH", 0.0)
    (tree / "src" / "fresh.py").write_text("def quixotic_windmill():\n    return 1\n")

    still = ask(client, index, "quixotic_windmill", refresh=False)
    live = ask(client, index, "quixotic_windmill")

    assert all(hit["path"] != "src/fresh.py" for hit in still["hits"])
    assert live["hits"][0]["path"] == "src/fresh.py"
    assert live["index"]["files"] == still["index"]["files"] + 1


def test_settings_that_change_are_taken_up(client: TestClient, index: str, tree: Path) -> None:
    """Without starting the server anew."""
    assert len(ask(client, index)["hits"]) > 2
    (tree / "fiuto.toml").write_text("k = 2\n")

    assert len(ask(client, index)["hits"]) == 2


@pytest.mark.parametrize(
    ("params", "status", "kind"),
    [
        ({"q": ""}, 400, "usage"),
        ({"q": " "}, 400, "usage"),
        ({"q": "x" * 10_001}, 400, "usage"),
        ({"q": "x", "k": "0"}, 400, "usage"),
        ({"q": "x", "mode": "magic"}, 400, "usage"),
        ({"q": "x", "path": "[z-a]/**"}, 400, "usage"),
        ({"q": "x", "index": "nobody"}, 404, "missing"),
        ({"q": "x", "index": "../../etc"}, 404, "missing"),
        ({"q": '"(*: AND -x foo:bar?', "k": "3"}, 200, None),
    ],
)
def test_odd_questions(
    client: TestClient, index: str, params: dict[str, str], status: int, kind: str | None
) -> None:
    """One line that says what is wrong, or an answer; never a traceback."""
    answer = client.get("/api/search", params={"index": index} | params)

    assert (answer.status_code, answer.json().get("error", {}).get("kind")) == (status, kind)


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.py",
        "src/../../outside/secret.py",
        "..%2foutside%2fsecret.py",
        "/etc/passwd",
        "//etc/passwd",
        "{root}/src/limits.py",
        "./src/limits.py",
        "src//limits.py",
        "src/limits.py/",
        "src/limits.py/x",
        "~/.ssh/id_rsa",
        "src/limits.py\x00.txt",
        "",
        ".",
        "src",
        "no/such/file.py",
        "\ud800",
        "C:\\windows\\win.ini",
        "..\\outside\\secret.py",
    ],
)
def test_paths_that_lead_elsewhere_lead_nowhere(
    client: TestClient, index: str, tree: Path, path: str
) -> None:
    """Out of the root, absolute, odd, or to nothing: refused, and nothing of them told."""
    query = path.replace("{root}", str(tree)).encode("utf-8", "surrogatepass")

    answer = client.get(f"/api/indexes/{index}/file", params={"path": query})

    assert answer.status_code in (400, 403, 404), answer.text
    assert "lines" not in answer.json()
    assert "not yours" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".env", "It holds a key, a token or a password and is withheld."),
        ("src/keys.py", "It holds a key, a token or a password and is withheld."),
        ("src/linked.py", "It is a symbolic link; links are not followed."),
        ("linked/secret.py", "It is a symbolic link; links are not followed."),
        ("photo.png", "It is not text."),
    ],
)
def test_what_is_not_indexed_is_not_shown(
    client: TestClient, index: str, path: str, why: str
) -> None:
    """Secrets, links out of the root, pictures: the reason, and nothing else."""
    answer = client.get(f"/api/indexes/{index}/file", params={"path": path})

    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "withheld")
    assert answer.json()["error"]["message"].endswith(why)
    assert "hunter2" not in answer.text
    assert TOKEN not in answer.text
    assert "not yours" not in answer.text


def test_a_folder_that_becomes_a_link_is_not_followed(
    client: TestClient, index: str, tree: Path
) -> None:
    """Between the index and the question."""
    (tree / "src").rename(tree / "old")
    (tree / "src").symlink_to(tree.parent / "outside")

    answer = client.get(f"/api/indexes/{index}/file", params={"path": "src/secret.py"})

    assert answer.status_code == 403
    assert "not yours" not in answer.text


def test_secrets_are_in_no_answer(client: TestClient, index: str) -> None:
    """Not by words, not by meaning, not in the list of what was left out."""
    for mode in ("hybrid", "lexical", "semantic"):
        text = json.dumps(ask(client, index, "PASSWORD hunter2 TOKEN ghp_a1B2", mode=mode, k=50))
        assert "hunter2\\n" not in text.replace(json.dumps("PASSWORD hunter2 TOKEN ghp_a1B2"), "")
        assert TOKEN not in text
    left_out = client.get(f"/api/indexes/{index}/skipped", params={"reason": "secret"})
    assert [file["path"] for file in left_out.json()["files"]] == [".env", "src/keys.py"]
    assert TOKEN not in left_out.text


def test_a_file_as_it_is_now(client: TestClient, index: str, tree: Path) -> None:
    """Every line, none invented after the last newline."""
    data = client.get(f"/api/indexes/{index}/file", params={"path": "src/limits.py"}).json()

    lines = ["".join(piece[1] for piece in line) for line in data["lines"]]
    assert lines == FILES["src/limits.py"].splitlines()
    assert (data["language"], data["label"], data["encoding"]) == ("python", "source", "utf-8")
    assert data["root"] == str(tree)


def test_hostile_names_and_content_are_plain_data(client: TestClient, index: str) -> None:
    """JSON by its type, and reading directions that could be turned are written out."""
    answer = client.get(f"/api/indexes/{index}/file", params={"path": HOSTILE_NAME})

    assert answer.headers["content-type"] == "application/json"
    text = "".join(piece[1] for line in answer.json()["lines"] for piece in line)
    assert "<script>alert('hostile heading')</script>" in text
    assert "\\u202e lanigiro" in text
    assert "\u202e" in HOSTILE_TEXT
    assert "\u202e" not in text


def test_an_index_in_figures(client: TestClient, index: str, tree: Path) -> None:
    """What the first screen shows."""
    (listed,) = client.get("/api/indexes").json()["indexes"]
    data = client.get(f"/api/indexes/{index}").json()

    assert (listed["id"], listed["root"], listed["state"], listed["profile"]) == (
        index, str(tree), "ready", "default",
    )  # fmt: skip
    assert listed["files"] == 7
    assert listed["skipped"] == {"binary": 1, "link": 2, "secret": 2}
    assert listed["embedder"]["name"] == "fiuto-static"
    assert listed["on_disk"] > 10_000
    assert data["languages"]["python"] == 3
    assert sum(data["labels"].values()) == 7
    assert data["reasons"]["link"] == "It is a symbolic link; links are not followed."
    assert data["truncated"] == data["unembedded"] == 0


def test_changes_are_told_without_indexing(client: TestClient, index: str, tree: Path) -> None:
    """Added, changed, removed; a file only touched is none of these."""
    assert client.get(f"/api/indexes/{index}/changes").json() == {
        "added": 0, "changed": 0, "removed": 0,
    }  # fmt: skip
    (tree / "src" / "new.py").write_text("x = 1\n")
    (tree / "src" / "limits.py").write_text("y = 2\n")
    (tree / "README.md").unlink()
    os.utime(tree / "src" / "net.go")

    assert client.get(f"/api/indexes/{index}/changes").json() == {
        "added": 1, "changed": 1, "removed": 1,
    }  # fmt: skip
    assert client.get("/api/indexes").json()["indexes"][0]["files"] == 7


def test_refresh_and_rebuild(
    client: TestClient, index: str, tree: Path, ended: Callable[[str], dict[str, Any]]
) -> None:
    """A job each; its result is that of ``fiuto index --json``."""
    (tree / "src" / "new.py").write_text("x = 1\n")

    job = client.post(f"/api/indexes/{index}/refresh", json={}).json()["job"]
    result = ended(job["id"])["result"]
    assert (result["files"], result["embedded"]) == (8, 1)

    job = client.post(f"/api/indexes/{index}/refresh", json={"rebuild": True}).json()["job"]
    result = ended(job["id"])["result"]
    assert (result["files"], result["embedded"]) == (8, 0)
    assert result["reused"] >= 8


def test_forgetting_leaves_the_folder(client: TestClient, index: str, tree: Path) -> None:
    """And the index is gone for every question."""
    assert client.delete(f"/api/indexes/{index}").json() == {"id": index, "root": str(tree)}

    assert client.get("/api/indexes").json()["indexes"] == []
    assert client.get("/api/search", params={"index": index, "q": "x"}).status_code == 404
    assert client.delete(f"/api/indexes/{index}").status_code == 404
    assert (tree / "src" / "limits.py").is_file()


def test_one_profile_is_forgotten_without_the_other(
    client: TestClient, index: str, tree: Path, ended: Callable[[str], dict[str, Any]]
) -> None:
    """Each is an index of its own."""
    both = client.post("/api/indexes", json={"root": str(tree), "profile": "article"}).json()
    ended(both["job"]["id"])

    client.delete(f"/api/indexes/{both['id']}")

    assert [one["id"] for one in client.get("/api/indexes").json()["indexes"]] == [index]


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ("src", "does not begin with / or ~"),
        ("/no/such/folder", "does not exist"),
        ("{root}/README.md", "is not a folder"),
    ],
)
def test_folders_that_cannot_be_added(client: TestClient, tree: Path, root: str, said: str) -> None:
    """Nothing is started."""
    answer = client.post("/api/indexes", json={"root": root.replace("{root}", str(tree))})

    assert answer.status_code == 400
    assert said in answer.json()["error"]["message"]
    assert client.get("/api/jobs").json() == {"jobs": []}


def test_a_folder_that_is_gone_can_still_be_forgotten(
    client: TestClient, index: str, tree: Path
) -> None:
    """It is listed as such."""
    tree.rename(tree.with_name("moved"))

    assert client.get("/api/indexes").json()["indexes"][0]["state"] == "gone"
    assert client.delete(f"/api/indexes/{index}").status_code == 200


def test_folders_are_offered_while_one_types(client: TestClient, tree: Path) -> None:
    """Folders only; hidden ones after a dot."""
    (tree / ".hidden").mkdir()

    def offered(under: str) -> list[str]:
        data = client.get("/api/folders", params={"under": under}).json()
        return [Path(name).name for name in data["folders"]]

    assert offered(f"{tree}/") == ["docs", "eval", "linked", "src", "tests"]
    assert offered(f"{tree}/s") == ["src"]
    assert offered(f"{tree}/.") == [".hidden"]
    assert offered(f"{tree}/README.md/") == []
    assert offered(f"{tree}/\x00") == []
    assert client.get("/api/folders", params={"under": "relative"}).status_code == 404


def test_there_is_nothing_elsewhere(client: TestClient) -> None:
    """JSON where programs ask; no file of the package but the page's."""
    assert client.get("/api/nothing").json()["error"]["kind"] == "missing"
    assert client.put("/api/search").json()["error"]["kind"] == "missing"
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/app.py"):
        assert client.get(path).status_code == 404, path


def test_models_are_offered(client: TestClient) -> None:
    """The shipped one first."""
    assert client.get("/api/models").json()["models"][0]["name"] == "static"
