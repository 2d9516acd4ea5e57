"""Several repositories from the command line: which are asked, and how hits are written."""

import json

import pytest
from click.testing import CliRunner

from fiuto.cli.main import cli

TEXTS = {
    "shop": "def refund_order(order):\n    '''Give the money back.'''\n    return order.total\n",
    "mail": "def send_newsletter(readers):\n    '''Write to every reader.'''\n    return readers\n",
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command line in a folder of two small roots."""
    monkeypatch.setenv("FIUTO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").write_text(text)
    (tmp_path / "list").write_text("shop\nmail\n")
    return lambda *words: CliRunner().invoke(cli, words)


def test_roots(run):
    """A path leads there from here, whichever way the folder was given; JSON tells them apart."""
    found = run("search", "give the money back", "mail", "--root", "shop", "--files")
    assert (found.exit_code, found.stdout.splitlines()[0]) == (0, "shop/code.py")
    data = json.loads(run("search", "give the money back", "--root", "shop", "--root", "./mail",
                          "-k", "1", "--json").stdout)  # fmt: skip
    (hit,) = data["hits"]
    assert (hit["repository"], hit["revision"], hit["path"]) == ("shop", "", "code.py")
    assert data["index"]["files"] == 2


def test_deep_reads_what_all_folders_hold(run, tmp_path):
    """It counts for several folders as for one, and so does a budget alone."""
    (tmp_path / "fiuto.toml").write_text('deep_embedder = "scripted"\n')
    roots = ("--root", "shop", "--root", "mail", "--json")
    for more in (("--deep",), ("--deep-budget", "2s")):
        hits = json.loads(run("search", "give the money back", *roots, *more).stdout)["hits"]
        assert {hit["ranks"]["deep"] for hit in hits} == {1, 2}
    plain = json.loads(run("search", "give the money back", *roots).stdout)["hits"]
    assert all("deep" not in hit["ranks"] for hit in plain)


def test_repo_narrows(run):
    """Only what is named; a wrong name is told the right one."""
    roots = ("--root", "shop", "--root", "mail")
    found = run("search", "give the money back", *roots, "--repo", "mail", "--files")
    assert found.stdout.splitlines() == ["mail/code.py"]
    wrong = run("search", "x", *roots, "--repo", "mial")
    assert (wrong.exit_code, "did you mean 'mail'" in wrong.stderr) == (2, True)


def test_org(run, tmp_path):
    """One table; then the list is asked."""
    done = run("org", "list", "--processes", "1")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0, done.stderr
    assert [line.split()[:2] for line in lines[1:3]] == [["shop", "done"], ["mail", "done"]]
    assert lines[-1] == "2 done; 2 chunks"
    found = run("search", "write to every reader", "--org", "list", "--files")
    assert found.stdout.splitlines()[0] == f"{tmp_path}/mail/code.py"
    rows = json.loads(run("org", "list", "--status", "--json").stdout)["repositories"]
    assert [(row["repository"], row["embedded"]) for row in rows] == [("shop", 1), ("mail", 1)]
    assert run("org", "list", "--shard", "3/2").exit_code == 2


def test_what_does_not_go_together(run):
    """One line each."""
    for words, said in (
        (("--root", "shop", "--org", "list"), "use one"),
        (("shop", "--org", "list"), "say what is asked"),
        (("--org", "list"), "run 'fiuto org LIST'"),
        (("--store", "http://x/y"), "milvus://host:19530/collection"),
        (("--store", "code"), "is no store"),
        (("--store", "milvus://h.example/c"), "set FIUTO_REMOTE_HOSTS=h.example"),
        (("--store", "milvus://127.0.0.1/c", "--token-env", "FIUTO_NO_SUCH"), "which is not set"),
    ):
        failed = run("search", "where", *words)
        assert (failed.exit_code, said in failed.stderr) == (2, True), (words, failed.stderr)


def test_doctor_probes_and_leaves_nothing(run, milvus_server):
    """Every check is made on the server, each is told, and no collection is left."""
    from pymilvus import MilvusClient  # noqa: PLC0415 - an extra

    from fiuto.testing.stores import CHECKS  # noqa: PLC0415

    url = milvus_server.url("probed")
    client = MilvusClient(uri=url.replace("milvus", "http", 1).rpartition("/")[0])
    before = client.list_collections()
    told = run("doctor", "--store", url, "--json")
    data = json.loads(told.stdout)
    assert [f["what"] for f in data["findings"] if not f["passed"]] == []
    assert (told.exit_code, data["faults"], len(data["findings"])) == (0, 0, len(CHECKS) + 2)
    assert client.list_collections() == before
    client.close()
