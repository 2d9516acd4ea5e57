"""What the store on Milvus promises beyond the contract: commits, switches, kills, names."""

import json
import socket
import threading
from dataclasses import replace

import pytest

from fiuto.errors import IndexBusy, IndexMismatch, IndexMissing, StoreUnavailable, UsageError
from fiuto.model import Batch, EmbedderIdentity, TermQuery, Where
from fiuto.store.milvus import open_joint, open_milvus
from fiuto.store.milvus.lease import Lease
from fiuto.store.milvus.link import Link, Target, parse_url
from fiuto.store.milvus.rows import encoded
from fiuto.store.milvus.schema import Build, meta_row
from fiuto.store.milvus.selecting import folder_clause
from fiuto.store.milvus.state import GRACE, State
from fiuto.terms import terms
from fiuto.testing.servers import LiteServer, available
from fiuto.testing.values import IDENTITY, file_of, manifest, unit_vector


def filled(store, *files):
    """The store with one generation."""
    with store.write(1) as writer:
        writer.reset(manifest())
        writer.apply(Batch(files=files))
    return store


ANY = Where()


def found(reader, text, where=ANY):
    """Paths of the chunks that hold a word, best first."""
    scored = reader.match_terms(TermQuery(tuple(terms(text))), where, 20)
    chunks = reader.chunks([s.id for s in scored])
    return [chunks[s.id].path for s in scored]


def test_addresses():
    """Host, port and collection; anything else is refused with the form that is wanted."""
    assert parse_url("milvus://db.example.org:19531/code") == ("db.example.org", 19531, "code")
    assert parse_url("milvus://localhost/code") == ("localhost", 19530, "code")
    for wrong in ("milvus://host", "http://host/code", "milvus://host/a-b", "milvus://h:p/c"):
        with pytest.raises(UsageError, match="milvus://host:19530/collection"):
            parse_url(wrong)
    with pytest.raises(UsageError, match="consistency is 'strong'"):
        open_milvus("milvus://host/code", "name", consistency="strong")
    for wrong in ('a"b', "", "a//b", "a b"):
        with pytest.raises(UsageError, match="cannot name a repository"):
            open_milvus("milvus://host/code", wrong)


def test_a_token_is_in_no_message():
    """What a target prints does not hold it."""
    assert "secret" not in repr(Target("milvus://host/code", token="secret"))


def test_terms_are_letters_and_digits():
    """Whatever a term is, every tokenizer sees one word; different terms stay different."""
    words = ["get", "größe", "求职", "x8xabc", "a2"]
    out = encoded(words).split(" ")
    assert (out[0], out[-1]) == ("get", "a2")
    assert all(word.isascii() and word.isalnum() for word in out)
    assert len(set(out)) == len(words)


def test_terms_beyond_the_limit_keep_each_word_once():
    """A text too long for a field loses repetitions, not words."""
    assert encoded(["a", "a", "a", "b", "a", "c"], most=8).split() == ["a", "b", "c", "a"]


def test_folder_clauses():
    """Only a glob that is rooted in a folder names one; quotes never reach the server."""
    assert folder_clause("src/net/*.c") == 'path >= "src/net/" and path < "src/net0"'
    assert folder_clause("./src/a.py") == 'path >= "src/" and path < "src0"'
    for glob in ("*.py", "docs", "**/x", 'a"b/*', "größe/*", "a\\*/b"):
        assert not folder_clause(glob), glob


def test_generations_outlive_their_readers():
    """A generation is kept for as long as somebody may have begun with it."""
    state = State(
        "r", replace(manifest(), generation=4), None, times=((1, 0.0), (2, 50.0), (3, 60.0))
    )
    state = replace(state, times=(*state.times, (4, 1000.0)))
    assert state.settled(1001.0) == 3
    assert state.settled(1000.0 + GRACE + 1) == 4
    assert state.settled(55.0) == 1


def test_an_absent_server_is_one_line(tmp_path, monkeypatch):
    """Nobody there: host, port, and what to check."""
    if not available():
        pytest.skip("pip install 'fiuto[milvus]'")
    monkeypatch.setattr("fiuto.store.milvus.link._PAUSE", 0.001)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(
        StoreUnavailable, match=rf"127.0.0.1:{port} does not answer.*check \[store\]"
    ) as told:
        open_milvus(f"milvus://127.0.0.1:{port}/code", "name", timeout=1).read()
    assert "\n" not in str(told.value)


def test_what_a_server_lacks_and_refuses(milvus_url, monkeypatch):
    """Its reason, in one line, without a second try where that cannot help."""
    monkeypatch.setattr("fiuto.store.milvus.link._PAUSE", 0.001)
    link = Link(Target(milvus_url))
    assert link.found("describe_alias", link.name) is None
    with pytest.raises(StoreUnavailable, match="cannot do as asked"):
        link.call("query", "nowhere", filter="id > 0", output_fields=["id"])
    with pytest.raises(IndexMissing):
        open_joint(milvus_url).read()
    link.close()


def test_repositories_side_by_side(milvus_url):
    """Each sees its own; all are seen at once, each path under its name; one goes alone."""
    one = filled(open_milvus(milvus_url, "team/one", "abc"), file_of("src/a.py", "users here"))
    two = filled(open_milvus(milvus_url, "two"), file_of("src/a.py", "users there", language="go"))
    assert found(one.read(), "users") == ["src/a.py"]
    collection = open_joint(milvus_url)
    reader = collection.read()
    assert sorted(found(reader, "users")) == ["team/one/src/a.py", "two/src/a.py"]
    assert found(reader, "users", Where(paths=("src/*",), languages=("go",))) == ["two/src/a.py"]
    assert found(collection.read(["team/one"]), "users") == ["team/one/src/a.py"]
    assert reader.repository_of("team/one/src/a.py") == "team/one"
    assert (reader.revision_of("team/one"), reader.revision_of("two")) == ("abc", "")
    assert [c.chunk.text for c in reader.chunks_of("two/src/a.py")] == ["users there"]
    assert (reader.counts().files, sorted(reader.files())) == (
        2,
        ["team/one/src/a.py", "two/src/a.py"],
    )
    with pytest.raises(UsageError, match="did you mean 'team/one'"):
        collection.read(["team/on"])
    one.remove()
    assert found(collection.read(), "users") == ["two/src/a.py"]
    with pytest.raises(IndexMissing):
        one.read()
    two.close()


def test_another_embedder_switches_the_alias(milvus_url):
    """Alone in a collection, a repository moves to one of its new dimension in one step."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users old"))
    other = EmbedderIdentity("other", "1", 4)
    before = store.read()
    with store.write(1) as writer:
        writer.reset(manifest(embedder=other))
        part = file_of("a.py", "users new", vectors=False)
        writer.apply(Batch(files=(part,), complete=False))
        assert found(open_milvus(milvus_url, "one").read(), "old") == ["a.py"]
        writer.apply(Batch())
    assert store.read().manifest.embedder == other
    assert found(store.read(), "old") == []
    assert found(store.read(), "new") == ["a.py"]
    assert found(before, "old") == ["a.py"]


def test_another_embedder_is_refused_among_others(milvus_url):
    """One repository cannot change the vectors that the others are asked with."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users"))
    filled(open_milvus(milvus_url, "two"), file_of("a.py", "users"))
    other = EmbedderIdentity("other", "1", 4)
    with store.write(1) as writer, pytest.raises(IndexMismatch, match="1 more repositories"):
        writer.reset(manifest(embedder=other))
    assert found(store.read(), "users") == ["a.py"]


def test_builds_of_a_collection(milvus_url):
    """A second build is filled out of sight, found again, and takes over when told to."""
    collection = open_joint(milvus_url)
    assert collection.prepare(IDENTITY, rebuild=False) == 1
    assert collection.prepare(IDENTITY, rebuild=False) == 1
    filled(open_milvus(milvus_url, "one"), file_of("a.py", "users old"))
    assert collection.prepare(IDENTITY, rebuild=True) == 2
    filled(open_milvus(milvus_url, "one", build=2), file_of("a.py", "users new"))
    assert collection.prepare(IDENTITY, rebuild=True) == 2
    assert (collection.current(), dict(collection.held(2))) == (1, {"one": True})
    assert found(collection.read(), "old") == ["one/a.py"]
    collection.switch(2)
    assert (collection.current(), found(collection.read(), "old")) == (2, [])
    assert found(open_milvus(milvus_url, "one").read(), "new") == ["one/a.py".removeprefix("one/")]


def test_a_writer_that_dies_leaves_nothing(milvus_url, monkeypatch):
    """Rows without their commit are seen by nobody, and removed by the next writer."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users"))

    def dies(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("fiuto.store.milvus.writer.save", dies)
        with store.write(1) as writer, pytest.raises(KeyboardInterrupt):
            writer.apply(Batch(files=(file_of("b.py", "users ghost"),), dropped=("a.py",)))
    assert found(store.read(), "users") == ["a.py"]
    assert found(open_joint(milvus_url).read(), "users ghost") == ["one/a.py"]
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("c.py", "users"),)))
    assert sorted(found(store.read(), "users ghost")) == ["a.py", "c.py"]
    link = Link(Target(milvus_url))
    paths = {row["path"] for row in link.rows(f"{link.name}__1", "born > 0", ["path"])}
    assert paths == {"a.py", "c.py"}


def test_rows_of_the_dead_are_removed_in_time(milvus_url, monkeypatch):
    """What a generation replaced stays for its readers, then goes."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users first"))
    link = Link(Target(milvus_url))

    def texts():
        return sorted(row["text"] for row in link.rows(f"{link.name}__1", "born > 0", ["text"]))

    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("a.py", "users second"),)))
    assert texts() == ["users first", "users second"]
    monkeypatch.setattr("fiuto.store.milvus.state.GRACE", -1.0)
    with store.write(1) as writer:
        writer.apply(Batch(files=(file_of("b.py", "users"),)))
    assert texts() == ["users", "users second"]
    assert sorted(found(store.read(), "users")) == ["a.py", "b.py"]


def test_one_writer_at_a_time(milvus_url):
    """A second one is told who holds it; a dead process of this machine holds nothing."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users"))
    other = open_milvus(milvus_url, "one")
    with store.write(1), pytest.raises(IndexBusy, match="is writing one in milvus://"):
        other.write(0).__enter__()
    link = Link(Target(milvus_url))
    build = Build(f"{link.name}__1")
    claim = {"name": "x", "host": socket.gethostname(), "pid": 2**22 + 1, "until": 1e12}
    link.call("upsert", build.meta, [meta_row("lease/one", "one", data=json.dumps(claim))])
    with other.write(0) as writer:
        writer.apply(Batch(files=(file_of("b.py", "users"),)))
    assert sorted(found(store.read(), "users")) == ["a.py", "b.py"]


def test_a_writer_that_was_overtaken_stops(milvus_url):
    """It must not commit over whoever took its place."""
    store = filled(open_milvus(milvus_url, "one"), file_of("a.py", "users"))
    link = Link(Target(milvus_url))
    build = Build(f"{link.name}__1")
    with store.write(1) as writer:
        Lease(link, "one")._write(build)
        with pytest.raises(IndexBusy, match="another writer took over"):
            writer.apply(Batch(files=(file_of("b.py", "users"),)))
    assert found(store.read(), "users") == ["a.py"]


def test_long_texts_and_many_files(milvus_url):
    """A text beyond a field's limit comes back whole; files beyond a page are all there."""
    long = "größe " * 30_000
    files = [file_of(f"d/{i}.py", f"word{i}", vectors=False) for i in range(2_100)]
    store = filled(open_milvus(milvus_url, "one"), file_of("long.txt", long), *files)
    reader = store.read()
    assert reader.chunks_of("long.txt")[0].chunk.text == long
    assert len(reader.files()) == 2_101
    assert found(reader, "word2077", Where(paths=("d/*.py",)))[0] == "d/2077.py"


def test_killed_in_mid_write_loses_nothing_acknowledged(tmp_path):
    """The server is killed while a thread commits; started again, it has each generation told."""
    if not available():
        pytest.skip("pip install 'fiuto[milvus-tests]'")
    server = LiteServer(tmp_path)
    server.start()
    try:
        _killed(server)
    finally:
        server.kill()


def _killed(server):
    store = open_milvus(server.url("code"), "one", timeout=5)
    filled(store, file_of("f0.py", "users word0"))
    told, ended = [0], []

    def commits():
        try:
            with store.write(1) as writer:
                for i in range(1, 1000):
                    writer.apply(Batch(files=(file_of(f"f{i}.py", f"users word{i}"),)))
                    told.append(i)
        except StoreUnavailable as error:
            ended.append(error)

    thread = threading.Thread(target=commits)
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr("fiuto.store.milvus.link._PAUSE", 0.01)
        thread.start()
        while len(told) < 4:
            thread.join(0.01)
        server.kill()
        thread.join(60)
    assert ended
    assert not thread.is_alive()

    server.start()
    after = open_milvus(server.url("code"), "one")
    files = set(after.read().files())
    whole = {f"f{i}.py" for i in told}
    # A commit whose answer was lost with the server may count, and then it is whole.
    assert whole <= files <= whole | {f"f{len(told)}.py"}
    for path in files:
        word = path.removeprefix("f").removesuffix(".py")
        assert found(after.read(), f"word{word}")[0] == path
        assert len(after.read().match_vector(unit_vector("q"), Where(), 100)) == len(files)
    with after.write(5) as writer:
        writer.apply(Batch(files=(file_of("z.py", "users"),)))
    assert set(after.read().files()) == files | {"z.py"}


def test_a_restart_between_requests_is_not_noticed(tmp_path):
    """A question asked while the server comes back waits for it."""
    if not available():
        pytest.skip("pip install 'fiuto[milvus-tests]'")
    server = LiteServer(tmp_path)
    server.start()
    try:
        store = filled(open_milvus(server.url("code"), "one"), file_of("a.py", "users"))
        server.kill()
        again = threading.Thread(target=server.start)
        again.start()
        assert found(store.read(), "users") == ["a.py"]
        again.join()
    finally:
        server.kill()
