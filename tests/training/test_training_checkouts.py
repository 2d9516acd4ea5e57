"""The list of repositories: allowed, permissive, read at the pinned revision."""

import random
import subprocess
from pathlib import Path

import pytest
from training.checkouts import Repository, listed, read_blobs, root_licences
from training.grammar import LANGUAGES
from training.licences import PERMISSIVE, licences_in

MIT = (
    "Permission is hereby granted, free of charge, to any person obtaining a copy of this "
    "software ... The above copyright notice and this permission notice shall be included"
)
GPL = "GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007"


def git(folder, *arguments):
    """Run git without the user's settings."""
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def mirror(tmp_path):
    """A repository with a vendored part, a part under another licence, and a later change."""
    tree = tmp_path / "me+tiny" / "repo"
    for path, text in {
        "LICENSE": MIT,
        "src/a.py": "def a(): ...\n",
        "ee/LICENSE": GPL,
        "ee/b.py": "def b(): ...\n",
        "vendor/c.py": "def c(): ...\n",
        "README.md": "# Tiny\n",
        "data.bin": "\0\0",
    }.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "one")
    revision = git(tree, "rev-parse", "HEAD")
    (tree / "src/a.py").write_text("def later(): ...\n")
    git(tree, "commit", "-qam", "two")
    return tmp_path, Repository("me/tiny", "python", revision, "MIT")


def test_blobs_are_the_repositorys_own_at_the_pinned_revision(mirror):
    """Vendored files, parts under a closed licence and later commits are not read."""
    folder, repository = mirror
    found = dict(read_blobs(repository, folder, random.Random(1)))
    assert found == {"src/a.py": "def a(): ...\n", "README.md": "# Tiny\n"}


def test_the_licence_is_read_from_the_file(mirror):
    """What counts is the licence's own words at the root."""
    folder, repository = mirror
    found = root_licences(folder / "me+tiny" / "repo" / ".git", repository.revision)
    assert found == {"MIT"}


def test_the_list_is_permissive_wide_and_free_of_the_benchmark():
    """At least 150 repositories, all languages, none excluded, each pinned and permissive."""
    rows = listed()
    assert len(rows) >= 150
    assert {row.language for row in rows} >= set(LANGUAGES) - {"tsx"}
    assert all(len(row.revision) == 40 for row in rows)
    assert all(set(row.licence.split(", ")) <= PERMISSIVE for row in rows)


def test_an_excluded_repository_stops_the_recipe(tmp_path, monkeypatch):
    """Case does not matter: a benchmark repository in the list is an error that names it."""
    row = '{ name = "Psf/Requests", language = "python", revision = "a", licence = "MIT" }'
    (tmp_path / "repos.toml").write_text(f"repositories = [{row}]\n")
    (tmp_path / "excluded.txt").write_text("psf/requests\n")
    monkeypatch.setattr("training.checkouts._HERE", Path(tmp_path))
    with pytest.raises(SystemExit, match="psf/requests"):
        listed()


def test_licences_that_are_not_permissive_are_told_apart():
    """GPL, AGPL and LGPL are seen; the mention of them inside MPL is not taken for them."""
    assert licences_in(GPL) == {"GPL"}
    mpl = "Mozilla Public License Version 2.0 ... the GNU General Public License, Version 2.0"
    assert licences_in(mpl) == {"MPL-2.0"}
