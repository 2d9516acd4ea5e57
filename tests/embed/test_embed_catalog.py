"""Known models, where they lie, and pulling one from a hub on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import pytest

from fiuto.embed.catalog import KNOWN, _wanted, find, hub_id_of, on_disk, pull, snapshot_of
from fiuto.errors import ModelUnavailable, UsageError

COMMIT = "0123456789abcdef0123456789abcdef01234567"

needs_client = pytest.mark.skipif(
    find_spec("huggingface_hub") is None, reason="needs the extra 'transformers'"
)


def put(cache, hub, *names):
    """A model in a cache folder, as the Hugging Face client lays it."""
    home = cache / f"models--{hub.replace('/', '--')}"
    folder = home / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(COMMIT)
    for name in names:
        (folder / name).write_bytes(b"{}")
    return folder


def test_models_are_found_by_either_name():
    """The short name and the hub id mean the same model, whatever the case."""
    assert find("BGE-M3") is find("baai/bge-m3") is KNOWN["bge-m3"]
    assert find("bge-m4") is None


@pytest.mark.parametrize(
    ("name", "hub"),
    [
        ("bge-m3", "BAAI/bge-m3"),
        ("owner/model", "owner/model"),
        ("all-mpnet-base-v2", "sentence-transformers/all-mpnet-base-v2"),
    ],
)
def test_names_on_the_hub(name, hub):
    """Known names have theirs, bare ones belong to sentence-transformers."""
    assert hub_id_of(name) == hub


def test_the_articles_models_keep_its_settings():
    """The two models of the article are run as it ran them."""
    large, small = KNOWN["bge-m3"], KNOWN["bge-small-en-v1.5"]

    assert (large.dimension, large.max_length, large.batch) == (1024, 2048, 2)
    assert (small.dimension, small.max_length) == (384, 512)
    assert small.query_prefix == "Represent this sentence for searching relevant passages: "


def test_a_model_is_on_disk_only_when_whole(tmp_path):
    """Configuration without weights, as a broken download leaves it, does not count."""
    put(tmp_path, "BAAI/bge-m3", "config.json")
    folder = put(tmp_path, "owner/model", "config.json", "model.safetensors")

    assert snapshot_of("owner/model", tmp_path) == folder
    assert on_disk("owner/model", tmp_path)
    assert not on_disk("bge-m3", tmp_path)
    assert not on_disk("bge-small-en-v1.5", tmp_path)


def test_one_set_of_weights_is_taken():
    """Safetensors win over pickles, and other runtimes' files stay where they are."""
    files = {
        "config.json": 1, "1_Pooling/config.json": 1, "tokenizer.json": 1, "vocab.txt": 1,
        "model.safetensors": 9, "pytorch_model.bin": 9, "onnx/model.onnx": 9,
        "onnx/config.json": 1, "README.md": 1, ".gitattributes": 1,
    }  # fmt: skip

    assert set(_wanted(files)) == {
        "config.json", "1_Pooling/config.json", "tokenizer.json", "vocab.txt", "model.safetensors",
    }  # fmt: skip
    del files["model.safetensors"]
    assert "pytorch_model.bin" in _wanted(files)


class Hub(BaseHTTPRequestHandler):
    """A hub with one model, speaking the client's protocol."""

    files = {  # noqa: RUF012 - one table for every request
        "config.json": b'{"hidden_size": 2}',
        "1_Pooling/config.json": b"{}",
        "model.safetensors": b"w" * 300_000,
        "pytorch_model.bin": b"w" * 400_000,
        "README.md": b"read me",
    }

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/owner/model"):
            siblings = [{"rfilename": n, "size": len(c)} for n, c in self.files.items()]
            tree = [
                {"type": "file", "path": n, "size": len(c), "oid": "0" * 40}
                for n, c in self.files.items()
            ]
            whole = {"id": "owner/model", "sha": COMMIT, "siblings": siblings}
            self._give(json.dumps(tree if "/tree/" in path else whole).encode())
        elif path.startswith("/owner/model/resolve/"):
            name = path.split("/", 5)[5]
            self._give(self.files[name], ETag=f'"{name.replace("/", "-")}"')
        else:
            self._give(b"{}", 404, **{"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    def _give(self, content, status=200, **headers):
        self.send_response(status)
        headers |= {"X-Repo-Commit": COMMIT, "Content-Length": str(len(content))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def hub():
    """Its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@needs_client
def test_pull_brings_what_is_needed_and_says_how_far(tmp_path, hub, capfd):
    """The model is on disk afterwards, progress ends at the total, and nothing is printed."""
    seen = []
    assert not on_disk("owner/model", tmp_path)

    folder = pull("owner/model", lambda *step: seen.append(step), cache=tmp_path, endpoint=hub)

    assert snapshot_of("owner/model", tmp_path) == folder
    assert (folder / "model.safetensors").read_bytes() == Hub.files["model.safetensors"]
    assert (folder / "1_Pooling" / "config.json").exists()
    assert not (folder / "pytorch_model.bin").exists()
    total = 300_000 + len(Hub.files["config.json"]) + 2
    assert seen[-1] == ("download", total, total)
    assert all(stage == "download" and 0 < done <= total for stage, done, _ in seen)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert capfd.readouterr() == ("", "")


@needs_client
def test_a_model_that_the_hub_does_not_have(tmp_path, hub):
    """The error names the model as the hub would call it."""
    with pytest.raises(ModelUnavailable, match="the hub has no public model owner/other"):
        pull("owner/other", lambda *_: None, cache=tmp_path, endpoint=hub)


@needs_client
def test_no_network_is_one_line(tmp_path):
    """Nothing listens on port 9: the error says so and what to do."""
    with pytest.raises(ModelUnavailable, match="could not be downloaded") as caught:
        pull("bge-m3", lambda *_: None, cache=tmp_path, endpoint="http://127.0.0.1:9")
    assert "\n" not in str(caught.value)
    assert "check the network" in str(caught.value)


@needs_client
def test_an_impossible_name_is_a_usage_error(tmp_path):
    """A name that no hub could have is the caller's mistake."""
    with pytest.raises(UsageError, match="is not a model name"):
        pull("a/b/c", lambda *_: None, cache=tmp_path, endpoint="http://127.0.0.1:9")


def test_without_the_client_pull_names_the_extra(tmp_path, monkeypatch):
    """Where the extra is not installed, the error says how to install it."""
    monkeypatch.setattr("fiuto.embed.catalog.find_spec", lambda _: None)

    with pytest.raises(ModelUnavailable, match=r"pip install 'fiuto\[transformers\]'"):
        pull("bge-m3", lambda *_: None, cache=tmp_path)
    assert not on_disk("bge-m3")
