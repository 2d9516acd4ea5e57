"""Names lead to implementations; wrong ones are answered with those that exist."""

import pytest

from fiuto import registry
from fiuto.errors import UnknownPlugin


def test_unknown_name_lists_the_known_ones():
    """A typing mistake never falls back to something else."""
    with pytest.raises(UnknownPlugin, match="'sintax'") as caught:
        registry.load("chunker", "sintax")
    assert caught.value.known == ("lines", "syntax")


def test_installed_packages_add_names(tmp_path, monkeypatch):
    """An entry point is a name like any other."""
    (tmp_path / "plug.py").write_text("class Words:\n    identity = 'words/1'\n")
    info = tmp_path / "plug-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[fiuto.chunkers]\nwords = plug:Words\nbroken = plug:Nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    assert registry.load("chunker", "words")().identity == "words/1"
    assert "words" in registry.known("chunker")
    with pytest.raises(registry.PluginFailed, match="broken"):
        registry.load("chunker", "broken")
