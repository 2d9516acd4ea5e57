"""Inputs that break tools of this kind, asked about the way a user would."""

import json
import subprocess

import pytest

import fiuto


@pytest.fixture
def at_home(tmp_path):
    """Open a folder with the model that ships; everything is closed at the end."""
    indexes = []

    def open_(root, **options):
        indexes.append(fiuto.open(root, home=tmp_path / "home", **options))
        return indexes[-1]

    yield open_
    for index in indexes:
        index.close()


def build(root, files):
    """A folder with these files, texts or bytes."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(root, *command):
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(root), *who, *command], check=True, capture_output=True)


BLOCK = "def block_user(user):\n    user.blocked = True\n"


def test_worktrees_and_vendored_copies_are_one_hit(at_home, tmp_path):
    """The main checkout's, with the number of the others; a new worktree embeds nothing."""
    root = build(tmp_path / "app", {"src/users.py": BLOCK, "vendor/users.py": BLOCK})
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")
    index = at_home(root)
    assert [(h.path, len(h.copies)) for h in index.search("block_user")] == [("src/users.py", 1)]
    git(root, "worktree", "add", "-q", ".claude/worktrees/w1")
    git(root, "worktree", "add", "-q", ".worktrees/w2")
    assert index.refresh().added == 4
    (hit,) = index.search("block_user")
    assert hit.path == "src/users.py"
    assert len(hit.copies) == 5
    with fiuto.open(root / ".worktrees/w2", home=tmp_path / "home") as second:
        assert second.refresh().embedded == 0


def test_names_in_old_encodings_are_found(at_home, tmp_path):
    """Each under its true name, none with a character that stands for a lost one."""
    files = {
        "latin.py": "def café_handler():\n    return 'tea'\n".encode("latin-1"),
        "marked.py": "def naïve_marked():\n    return 1\n".encode("utf-16"),
        "bare.py": "def plain_unmarked():\n    return 1\n".encode("utf-16-le"),
        "gbk.py": "# 求职者登录接口，检查用户密码\ndef login_of_seeker():\n    pass\n".encode(
            "gbk"
        ),
        "cyrillic.py": "# Проверка входа пользователя в систему\nx = 1\n".encode("cp1251"),
    }
    index = at_home(build(tmp_path / "old", files))
    for question, path in (
        ("café_handler", "latin.py"), ("naïve_marked", "marked.py"),
        ("plain_unmarked", "bare.py"), ("求职者登录", "gbk.py"), ("пользователя", "cyrillic.py"),
    ):  # fmt: skip
        (first, *_) = index.search(question, mode="lexical")
        assert first.path == path
        assert "\ufffd" not in first.text
    assert index.search("café_handler", mode="lexical")[0].symbol == "café_handler"


@pytest.mark.parametrize("question", ["求职者登录", "größe", "Größe", "входа", "ВХОДА"])
def test_questions_in_other_alphabets(at_home, tmp_path, question):
    """Words of a comment are found whole; Chinese by its pairs."""
    files = {
        "a.py": "# 在这里处理求职者登录请求\ndef f(): pass\n",
        "b.py": "# die größe der straße\ndef g(): pass\n",
        "c.py": "# проверка входа в систему\ndef h(): pass\n",
        "d.py": "# nothing of the kind\ndef i(): pass\n",
    }
    wanted = {"求": "a.py", "g": "b.py", "в": "c.py"}[question[0].casefold()]
    index = at_home(build(tmp_path / "words", files))
    assert [h.path for h in index.search(question, mode="lexical")] == [wanted]


def test_a_bundle_does_not_drown_the_source(at_home, tmp_path):
    """Source first; 900 KB in one line are a few chunks, labelled generated."""
    bundle = "function blockUser(u){u.blocked=!0};" * 25_000
    files = {
        "src/users.js": "// block a user\nfunction blockUser(u) { u.blocked = true }\n",
        "dist2/app.min.js": bundle,
        "dist2/app.js.map": '{"version":3,"mappings":"AAAA"}',
    }
    index = at_home(build(tmp_path / "web", files))
    results = index.search("where do we block a user", k=5)
    assert results[0].path == "src/users.js"
    label = index.files()["dist2/app.min.js"].label
    assert label == "generated"
    assert results.status.counts.chunks < 45


def test_files_without_a_telling_name(at_home, tmp_path):
    """Dockerfile, Makefile, a script by its first line, a notebook by its cells."""
    cells = [
        {"cell_type": "markdown", "source": ["# Load\n"]},
        {"cell_type": "code", "source": ["def load_table(path):\n", "    return read(path)\n"],
         "outputs": [{"output_type": "stream", "text": ["zebra output\n"]}]},
    ]  # fmt: skip
    cells_and_format = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    notebook = json.dumps(cells_and_format, indent=1)
    files = {
        "Dockerfile": "FROM python:3.12\nENTRYPOINT run_the_service\n",
        "Makefile": "release_everything:\n\ttwine upload\n",
        "tools/deploy": "#!/usr/bin/env python3\ndef deploy_now(): pass\n",
        "load.ipynb": notebook,
    }
    index = at_home(build(tmp_path / "odd", files))
    for question, path in (
        ("run_the_service", "Dockerfile"), ("release_everything", "Makefile"),
        ("deploy_now", "tools/deploy"), ("load_table", "load.ipynb"),
    ):  # fmt: skip
        assert index.search(question, mode="lexical")[0].path == path
    assert index.files()["tools/deploy"].language == "python"
    hit = index.search("load_table", mode="lexical")[0]
    assert "def load_table" in "".join(notebook.split("\n")[hit.start - 1 : hit.end])
    assert not index.search("zebra", mode="lexical")


def test_secrets_are_withheld_and_counted(at_home, tmp_path):
    """No hit of theirs, four counted; the flag lets them in."""
    body = "\n".join(
        "MIIEpAIBAAKCAQEAy8Dbv8prpJ/0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy" for _ in "ab"
    )
    key = "-----BEGIN RSA PRIVATE " + f"KEY-----\n{body}\n-----END RSA PRIVATE " + "KEY-----\n"
    files = {
        "id.pem": key, ".env": "CONNECTION_WORD=abc\n",
        ".npmrc": "//registry.npmjs.org/:_authToken=connection-word\n",
        "aws.py": "connection_word = 'AKIA" + "IOSFODNN7QZRT2KW'\n",
        "fine.py": "connection_word = 1\n",
    }  # fmt: skip
    root = build(tmp_path / "keys", files)
    index = at_home(root)
    results = index.search("connection word", mode="lexical")
    assert [h.path for h in results] == ["fine.py"]
    assert results.status.counts.skipped == {"secret": 4}
    opened = at_home(root, secrets=True).search("connection word", mode="lexical")
    assert {".env", ".npmrc", "aws.py", "fine.py"} == {h.path for h in opened}


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\r\n\r\ndef marker(x):\r\n    return x\r\n",
        "a = 1\n\x0cdef marker(x):\n    return x\n",
        "s = 'a\u2028b'\n\ndef marker(x):\n    return x\n",
        "\ufeffdef marker(x):\n    return x",
        "# \N{FOX FACE}\n\n\N{FOX FACE} = 1\ndef marker(x):\n    return x",
        "a = 1\rdef marker(x):\r    return x\r",
        "def marker(x):\n    return x\n\n\n\n",
    ],
)
def test_lines_are_those_of_sed(at_home, tmp_path, text):
    """``sed -n a,bp`` prints the chunk, and the last line is one of the file."""
    root = build(tmp_path / "lines", {"a.py": text})
    hit = at_home(root).search("marker", mode="lexical")[0]
    printed = subprocess.run(
        ["sed", "-n", f"{hit.start},{hit.end}p", root / "a.py"], capture_output=True, check=True
    ).stdout
    assert printed.decode("utf-8-sig").removesuffix("\n") == hit.text
    assert hit.end <= max(1, text.count("\n") + (not text.endswith("\n")))


def test_tests_may_win_when_asked_for(at_home, tmp_path):
    """The same words: the source where nothing is said, the test where tests are meant."""
    files = {
        "src/redirects.py": "def handle_redirect(response):\n    return follow(response)\n",
        "tests/test_redirects.py": "def test_handle_redirect():\n    assert handle_redirect(x)\n",
        "src/other.py": "def other(): pass\n",
    }
    index = at_home(build(tmp_path / "kinds", files))
    assert index.search("redirect handling")[0].path == "src/redirects.py"
    assert index.search("tests for redirect handling")[0].path == "tests/test_redirects.py"


def test_a_pathological_file_is_cut_and_counted(at_home, tmp_path):
    """What a parser would choke on is cut by its looks, found, and told."""
    deep = "x = " + "(" * 20_000 + "1" + ")" * 20_000 + "\n" + "def after_the_storm(): pass\n"
    files = {
        "deep.py": deep,
        "fine.py": "def fine(): pass\n",
        "nul.c": "int a;" + "\n" * 600 + "\0",
    }
    index = at_home(build(tmp_path / "deep", files))
    report = index.refresh()
    assert (report.status.counts.files, report.fallbacks) == (3, 2)
    assert index.search("after_the_storm", mode="lexical")[0].path == "deep.py"
    assert index.refresh().fallbacks == 0


def test_memory_is_bounded_by_batches(opened, tree, monkeypatch):
    """No batch holds more than its share of text, however many files there are."""
    for i in range(60):
        (tree / f"src/many_{i}.py").write_text(f"def many_{i}(): pass\n" + "# filler\n" * 100)
    monkeypatch.setattr("fiuto.indexing.indexer._BATCH_CHARS", 5_000)
    held = []
    apply = "fiuto.store.writer.LocalWriter.apply"
    from fiuto.store.writer import LocalWriter  # noqa: PLC0415 - the one that is replaced

    real = LocalWriter.apply

    def counted(self, batch):
        held.append(sum(len(c.chunk.text) for f in batch.files for c in f.chunks))
        return real(self, batch)

    monkeypatch.setattr(apply, counted)
    report = opened().refresh()
    assert report.added == 64
    assert len(held) > 10
    assert max(held) < 7_000


def test_ctrl_c_keeps_what_was_done(opened, tree, monkeypatch, embedder):
    """The batches before it are there; the next run embeds only the rest."""
    for i in range(60):
        (tree / f"src/many_{i}.py").write_text(f"def many_{i}(): pass\n" + f"# filler {i}\n" * 100)
    monkeypatch.setattr("fiuto.indexing.indexer._BATCH_CHARS", 5_000)

    def stop(stage, done, _total):
        if stage == "read" and done == 40:
            raise KeyboardInterrupt

    index = opened()
    with pytest.raises(KeyboardInterrupt):
        index.refresh(progress=stop)
    kept = index.status()
    assert not kept.manifest.complete
    assert 20 < kept.counts.files < 64
    done = len(embedder.embedded)
    report = index.refresh()
    assert report.status.manifest.complete
    assert report.status.counts.files == 64
    assert len(embedder.embedded) - done == report.embedded < 40
