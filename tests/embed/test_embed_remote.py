"""The HTTP adapter, against a real server on this machine that answers as told."""

import json
import math
import struct
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fiuto.embed.remote import RemoteEmbedder, open_remote
from fiuto.embed.scripted import ScriptedEmbedder
from fiuto.errors import ModelUnavailable, PluginFailed, UsageError
from fiuto.testing.embedders import check_embedder

KEY = "sk-very-secret"


@dataclass(frozen=True)
class Settings:
    url: str
    model: str = "small"
    dimension: int = 0
    batch: int = 2
    timeout: float = 5.0
    query_prefix: str = ""
    document_prefix: str = ""


@dataclass
class Server:
    """Answers each request by the next of ``script``, then as an honest server does."""

    url: str = ""
    script: list[Callable] = field(default_factory=list)
    bodies: list[dict] = field(default_factory=list)
    headers: list = field(default_factory=list)

    def answer(self, body):
        if self.script:
            return self.script.pop(0)(body)
        return 200, {"data": items(body["input"])}


def items(texts):
    """An item a text, last first: clients must go by ``index``."""
    vectors = ScriptedEmbedder(dimension=8).embed(texts, "document")
    rows = [[7 * v for v in struct.unpack("<8f", vectors.row(i))] for i in range(len(texts))]
    return [{"index": i, "embedding": row} for i, row in enumerate(rows)][::-1]


@contextmanager
def serving(server):
    """Serve on a free port, and stop at the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.bodies.append(body)
            server.headers.append(self.headers)
            if "" in body["input"]:
                status, content, more = 400, {"error": "input cannot be empty"}, {}
            else:
                status, content, *rest = server.answer(body)
                more = rest[0] if rest else {}
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


@pytest.fixture
def server():
    """A running server."""
    with serving(Server()) as server:
        yield server


@pytest.fixture
def waits():
    """The waits between tries, which are noted instead of waited."""
    return []


@pytest.fixture
def make(server, waits):
    """Makes an adapter for the server that notes its waits."""

    def make(**settings):
        made = open_remote(Settings(server.url, **settings), KEY)
        return RemoteEmbedder(made._settings, made._url, KEY, waits.append)

    return make


def row(vectors, i):
    """The values of a row."""
    return struct.unpack(f"<{vectors.dimension}f", vectors.row(i))


def test_it_keeps_the_contract(make):
    """Every check for embedders holds over HTTP, empty texts and lone surrogates included."""
    check_embedder(make())


def test_rows_follow_the_index_at_length_one(make, server):
    """Rows are ordered by ``index``, normalised, and asked for in batches."""
    texts = ["one", "two", "three", "four", "five"]
    vectors = make().embed(texts, "document")
    expected = ScriptedEmbedder(dimension=8).embed(texts, "document")

    for i in range(5):
        assert math.dist(row(vectors, i), row(expected, i)) < 1e-6
    assert [body["input"] for body in server.bodies] == [
        ["one", "two"],
        ["three", "four"],
        ["five"],
    ]
    assert {body["model"] for body in server.bodies} == {"small"}
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_each_role_has_its_prefix(make, server):
    """Questions and chunks are sent with the prefixes that the settings give."""
    embedder = make(query_prefix="query: ", document_prefix="passage: ")
    embedder.embed(["a"], "query")
    embedder.embed(["b"], "document")

    assert [body["input"] for body in server.bodies] == [["query: a"], ["passage: b"]]


def test_the_dimension_is_learnt_once(make, server):
    """The first identity asks for one row; after any answer nothing more is asked."""
    embedder = make()
    assert embedder.identity.dimension == 8
    assert embedder.identity == embedder.identity
    assert len(server.bodies) == 1

    told = make(dimension=8)
    assert told.identity.dimension == 8
    assert len(server.bodies) == 1


def test_model_address_and_prefixes_make_the_identity(make):
    """Whatever changes the numbers changes the identity; the key is not part of it."""
    identities = [
        make().identity,
        make(model="large").identity,
        make(query_prefix="query: ").identity,
        make(document_prefix="query: ").identity,
    ]

    assert len({identity.key for identity in identities}) == 4
    assert all(KEY not in identity.key for identity in identities)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://h:1", "http://h:1/v1/embeddings"),
        ("http://h/v1/", "http://h/v1/embeddings"),
        ("https://h/api/v1", "https://h/api/v1/embeddings"),
        (
            "https://h/openai/v1/embeddings?api-version=2",
            "https://h/openai/v1/embeddings?api-version=2",
        ),
    ],
)
def test_addresses_are_completed(url, asked):
    """The server, its /v1 or the full address may be given."""
    assert open_remote(Settings(url, dimension=3)).identity.revision == asked


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "localhost:11434", "", "http://", "http://["]
)
def test_other_addresses_are_refused(url):
    """Only http and https leave this machine."""
    with pytest.raises(UsageError, match=r"not (a URL|the http\(s\) address)"):
        open_remote(Settings(url))


def test_a_password_in_the_address_is_refused_and_not_shown():
    """An address is shown and kept in the index, so it must hold no secret."""
    with pytest.raises(UsageError, match="must not hold") as caught:
        open_remote(Settings("https://me:hunter2@host/v1"))
    assert "hunter2" not in str(caught.value)


def test_a_busy_server_is_asked_again(make, server, waits):
    """429 and 5xx are tried again, later each time, and as late as the server asks."""
    server.script = [
        lambda _: (503, b"starting"),
        lambda _: (429, b"slow down", {"Retry-After": "7"}),
        lambda _: (500, b"", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        lambda _: (429, b"", {"Retry-After": "9999"}),
    ]
    vectors = make().embed(["one"], "query")

    assert len(vectors) == 1
    assert waits == [0.5, 7.0, 2.0, 30.0]


def test_a_server_that_stays_busy_is_unavailable(make, server, waits):
    """After the last try the error says why."""
    server.script = [lambda _: (503, b"starting")] * 9

    with pytest.raises(ModelUnavailable, match=r"does not answer \(HTTP 503\)"):
        make().embed(["one"], "query")
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_no_server_is_said_at_once(waits):
    """A refused connection is no reason to wait when the server was never there."""
    with serving(Server()) as server:
        url = server.url
    embedder = RemoteEmbedder(Settings(url), f"{url}/v1/embeddings", "", waits.append)

    with pytest.raises(ModelUnavailable, match="is the server running") as caught:
        _ = embedder.identity
    assert "\n" not in str(caught.value)
    assert waits == []


def test_a_lost_connection_is_tried_again(waits):
    """A server that answered before and went away may come back."""
    with serving(Server()) as server:
        settings = Settings(server.url)
        embedder = RemoteEmbedder(settings, f"{server.url}/v1/embeddings", "", waits.append)
        embedder.embed(["one"], "query")

    with pytest.raises(ModelUnavailable, match="does not answer"):
        embedder.embed(["two"], "query")
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_a_refusal_is_not_repeated_and_hides_the_key(make, server, waits):
    """401 is final; the server's words are shown without the key it repeats."""
    server.script = [lambda _: (401, f"bad key {KEY}\n".encode())]

    with pytest.raises(ModelUnavailable, match=r"HTTP 401: bad key \*\*\*") as caught:
        make().embed(["one"], "query")
    assert KEY not in str(caught.value)
    assert waits == []


def test_a_redirect_is_not_followed(make, server):
    """Texts and key go to the named server only."""
    server.script = [lambda _: (307, b"", {"Location": "http://127.0.0.1:9/v1/embeddings"})]

    with pytest.raises(ModelUnavailable, match="HTTP 307"):
        make().embed(["one"], "query")
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"data": []}, "0 rows for 2 texts"),
        ({"data": [{"index": 0, "embedding": [1, 0]}]}, "1 rows for 2 texts"),
        ({"data": [{"index": 0, "embedding": [1, 0]}] * 2}, "2 rows for 2 texts"),
        (
            {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]},
            "a row of 2 values, not 1",
        ),
        (
            {"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 2]}]},
            "a row without a direction",
        ),
        (
            {"data": [{"index": 0, "embedding": [math.nan]}, {"index": 1, "embedding": [1]}]},
            "a row without a direction",
        ),
        ({"data": [{"embedding": [1]}]}, "without data, index and embedding"),
        ({"data": [{"index": 0, "embedding": None}]}, "without data, index and embedding"),
        ({"error": "no"}, "without data, index and embedding"),
        ([1], "without data, index and embedding"),
        (b"<html>", "not JSON"),
    ],
)
def test_a_wrong_answer_is_a_broken_contract(make, server, answer, message):
    """Rows missing, doubled, of another length or without direction are not used."""
    server.script = [lambda _: (200, answer)]

    with pytest.raises(PluginFailed, match=message):
        make().embed(["one", "two"], "document")


def test_another_dimension_than_told_is_refused(make):
    """A server that changed its model does not mix into an index."""
    with pytest.raises(PluginFailed, match="a row of 8 values, not 16"):
        make(dimension=16).embed(["one"], "document")
