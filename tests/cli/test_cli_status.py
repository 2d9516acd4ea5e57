"""Tests of fiuto.cli.status."""

from __future__ import annotations

import json

from cli_fakes import status_of

from fiuto.errors import IndexMissing


def test_an_index_in_figures(fake, run) -> None:
    """To the letter."""
    fake.status_ = status_of(truncated=4, unembedded=1)

    assert run("status").stdout == (
        "root        /root/app\n"
        "files       2 (900 bytes)\n"
        "chunks      5\n"
        "left out    3 skipped: 2 binary, 1 image\n"
        "embedder    static (revision 0123456789ab, 256 dimensions)\n"
        "            1 file without vectors\n"
        "            read only the start of 4 chunks\n"
        "chunker     syntax/1\n"
        "generation  7\n"
        "on disk     4.2 MB\n"
    )


def test_skipped_files_are_named(fake, run) -> None:
    """Reason, path, detail."""
    assert (
        run("status", "--skipped").stdout
    ) == "binary  logo.png\nsecret  key.pem  a private key\n"


def test_json(fake, run) -> None:
    """The figures, and the skipped files where asked for."""
    bare = json.loads(run("status", "--json").stdout)
    full = json.loads(run("status", "--json", "--skipped", "--profile", "article").stdout)

    assert (bare["files"], bare["chunks"], bare["bytes"]) == (2, 5, 900)
    assert "skipped_files" not in bare
    assert [entry["path"] for entry in full["skipped_files"]] == ["logo.png", "key.pem"]
    assert fake.opened["profile"] == "article"


def test_no_index_is_an_error(fake, run) -> None:
    """Exit code 2 and the engine's line."""
    fake.raises = IndexMissing("no index of /root/app")

    result = run("status")

    assert (result.exit_code, result.stderr) == (2, "fiuto: no index of /root/app\n")
