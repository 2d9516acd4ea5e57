"""Reading a file, the identity of the rules, and why."""

import hashlib
import os
import threading
from pathlib import Path

import pytest
from scan_trees import outcomes, read

from fiuto.errors import UsageError
from fiuto.model import Found, Skipped, SourceFile, Stamp
from fiuto.scan import FileScanner, ScanRules

NOWHEN = Stamp(0, 0, 0, 0)


def test_read(make):
    """Text, hash of the raw bytes, stamp, language, label and encoding."""
    data = b"\xef\xbb\xbfdef f():\r\n    pass"
    root = make({"src/a.py": data})
    (found,) = FileScanner(root).walk()

    source = FileScanner(root).read(found)

    assert source == SourceFile(
        path="src/a.py",
        text="def f():\r\n    pass",
        stamp=found.stamp,
        digest=hashlib.blake2b(data, digest_size=16).hexdigest(),
        language="python",
        label="source",
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "text",
    ["a\r\nb\r\n", "a\x0cb\n", "a\u2028b\n", "no newline", "😀\ndef f(): pass\n", "a\rb\rc", ""],
)
def test_text_is_kept_as_it_is(make, text):
    """Lines are ended by newlines only, so nothing else may be touched (case 16)."""
    assert read(make({"a.py": text}), "a.py").text == text


def test_shebang_tells_the_language(make):
    """Where the name does not (case 13)."""
    root = make({"run": "#!/usr/bin/env python3\nprint()\n", "tool.sh": "#!/usr/bin/python\n"})
    assert read(root, "run").language == "python"
    assert read(root, "tool.sh").language == "bash"


def test_content_decides(make):
    """Binary, undecodable and secret files, with the stamp for which that holds."""
    root = make({
        "a.dat": b"a\0b",
        "b.txt": "def café(): pass".encode("mac_roman"),
        "id.pem": "-----BEGIN " + "PRIVATE KEY-----\nMIIE\n",
    })  # fmt: skip
    scanner = FileScanner(root)
    skipped = {found.path: scanner.read(found) for found in scanner.walk()}
    assert {path: s.reason for path, s in skipped.items()} == {
        "a.dat": "binary", "b.txt": "encoding", "id.pem": "secret",
    }  # fmt: skip
    for path, outcome in skipped.items():
        assert outcome.stamp.inode == (root / path).stat().st_ino
    assert read(root, "id.pem", withhold_secrets=False).text.startswith("-----BEGIN")


def test_utf16_by_profile(make):
    """Text for fiuto, binary for the article."""
    root = make({"a.py": "def café(): pass\n".encode("utf-16")})
    assert read(root, "a.py").text == "def café(): pass\n"
    scanner = FileScanner(root, ScanRules.of_article())
    assert scanner.read(Found("a.py", NOWHEN)).reason == "binary"


def test_article_counts(make):
    """Its rules: images by suffix only if text, others by their NUL; keys are indexed."""
    root = make({
        "a.py": "1", "logo.png": b"\x89PNG\0", "text.png": "no NUL", "logo.svg": "<svg/>",
        "x.key": "-----BEGIN " + "PRIVATE KEY-----\nMIIE\n", "big.txt": "x" * 1_000_001,
        ".env": "A=1",
    })  # fmt: skip
    scanner = FileScanner(root, ScanRules.of_article())
    walked = list(scanner.walk())
    read_ = [scanner.read(o) if isinstance(o, Found) else o for o in walked]
    assert {o.path: getattr(o, "reason", "found") for o in read_} == {
        ".env": "found", "a.py": "found", "big.txt": "too-big", "logo.png": "binary",
        "logo.svg": "image", "text.png": "found", "x.key": "found",
    }  # fmt: skip


def test_file_that_changed_since_the_walk(make):
    """Gone, grown, a pipe, a link, a folder: an answer each time, and no waiting."""
    root = make({"a": "1", "b": "1", "c": "1", "d": "1", "e": "1"})
    scanner = FileScanner(root, ScanRules(max_bytes=10))
    walked = list(scanner.walk())
    for name in "acde":
        (root / name).unlink()
    (root / "b").write_text("x" * 11)
    os.mkfifo(root / "c")
    (root / "d").symlink_to("b")
    (root / "e").mkdir()
    assert [scanner.read(found).reason for found in walked] == [
        "missing", "too-big", "special", "unreadable", "special",
    ]  # fmt: skip


def test_unreadable_file(make, unprivileged):
    """Named with the system's reason; twice the same (case 2)."""
    root = make({"a.py": "1", "b.py": "2"})
    (root / "a.py").chmod(0)
    code = (
        "import sys; from fiuto.scan import FileScanner\n"
        "s = FileScanner(sys.argv[1])\n"
        "for f in s.walk():\n"
        "    r = s.read(f); print(r.path, getattr(r, 'reason', 'read'), r.stamp == f.stamp)"
    )
    expected = "a.py unreadable True\nb.py read True\n"
    assert unprivileged(code, root) == expected
    assert unprivileged(code, root) == expected


def test_stamp_is_taken_before_the_content(make, monkeypatch):
    """A change while reading must show the next time."""
    root = make({"a.py": "old"})
    (found,) = FileScanner(root).walk()
    (root / "a.py").write_text("newer")
    source = FileScanner(root).read(found)
    assert source.text == "newer"
    assert source.stamp != found.stamp
    assert source.stamp.size == 5


def test_label_order(make):
    """The user's rules, then ``.gitattributes``, then the table."""
    root = make({
        ".gitattributes": "*.py linguist-generated\nvendor/** -linguist-vendored\n",
        "a.py": "1", "vendor/b.js": "2", "c.js": "3",
    })  # fmt: skip
    rules = {"labels": (("a.py", "example"), ("*", "docs"))}
    assert read(root, "a.py").label == "generated"
    assert read(root, "vendor/b.js").label == "source"
    assert read(root, "a.py", **rules).label == "example"
    assert read(root, "c.js", **rules).label == "docs"


def test_identity(make):
    """Equal for equal rules; another one for each rule that decides on content."""
    root = make({"a.py": "1"})
    plain = FileScanner(root).identity
    assert FileScanner(root, ScanRules(include=("dist",), exclude=("x",))).identity == plain
    others = [
        FileScanner(root, ScanRules(withhold_secrets=False)).identity,
        FileScanner(root, ScanRules(max_bytes=5)).identity,
        FileScanner(root, ScanRules(labels=(("a", "docs"),))).identity,
        FileScanner(root, ScanRules.of_article()).identity,
    ]
    (root / ".gitattributes").write_text("a.py linguist-generated\n")
    others.append(FileScanner(root).identity)
    assert len({plain, *others}) == 6


def test_long_lived_scanner_notices_new_attributes(make):
    """A server keeps one scanner for days."""
    root = make({"a.py": "1"})
    scanner = FileScanner(root)
    (found,) = scanner.walk()
    before = (scanner.identity, scanner.read(found).label)
    (root / ".gitattributes").write_text("a.py linguist-generated\n")
    after = (scanner.identity, scanner.read(found).label)
    assert before[0] != after[0]
    assert (before[1], after[1]) == ("source", "generated")


@pytest.mark.parametrize(
    "rules", [{"include": ("[",)}, {"exclude": ("[",)}, {"labels": (("[", "docs"),)}]
)
def test_bad_glob_is_refused_at_once(make, rules):
    """Even where there is no file to ask about."""
    with pytest.raises(UsageError, match="glob"):
        list(FileScanner(make({}), ScanRules(**rules)).walk())


def test_nothing_happens_before_the_first_call(tmp_path):
    """A scanner of a folder that is not there yet is no error."""
    scanner = FileScanner(tmp_path / "later")
    (tmp_path / "later").mkdir()
    assert list(scanner.walk()) == []


def test_threads_read_the_same(make):
    """One scanner for all of them."""
    root = make({f"d{i}/a{j}.py": f"x = {i * j}\n" for i in range(5) for j in range(20)})
    scanner = FileScanner(root)
    walked = list(scanner.walk())
    expected = [FileScanner(root).read(found) for found in walked]
    results = [[] for _ in range(4)]
    threads = [
        threading.Thread(target=lambda into=into: into.extend(map(scanner.read, walked)))
        for into in results
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


@pytest.fixture
def asked(repository):
    """A tree with one file for each answer."""
    root = repository({".gitignore": "# none\n*.log\n/scratch/\n", "a.py": "1", "dist/x.js": "2"})
    for path, content in {
        "b.log": "3", "scratch/deep/c.py": "4", "sub/.gitignore": "*.tmp\n", "sub/d.tmp": "5",
        "e.dat": "a\0b", ".env": "6", "f.gen": "7", ".fiutoignore": "*.gen\n",
    }.items():  # fmt: skip
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    (root / ".git" / "info" / "exclude").write_text("*.info\n")
    (root / "g.info").write_text("8")
    (root / "link").symlink_to("sub")
    return root


@pytest.mark.parametrize(
    ("path", "reason", "detail"),
    [
        ("b.log", "ignored", ".gitignore:2: *.log"),
        ("scratch/deep/c.py", "ignored", "scratch/, .gitignore:3: /scratch/"),
        ("sub/d.tmp", "ignored", "sub/.gitignore:1: *.tmp"),
        ("g.info", "ignored", ".git/info/exclude:1: *.info"),
        ("dist/x.js", "folder", "dist/"),
        ("e.dat", "binary", "NUL bytes or control characters"),
        (".env", "secret", "settings of an environment"),
        ("f.gen", "excluded", ".fiutoignore:1: *.gen"),
        ("link/d.tmp", "link", "link, to sub"),
        ("link", "link", "to sub"),
        ("none.py", "missing", ""),
        (".git/config", "folder", ".git"),
    ],
)
def test_why_not(asked, path, reason, detail):
    """The rule, and the pattern or folder where it stands."""
    outcome = FileScanner(asked).why(path)
    assert isinstance(outcome, Skipped)
    assert (outcome.path, outcome.reason, outcome.detail) == (path, reason, detail)


def test_why_agrees_with_the_walk(asked):
    """On every file, with git and without."""
    for root in (asked, asked / "sub"):
        scanner = FileScanner(root)
        for path, outcome in outcomes(root).items():
            if not path.endswith("/") and path != "e.dat":
                verdict = scanner.why(path)
                assert getattr(verdict, "reason", "found") == outcome, path


def test_why_found(asked):
    """A file that is indexed, by a relative or an absolute path; a folder that is walked."""
    scanner = FileScanner(asked)
    assert isinstance(scanner.why("a.py"), Found)
    assert scanner.why(asked / "sub" / ".." / "a.py").path == "a.py"
    assert isinstance(scanner.why("sub"), Found)
    assert isinstance(scanner.why("."), Found)


def test_why_outside(asked):
    """Nothing can be said of it."""
    with pytest.raises(UsageError, match="outside"):
        FileScanner(asked).why("../elsewhere.py")


def test_why_without_git(make):
    """The same words from the ignore files."""
    root = make({".gitignore": "*.log\n", "b.log": "1", "sub/.gitignore": "d/\n", "sub/d/x": "2"})
    scanner = FileScanner(root)
    assert scanner.why("b.log").detail == ".gitignore:1: *.log"
    assert scanner.why("sub/d/x").detail == "sub/d/, sub/.gitignore:1: d/"


def test_why_inside_a_repository_inside(repository):
    """Its own rules are named."""
    root = repository({"a.py": "1"})
    inner = repository({".gitignore": "*.log\n"}, under="root/dep")
    (inner / "b.log").write_text("2")
    assert FileScanner(root).why("dep/b.log").detail == ".gitignore:1: *.log"


def test_imports_are_light(unprivileged):
    """A scan by git needs neither pathspec nor charset-normalizer nor numpy."""
    code = (
        "import sys; from fiuto.scan import FileScanner\n"
        "s = FileScanner(sys.argv[1]); s.identity; list(s.walk())\n"
        "print(sorted(sys.modules.keys() & {'pathspec', 'charset_normalizer', 'numpy'}))"
    )
    assert unprivileged(code, Path(__file__).parent) == "[]\n"
