"""Many repositories from one list: read, shared out, indexed by workers, asked as one."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fiuto.engine.many import named_folders
from fiuto.engine.org import shard_of
from fiuto.engine.org.listing import Entry, read_list
from fiuto.engine.org.worker import Job, index_one
from fiuto.engine.several import open_cluster, open_list, open_many
from fiuto.errors import IndexMismatch, IndexMissing, UsageError

CODE = {
    "shop": "def refund_order(order):\n    '''Give the money back.'''\n    return order.total\n",
    "mail": "def send_newsletter(readers):\n    '''Write to every reader.'''\n    return readers\n",
}


def git(folder, *command):
    """Run git, with a name to commit under."""
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@x", *command],
        check=True,
        capture_output=True,
    )


def repository(folder, text):
    """A work tree of one commit."""
    folder.mkdir(parents=True)
    (folder / "code.py").write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def listed(tmp_path):
    """A list of two folders."""
    for name, text in CODE.items():
        repository(tmp_path / "src" / name, text)
    path = tmp_path / "list"
    path.write_text("# ours\nsrc/shop\n\nsrc/mail   name=team/mail\n")
    return path


def test_a_list_is_read(listed, tmp_path):
    """Paths from the list's folder, addresses, names and branches; comments are none."""
    listed.write_text(
        listed.read_text() + "https://git.example.org/web/api.git  ref=next\n"
        "git@example.org:web/api.git name=api\n"
    )
    assert read_list(listed) == [
        Entry("shop", str(tmp_path / "src/shop")),
        Entry("team/mail", str(tmp_path / "src/mail")),
        Entry("web/api", "https://git.example.org/web/api.git", "next"),
        Entry("api", "git@example.org:web/api.git"),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nowhere", "line 1: .*nowhere is not a folder"),
        ("ext::sh", "is no address"),
        ("src/shop branch=x", "means nothing here"),
        ("src/shop ref=main", "ref= is for addresses"),
        ("src/shop\nsrc/shop", "line 2: 'shop' is there already"),
        ("https://h/o/n ref=--upload-pack=x", "is no branch"),
        ("src/shop name=../x y=", "means nothing"),
        ("src/shop 'name=a b'", "cannot be a name"),
        ("# nothing", "names no repository"),
    ],
)
def test_what_a_list_cannot_say(listed, line, said):
    """One line that names the line."""
    listed.write_text(line + "\n")
    with pytest.raises(UsageError, match=said):
        read_list(listed)


def test_shards_share_out():
    """Every entry is in exactly one shard, and stays there when the list grows."""
    entries = [Entry(f"r{i}", "/") for i in range(40)]
    parts = [shard_of(entries, f"{i}/3") for i in (1, 2, 3)]
    assert sorted(e.name for part in parts for e in part) == sorted(e.name for e in entries)
    assert all(parts)
    assert [e for e in shard_of([*entries, Entry("new", "/")], "1/3") if e.name != "new"] == parts[
        0
    ]
    for wrong in ("0/3", "4/3", "1", "a/b"):
        with pytest.raises(UsageError, match="write the second of three as 2/3"):
            shard_of(entries, wrong)


def test_workers_index_and_a_second_run_embeds_nothing(listed, tmp_path):
    """Each row is done; what did not change costs a comparison."""
    org = open_list(listed, home=tmp_path / "home")
    with pytest.raises(IndexMissing, match="fiuto org"):
        org.many()
    assert [row.state for row in org.status()] == ["waiting", "waiting"]
    told = []
    rows = org.index(org.entries, processes=2, told=told.append)
    assert [(r.repository, r.state, r.embedded) for r in rows] == [
        ("shop", "done", 1),
        ("team/mail", "done", 1),
    ]
    assert sorted(r.repository for r in told) == ["shop", "team/mail"]
    assert all(len(row.revision) == 40 for row in rows)
    again = org.index(org.entries, processes=1)
    assert [(r.state, r.chunks, r.embedded) for r in again] == [("done", 1, 0)] * 2
    with org.many() as many:
        hit = many.search("give the money back")[0]
        assert (hit.repository, hit.path, hit.symbol) == ("shop", "code.py", "refund_order")
        assert (hit.revision, hit.verified) == (rows[0].revision, True)
        only = many.search("give the money back", repositories=["team/mail"])
        assert {hit.repository for hit in only} == {"team/mail"}
        with pytest.raises(UsageError, match="did you mean 'shop'"):
            many.search("x", repositories=["shp"])


def test_a_worktree_and_a_clone_embed_nothing(listed, tmp_path):
    """The same texts under the same paths are known, whatever the folder is called."""
    git(tmp_path / "src/shop", "worktree", "add", "-q", "-b", "next", str(tmp_path / "next"))
    address = f"file://{tmp_path}/src/shop"
    listed.write_text(f"src/shop\nnext name=shop-next\n{address} name=clone ref=main\n")
    org = open_list(listed, home=tmp_path / "home")
    rows = [row for entry in org.entries for row in org.index([entry], processes=1)]
    assert [(r.state, r.embedded, r.reused) for r in rows] == [
        ("done", 1, 0),
        ("done", 0, 1),
        ("done", 0, 1),
    ]
    (tmp_path / "src/shop/more.py").write_text("def more():\n    return 1\n")
    git(tmp_path / "src/shop", "add", ".")
    git(tmp_path / "src/shop", "commit", "-q", "-m", "second")
    (fresh,) = org.index(org.entries[2:], processes=1)
    assert (fresh.files, fresh.embedded, fresh.revision == rows[2].revision) == (2, 1, False)


def test_what_cannot_be_fetched_fails_alone(listed, tmp_path):
    """Its row says why; the others are done."""
    listed.write_text(f"file://{tmp_path}/nothing.git\nsrc/shop\n")
    org = open_list(listed, home=tmp_path / "home")
    failed, done = org.index(org.entries, processes=1)
    assert (failed.state, done.state) == ("failed", "done")
    assert failed.message.startswith("git cannot fetch file://")


def test_a_worker_that_dies_fails_one_entry(listed, tmp_path, monkeypatch):
    """The entry is marked, another worker goes on."""
    monkeypatch.setattr("fiuto.engine.org.runner.sys.executable", "/bin/false")
    org = open_list(listed, home=tmp_path / "home")
    rows = org.index(org.entries, processes=1)
    assert [row.state for row in rows] == ["failed", "failed"]
    assert "its process ended with 1; run it again" in rows[0].message


def test_each_hit_has_the_revision_of_its_own_repository(listed, tmp_path):
    """Though they are asked for at the same time."""
    repository(tmp_path / "src/web", "def render_page(page):\n    return page\n")
    roots = [tmp_path / "src" / name for name in ("shop", "mail", "web")]
    (tmp_path / "src/mail/code.py").write_text(CODE["mail"] + "# more\n")
    with open_many(roots, home=tmp_path / "home") as many:
        found = many.search("def", mode="lexical")
    heads = {}
    for root in roots:
        head = subprocess.check_output(["git", "-C", root, "rev-parse", "HEAD"], text=True).strip()
        heads[root.name] = f"{head}-dirty" if root.name == "mail" else head
    assert {hit.repository: hit.revision for hit in found} == heads


def test_folders_get_names():
    """As short as tells them apart."""
    paths = [Path("/a/web"), Path("/b/web"), Path("/b/api"), Path("/b/api")]
    assert list(named_folders(paths)) == ["a/web", "b/web", "api"]


def test_several_folders_are_one_question(listed, tmp_path):
    """One order over all; globs speak of paths inside each."""
    roots = [tmp_path / "src/shop", tmp_path / "src/mail"]
    with open_many(roots, home=tmp_path / "home") as many:
        assert many.search("write to every reader")[0].repository == "mail"
        both = many.search("def", mode="lexical", paths=["code.py"])
        assert {hit.repository for hit in both} == {"shop", "mail"}
        assert both.status.counts.files == 2
        (tmp_path / "src/mail/new.py").write_text("def zebra():\n    return 1\n")
        assert many.search("zebra")[0].location == "new.py:1-2"


def test_a_slower_model_reads_the_best_of_all_folders_again(listed, tmp_path, monkeypatch):
    """One order over what both hold, by the settings or the caller; none without."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fiuto.toml").write_text('deep = true\ndeep_embedder = "scripted"\n')
    roots = [tmp_path / "src/shop", tmp_path / "src/mail"]
    with open_many(roots, home=tmp_path / "home") as many:
        deep = many.search("give the money back")
        assert sorted((hit.ranks["deep"], hit.repository) for hit in deep) == [
            (1, "shop"),
            (2, "mail"),
        ]
        assert all(hit.score == pytest.approx(sum(hit.parts.values())) for hit in deep)
        plain = many.search("give the money back", deep=False)
        assert all("deep" not in hit.parts for hit in plain)
        with pytest.raises(UsageError, match="deep budget is -1"):
            many.search("give the money back", deep=True, deep_budget=-1)


def test_vectors_of_two_models_are_not_compared(listed, tmp_path):
    """Both are named, and what to do."""
    roots = [tmp_path / "src/shop", tmp_path / "src/mail"]
    home = tmp_path / "home"
    with open_many(roots[:1], home=home, embedder="scripted") as one:
        one.search("refund")
    with open_many(roots, home=home) as many:
        with pytest.raises(IndexMismatch, match=r"shop was indexed with scripted.*--mode lexical"):
            many.search("refund")
        assert many.search("refund", mode="lexical")[0].repository == "shop"


def test_a_list_in_a_collection(listed, tmp_path, milvus_url):
    """Shards fill it; it is asked with and without the folders; a rebuild takes over whole."""
    store = {"url": milvus_url}
    org = open_list(listed, home=tmp_path / "home", store=store)
    for shard in ("1/2", "2/2"):
        assert all(r.state == "done" for r in org.index(shard_of(org.entries, shard), processes=2))
    with org.many() as many:
        hit = many.search("give the money back")[0]
        assert (hit.repository, hit.path, hit.verified) == ("shop", "code.py", True)
    with open_cluster(store, home=tmp_path / "elsewhere") as many:
        hit = many.search("write to every reader")[0]
        assert (hit.repository, hit.verified, len(hit.revision)) == ("team/mail", False, 40)
    org.index(org.entries[:1], processes=1, rebuild=True)
    collection = many._collection
    assert (collection.current(), dict(collection.held(2))) == (1, {"shop": True})
    rows = org.index(org.entries[1:], processes=1, rebuild=True)
    assert collection.current() == 2
    assert (rows[0].embedded, rows[0].reused) == (0, 1)
    with org.many() as again:
        assert again.search("give the money back")[0].repository == "shop"
    collection.close()


def test_one_folder_in_a_collection(tmp_path, milvus_url):
    """fiuto.toml names it; everything else is as with files, and forget removes it."""
    import fiuto  # noqa: PLC0415 - the public door

    root = repository(tmp_path / "shop", CODE["shop"])
    (root / "fiuto.toml").write_text(f'[store]\nurl = "{milvus_url}"\nrepository = "shop"\n')
    home = tmp_path / "home"
    with fiuto.open(root, home=home) as index:
        hit = index.search("give the money back", only=["source"])[0]
        assert (hit.location, hit.symbol, hit.verified) == ("code.py:1-3", "refund_order", True)
        (root / "code.py").write_text("\n" + CODE["shop"])
        assert index.search("give the money back")[0].location == "code.py:2-4"
        assert index.size() == 0
    assert [place.root for place in fiuto.list_indexes(home)] == [root]
    fiuto.forget(root, home)
    with fiuto.open(root, home=home) as index, pytest.raises(IndexMissing):
        index.status()


def test_a_row_outlives_its_run(listed, tmp_path):
    """What is known stays while the repository is worked on again, and where it fails."""
    entry = Entry("shop", str(tmp_path / "src/shop"))
    job = Job(str(tmp_path / "home"), "scope", {})
    row = index_one(entry, job)
    assert (row.state, row.chunks) == ("done", 1)
    gone = replace(entry, source=str(tmp_path / "gone"))
    failed = index_one(gone, job)
    assert (failed.state, failed.chunks, job.table.rows()["shop"]) == ("failed", 1, failed)
