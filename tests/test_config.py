"""Settings come from four places, the nearest wins, and each mistake is named."""

import json

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as examples
from hypothesis import strategies as st

from fiuto.config import UNSET, Remote, Settings, given, load, user_home
from fiuto.errors import UsageError
from fiuto.model import LABELS


@pytest.fixture(autouse=True)
def _clean(monkeypatch):
    for name in ("FIUTO_HOME", "FIUTO_EMBEDDER", "FIUTO_CHUNKER", "FIUTO_PROFILE"):
        monkeypatch.delenv(name, raising=False)


def test_defaults(tmp_path):
    """Nothing given, nothing assumed about the embedder."""
    settings = load(tmp_path, {})
    assert (settings.embedder, settings.chunker, settings.k, settings.mode) == (
        UNSET,
        UNSET,
        10,
        "hybrid",
    )
    assert given(settings.embedder, "static") == "static"


def test_precedence(tmp_path, monkeypatch):
    """Explicit over environment over file over default; the default by name can win too."""
    (tmp_path / "fiuto.toml").write_text('embedder = "file"\nchunker = "lines"\nk = 3\n')
    assert load(tmp_path, {}).embedder == "file"
    monkeypatch.setenv("FIUTO_EMBEDDER", "environment")
    assert load(tmp_path, {}).embedder == "environment"
    settings = load(tmp_path, {"embedder": "static", "chunker": UNSET, "k": 10})
    assert (settings.embedder, settings.chunker, settings.k) == ("static", "lines", 10)


def test_pyproject_table(tmp_path):
    """[tool.fiuto] serves where there is no fiuto.toml."""
    (tmp_path / "pyproject.toml").write_text('[tool.fiuto]\nexclude = ["gen/**"]\n')
    assert load(tmp_path, {}).exclude == ("gen/**",)
    (tmp_path / "fiuto.toml").write_text("")
    assert load(tmp_path, {}).exclude == ()


def test_foreign_pyproject_is_not_ours_to_judge(tmp_path):
    """A broken pyproject.toml does not stop a search."""
    (tmp_path / "pyproject.toml").write_text("not [toml")
    assert load(tmp_path, {}).k == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k = 'ten'", "k must be a int, not 'ten'"),
        ("k = true", "k must be a int"),
        ("k = 0", "k must be at least 1"),
        ("colour = 1", "unknown setting 'colour'"),
        ("include = [1]", "include must hold strings"),
        ("[labels]\n'gen/**' = 'genrated'", "no label 'genrated'"),
        ("[remote]\nport = 1", r"\[remote\] does not know port"),
        ("not [toml", "cannot be read"),
    ],
)
def test_mistakes_name_file_and_key(tmp_path, text, message):
    """One line: which file, which key, what is wrong."""
    (tmp_path / "fiuto.toml").write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        load(tmp_path, {})
    assert str(tmp_path / "fiuto.toml") in str(caught.value)
    assert "\n" not in str(caught.value).strip()


def test_labels_and_remote(tmp_path):
    """Tables become values."""
    (tmp_path / "fiuto.toml").write_text(
        "[labels]\n'gen/**' = 'generated'\n"
        "[remote]\nurl = 'http://h/v1'\nmodel = 'm'\ntimeout = 5\n"
    )
    settings = load(tmp_path, {})
    assert settings.labels == {"gen/**": "generated"}
    assert settings.remote == Remote(url="http://h/v1", model="m", timeout=5)


def test_home(tmp_path, monkeypatch):
    """Explicit, then FIUTO_HOME, then the user's cache."""
    assert user_home(tmp_path) == tmp_path
    monkeypatch.setenv("FIUTO_HOME", str(tmp_path / "env"))
    assert user_home() == tmp_path / "env"
    assert load(tmp_path, {"home": tmp_path / "x"}).home == tmp_path / "x"
    monkeypatch.delenv("FIUTO_HOME")
    assert user_home().name == "fiuto"


def test_the_deep_tier_by_variable(tmp_path, monkeypatch):
    """Variables are texts: yes, no and seconds are read from them, before the file."""
    (tmp_path / "fiuto.toml").write_text('deep = true\ndeep_budget = 2\ndeep_embedder = "bge-m3"\n')
    settings = load(tmp_path, {})
    assert (settings.deep, settings.deep_budget, settings.deep_embedder) == (True, 2, "bge-m3")
    monkeypatch.setenv("FIUTO_DEEP", "0")
    monkeypatch.setenv("FIUTO_DEEP_BUDGET", "1.5")
    monkeypatch.setenv("FIUTO_DEEP_EMBEDDER", "minilm")
    settings = load(tmp_path, {})
    assert (settings.deep, settings.deep_budget, settings.deep_embedder) == (False, 1.5, "minilm")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("FIUTO_DEEP", "perhaps", "FIUTO_DEEP: deep must be a bool, not 'perhaps'"),
        ("FIUTO_DEEP_BUDGET", "long", "FIUTO_DEEP_BUDGET: deep_budget must be a float, not 'long'"),
        ("FIUTO_DEEP_BUDGET", "0", "FIUTO_DEEP_BUDGET: deep_budget must be seconds, more than 0"),
    ],
)
def test_mistaken_variables_are_named(tmp_path, monkeypatch, name, value, message):
    """With the setting they stand for."""
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=message):
        load(tmp_path, {})


def test_seconds_are_no_truth_value(tmp_path):
    """``deep_budget = true`` is a mistake."""
    (tmp_path / "fiuto.toml").write_text("deep_budget = true\n")
    with pytest.raises(UsageError, match="deep_budget must be a float, not True"):
        load(tmp_path, {})


scalars = st.one_of(
    st.booleans(), st.integers(-3, 10**6), st.text(max_size=12), st.floats(allow_nan=False),
    st.sampled_from(["static", "lines", "default", "test", "source", "hybrid", "**/*.py"]),
)  # fmt: skip
names = st.one_of(
    st.sampled_from(sorted(Settings.__dataclass_fields__)),
    st.sampled_from(["url", "model", "batch", "timeout"]),
    st.text(max_size=8),
)
tables = st.dictionaries(
    names,
    st.one_of(scalars, st.lists(scalars, max_size=3), st.dictionaries(names, scalars, max_size=3)),
    max_size=4,
)


def as_toml(value):
    """A value as TOML writes it, keys quoted."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)


def loaded(root):
    """Settings, or None and what was said."""
    try:
        return load(root, {}), ""
    except UsageError as error:
        return None, str(error)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@examples(table=tables)
def test_any_table_is_settings_or_a_mistake_with_its_file(tmp_path, table):
    """Types and limits hold of whatever is accepted; all else names the file."""
    file = tmp_path / "fiuto.toml"
    file.write_text("".join(f"{json.dumps(k)} = {as_toml(v)}\n" for k, v in table.items()), "utf-8")
    made, said = loaded(tmp_path)
    if made is None:
        assert str(file) in said
        return
    assert made.k >= 1
    assert made.max_bytes >= 1
    assert 0 < made.deep_budget < float("inf")
    assert all(isinstance(glob, str) for glob in (*made.include, *made.exclude))
    assert set(made.labels.values()) <= set(LABELS)
    assert {key: getattr(made, key) for key in ("k", "secrets", "mode") if key in table} == {
        key: table[key] for key in ("k", "secrets", "mode") if key in table
    }


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@examples(data=st.binary(max_size=60))
def test_any_bytes_are_settings_or_a_mistake_with_their_file(tmp_path, data):
    """A settings file that is no TOML, or no text, is one line."""
    (tmp_path / "fiuto.toml").write_bytes(data)
    made, said = loaded(tmp_path)
    assert made is not None or str(tmp_path / "fiuto.toml") in said


def test_store_table(tmp_path):
    """A server by address; whole seconds are seconds, and what it does not know is named."""
    (tmp_path / "fiuto.toml").write_text('[store]\nurl = "milvus://h/c"\ntls = true\ntimeout = 5\n')
    store = load(tmp_path, {}).store
    assert (store.url, store.tls, store.timeout, store.consistency) == (
        "milvus://h/c",
        True,
        5,
        "Strong",
    )
    assert load(tmp_path, {"store": {}}).store.url == ""
    for wrong in ('token = "x"', "tls = 1", "url = 3", "timeout = true"):
        (tmp_path / "fiuto.toml").write_text(f"[store]\n{wrong}\n")
        with pytest.raises(UsageError, match=rf"\[store\] does not know {wrong[:3]}"):
            load(tmp_path, {})
