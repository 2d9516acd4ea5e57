"""The deep tier through the door every caller has: settings, warnings, reading everything."""

import pytest

from fiuto import registry
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.errors import ModelUnavailable, UsageError

QUESTION = "put a user on cooldown"


@pytest.fixture
def reader(monkeypatch):
    """The deep tier's model, whatever its name, that remembers what it read."""
    made = ScriptedEmbedder("reader", 16)
    load = registry.load
    monkeypatch.setattr(
        registry, "load",
        lambda kind, name: (lambda: made) if name == "minilm" else load(kind, name),
    )  # fmt: skip
    return made


def test_deep_is_a_third_list(opened, reader):
    """It shows in the ranks and in the parts, whose sum is the score."""
    results = opened().search(QUESTION, deep=True)
    assert results.warnings == ()
    assert reader.asked == [QUESTION]
    assert sorted(hit.ranks["deep"] for hit in results) == list(range(1, len(results) + 1))
    for hit in results:
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    scores = [hit.score for hit in results]
    assert scores == sorted(scores, reverse=True)
    assert "deep rank 1" in results[0].explain()


def test_without_it_nothing_is_read(opened, reader):
    """Not deep by default, and none of its lists."""
    results = opened().search(QUESTION)
    assert all("deep" not in hit.parts for hit in results)
    assert (reader.asked, reader.embedded) == ([], [])


def test_the_settings_choose_and_the_caller_overrides(opened, reader, tree):
    """``deep = true`` is for every question but the one that says no."""
    (tree / "fiuto.toml").write_text("deep = true\ndeep_budget = 2\n")
    index = opened()
    assert "deep" in index.search(QUESTION)[0].parts
    assert "deep" not in index.search(QUESTION, deep=False)[0].parts


def test_any_embedder_may_serve(opened, tree):
    """By its name in the registry, beside the one the index is made of."""
    (tree / "fiuto.toml").write_text('deep_embedder = "scripted"\n')
    assert "deep" in opened().search(QUESTION, deep=True)[0].parts


def test_a_missing_model_is_one_warning_and_the_usual_answer(opened, monkeypatch):
    """The hits are those of a question without, and the warning says what to install."""
    monkeypatch.setattr("fiuto.embed.onnx_file.find_spec", lambda _name: None)
    plain = opened().search(QUESTION)
    results = opened().search(QUESTION, deep=True)
    assert results.hits == plain.hits
    assert results.warnings == (
        "not read deeply: its model needs an extra; run pip install 'fiuto[deep]'",
    )


def test_a_wrong_file_is_one_warning_and_the_usual_answer(opened, monkeypatch, tmp_path):
    """A file that is not the known one is never loaded."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"not the model")
    monkeypatch.setattr("fiuto.embed.onnx.model_file", lambda: path)
    plain = opened().search(QUESTION)
    results = opened().search(QUESTION, deep=True)
    assert results.hits == plain.hits
    (warning,) = results.warnings
    assert warning.startswith(f"not read deeply: the model file {path} is not the one")


def test_words_alone_can_be_read_deeply_too(opened, reader):
    """The pool is then that of the keyword list."""
    hits = opened().search("cooldown", mode="lexical").hits
    deep = opened().search("the cooldown of users", mode="lexical", deep=True)
    assert {hit.location for hit in hits} <= {hit.location for hit in deep}
    assert all(set(hit.ranks) == {"lexical", "deep"} for hit in deep)


def test_reading_everything_leaves_nothing_to_read(opened, reader, tree):
    """Afterwards a question costs the model the question alone; a changed file, its windows."""
    index = opened()
    index.refresh()
    report = index.deepen()
    assert (report.windows, report.read) == (len(reader.embedded), len(reader.embedded))
    assert report.read == index.status().counts.chunks
    assert index.deepen().read == 0
    reader.embedded.clear()
    index.search(QUESTION, deep=True)
    assert reader.embedded == []
    (tree / "src/net.py").write_text("def close_proxy(host):\n    return host.close()\n")
    index.refresh()
    assert index.deepen().read == 1
    assert "close_proxy" in reader.embedded[-1]


def test_sources_are_read_first(opened, reader):
    """Whoever stops it has what is asked for most."""
    index = opened()
    index.refresh()
    index.deepen()
    paths = [text.partition("\n")[0] for text in reader.embedded]
    assert sorted(paths[:2]) == ["src/limits.py", "src/net.py"]


def test_stopped_it_keeps_what_was_done(opened, reader, tree):
    """Ctrl-C in the middle costs the call that ran."""
    for i in range(20):
        (tree / f"src/more_{i}.py").write_text(f"def more_{i}():\n    return work_{i}()\n")
    index = opened()
    index.refresh()
    embed = reader.embed

    def stopping(texts, role):
        if len(reader.embedded) >= 10:
            raise KeyboardInterrupt
        return embed(texts, role)

    reader.embed = stopping
    with pytest.raises(KeyboardInterrupt):
        index.deepen()
    read = len(reader.embedded)
    assert read >= 10
    reader.embed = embed
    report = index.deepen()
    assert report.read == report.windows - read


def test_reading_everything_needs_the_model(opened, monkeypatch):
    """Asked for by itself, a missing model is an error."""
    monkeypatch.setattr("fiuto.embed.onnx_file.find_spec", lambda _name: None)
    index = opened()
    index.refresh()
    with pytest.raises(ModelUnavailable, match=r"fiuto\[deep\]"):
        index.deepen()


@pytest.mark.parametrize("budget", [0, -1, float("inf"), float("nan")])
def test_a_budget_is_a_time(opened, budget):
    """Refused before anything is read."""
    with pytest.raises(UsageError, match="budget"):
        opened().search(QUESTION, deep=True, deep_budget=budget)
