"""The doctor: each fault is found where it is, and comes with what to do."""

import os
import shutil
import subprocess

import pytest

import fiuto
from fiuto.engine import doctor, installation
from fiuto.engine.doctor import look_over
from fiuto.errors import UsageError
from fiuto.store.database import connect


@pytest.fixture
def home(tree, tmp_path):
    """A home with an index of the tree, made with the model that ships."""
    folder = tmp_path / "home"
    with fiuto.open(tree, home=folder) as index:
        index.refresh()
    return folder


def faults(tree, home):
    """(about, what, remedy) of each fault."""
    return [(f.about, f.what, f.remedy) for f in look_over(tree, home) if f.state == "fault"]


def test_nothing_is_wrong(tree, home):
    """Every part was looked at, and the index told in figures."""
    findings = list(look_over(tree, home))
    assert [f for f in findings if f.state == "fault"] == []
    assert {f.about for f in findings} == {"install", "model", "cache", "index", "git"}
    (index,) = (f for f in findings if f.about == "index")
    assert index.what == f"{tree}: 4 files, 4 chunks, generation 1; every byte agrees"


def test_nothing_is_changed(tree, home):
    """No file is written, however damaged the index."""
    for path in home.glob("roots/*/1/vectors/*.vec"):
        path.write_bytes(path.read_bytes()[:-4])
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert faults(tree, home)
    after = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert {p: b for p, b in after.items() if not p.name.endswith(("-shm", "-wal"))} == before


@pytest.mark.parametrize(
    "pattern", ["index.db", "vectors/*.vec", "postings-chunk/*.idx", "postings-file/*.term"]
)
def test_a_flipped_byte_is_found_though_the_times_agree(tree, home, pattern):
    """By its name; the index itself is mended by the next search."""
    (place,) = home.glob("roots/*/1")
    path = next(place.glob(pattern))
    data = bytearray(path.read_bytes())
    for i in range(len(data) // 2, len(data) // 2 + 8):
        data[i] ^= 0xFF
    if pattern == "index.db":
        data[100:108] = b"\xff" * 8  # a page that is in use
    stat = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    found = faults(tree, home)
    assert [about for about, _, _ in found] == ["index"]
    assert str(path) in found[0][1]
    assert "fiuto index" in found[0][2]


def test_a_newer_format(tree, home):
    """Not damage, but a fiuto that is too old."""
    (database,) = home.glob("roots/*/1/index.db")
    db = connect(database)
    db.execute("PRAGMA user_version = 7")
    db.close()
    ((about, what, remedy),) = faults(tree, home)
    assert (about, remedy) == ("index", "upgrade fiuto: pip install --upgrade fiuto")
    assert "format 7" in what


def test_no_index_is_no_fault(tree, tmp_path):
    """The first search makes it."""
    findings = list(look_over(tree, tmp_path / "nothing"))
    assert not [f for f in findings if f.state == "fault"]
    (index,) = (f for f in findings if f.about == "index")
    assert (index.state, index.what) == (
        "note", f"{tree} has no index; the first search makes it"
    )  # fmt: skip
    assert not (tmp_path / "nothing").exists()


def test_a_damaged_vector_cache(tree, home):
    """Which file, and that nothing is lost with it."""
    (home / "vectors.db").write_bytes(b"this is no database, however long it is" * 20)
    ((about, what, remedy),) = faults(tree, home)
    assert about == "cache"
    assert str(home / "vectors.db") in what
    assert remedy.startswith("delete that file")


def test_a_disk_that_is_full(tree, home, monkeypatch):
    """Told before something fails for it."""
    usage = shutil.disk_usage(home)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage._replace(free=9_000_000))
    ((about, what, _),) = faults(tree, home)
    assert (about, what) == ("cache", f"{home}: 9 MB free")


def test_an_index_of_a_folder_that_is_gone(tree, home):
    """A note with the command that removes it."""
    other = tree.parent / "other"
    other.mkdir()
    shutil.rmtree(tree)
    notes = [f for f in look_over(other, home) if f.state == "note" and f.about == "cache"]
    assert [(f.what, f.remedy) for f in notes] == [
        (f"an index of {tree}, which is gone", f"fiuto forget {tree}")
    ]


def test_a_damaged_model(tree, home, tmp_path, monkeypatch):
    """Every section is read, not only what a question needs."""
    copy = tmp_path / "fiuto-static.questions"
    data = bytearray(installation.QUESTIONS.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    shutil.copy(installation.QUESTIONS.with_suffix(".vectors"), tmp_path)
    monkeypatch.setattr(installation, "QUESTIONS", copy)
    ((about, what, remedy),) = faults(tree, home)
    assert about == "model"
    assert f"{copy} is damaged" in what
    assert remedy == "install fiuto again: pip install --force-reinstall fiuto"


def test_a_package_that_is_missing_or_too_old(tree, home, monkeypatch):
    """Each by its name."""
    wanted = ["click<9,>=8.2", "no-such-package-here>=1", "filelock>=999", 'x; extra == "web"']
    monkeypatch.setattr(installation.metadata, "requires", lambda _: wanted)
    assert [what for _, what, _ in faults(tree, home)] == [
        "no-such-package-here is missing or of another version",
        "filelock is missing or of another version",
    ]


@pytest.mark.parametrize(
    ("settings", "about", "what"),
    [
        ('embedder = "st:not/there"', "model", "the model st:not/there is not here"),
        ('embedder = "nonsense"', "model", "no embedder is called 'nonsense'"),
        ("k = 'ten'", "settings", "k must be a int"),
    ],
)
def test_settings_that_cannot_work(tree, home, settings, about, what):
    """Found without asking a network."""
    (tree / "fiuto.toml").write_text(settings)
    ((told, said, remedy),) = faults(tree, home)
    assert told == about
    assert what in said
    assert remedy


def test_a_repository_that_git_refuses(tree, home):
    """In git's own words."""
    subprocess.run(["git", "init", "-q", tree], check=True)
    (tree / ".git" / "HEAD").write_text("nonsense")
    ((about, what, _),) = faults(tree, home)
    assert about == "git"
    assert f"git does not answer for {tree}" in what


def test_without_git(tree, home, monkeypatch):
    """A note: ignore files are honoured all the same."""
    monkeypatch.setenv("PATH", "")
    (found,) = (f for f in look_over(tree, home) if f.about == "git")
    assert found.state == "note"
    assert "not installed" in found.what


def test_no_folder(tmp_path):
    """Nothing to look at."""
    with pytest.raises(UsageError, match="is no folder"):
        list(look_over(tmp_path / "nowhere"))
