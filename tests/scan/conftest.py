"""Small trees on disk, git, and a process without root's privileges."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def own_git_settings(tmp_path_factory, monkeypatch):
    """No test depends on, or changes, the settings of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (home / ".gitconfig").write_text(
        '[user]\n name = T\n email = t@example.org\n[protocol "file"]\n allow = always\n'
        "[init]\n defaultBranch = main\n[gc]\n auto = 0\n[maintenance]\n auto = false\n"
    )
    return home


@pytest.fixture
def make(tmp_path):
    """``make({"path": text or bytes}, under="root")`` writes files and gives the folder."""

    def write(files, under="root"):
        root = tmp_path / under
        root.mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def git():
    """``git(folder, "add", ".")`` gives what git prints."""

    def run(folder, *command, check=True):
        done = subprocess.run(
            ["git", "-C", str(folder), *command], capture_output=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def repository(make, git):
    """Like ``make``, and a repository with everything not ignored committed."""

    def build(files, under="root"):
        root = make(files, under)
        git(root, "init")
        git(root, "add", ".")
        git(root, "commit", "--allow-empty", "-m", "all")
        return root

    return build


@pytest.fixture
def unprivileged(monkeypatch):
    """Run Python code with ``argv`` as somebody whom mode 000 stops."""
    prefix = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root without setpriv cannot give up its privileges")
        away = "-dac_override,-dac_read_search"
        prefix = ["setpriv", "--bounding-set", away, "--inh-caps", away]

    monkeypatch.setenv("PYTHONPATH", str(SOURCE))

    def run(code, *argv):
        done = subprocess.run(
            [*prefix, sys.executable, "-c", code, *map(str, argv)],
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
