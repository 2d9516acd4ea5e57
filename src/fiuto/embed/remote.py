"""
Embeddings over HTTP, from any server that speaks OpenAI's ``/v1/embeddings``.

Ollama, vLLM, llama.cpp and TEI do, on this machine or another.  The texts of the
indexed folder leave this process, so it is only used where a user names a server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from fiuto.embed.rows import encodable, unit_row
from fiuto.errors import ModelUnavailable, PluginFailed, UsageError
from fiuto.model import EmbedderIdentity, Role, Vectors

__all__ = ["RemoteEmbedder", "RemoteSettings", "open_remote"]

_PATIENCE = 30.0
"""Seconds: the longest single wait between two tries, whatever the server asks for."""
_RETRIES = 4
"""After the first try, with waits of 0.5, 1, 2, 4 seconds; none for a server that was
never reached, so that a search need not wait for one that is not running."""
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP answers that may be better a moment later."""


class RemoteSettings(Protocol):
    """What must be known of an endpoint; the ``[remote]`` table of the settings has it."""

    @property
    def url(self) -> str:
        """The server, with or without ``/v1`` or ``/v1/embeddings``."""
        ...

    @property
    def model(self) -> str:
        """As the server calls it."""
        ...

    @property
    def dimension(self) -> int:
        """Values a row; 0: learnt from the first answer."""
        ...

    @property
    def batch(self) -> int:
        """Texts in one request."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds for one request."""
        ...

    @property
    def query_prefix(self) -> str:
        """Put before each question, where the model wants one."""
        ...

    @property
    def document_prefix(self) -> str:
        """Put before each chunk."""
        ...


def open_remote(settings: RemoteSettings, api_key: str = "") -> RemoteEmbedder:
    """
    A model behind an endpoint; nothing is sent before it is used.

    Args:
        settings: where and how to ask.
        api_key: sent as a bearer token, never shown.

    Raises:
        UsageError: not an http(s) URL.
    """
    return RemoteEmbedder(settings, _embeddings_url(settings.url), api_key)


class RemoteEmbedder:
    """
    One model behind one endpoint.

    Servers tell no version of a model, so its address stands for the revision: another
    server is another model.  Nor do they tell whether they cut a text, so none counts
    as truncated.
    """

    def __init__(
        self,
        settings: RemoteSettings,
        url: str,
        api_key: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._url = url
        self._api_key = api_key
        self._sleep = sleep
        self._dimension = settings.dimension
        self._met = False

    @property
    def identity(self) -> EmbedderIdentity:
        """Asks the server for one row where no dimension was given and none seen."""
        if not self._dimension:
            self.embed(["dimension"], "query")
        settings = self._settings
        return EmbedderIdentity(
            name=settings.model,
            revision=self._url,
            dimension=self._dimension,
            recipe=f"query {settings.query_prefix!r}, document {settings.document_prefix!r}",
        )

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """
        One row per text, in order.

        Raises:
            ModelUnavailable: no connection, refused, or still busy after all tries.
            PluginFailed: an answer that is not one row of the right length for each text.
        """
        if not texts:
            return Vectors(b"", self.identity.dimension, ())
        settings = self._settings
        prefix = settings.query_prefix if role == "query" else settings.document_prefix
        # Servers refuse an empty text; a space is the nearest thing to it.
        inputs = [encodable(prefix + text) or " " for text in texts]
        rows = [
            row
            for start in range(0, len(inputs), settings.batch)
            for row in self._rows(inputs[start : start + settings.batch])
        ]
        return Vectors(b"".join(rows), self._dimension, (False,) * len(texts))

    def _rows(self, inputs: Sequence[str]) -> Iterator[bytes]:
        answer = self._ask({"model": self._settings.model, "input": inputs})
        try:
            items = sorted(answer["data"], key=lambda item: int(item["index"]))
            indexes = [int(item["index"]) for item in items]
            vectors = [[float(value) for value in item["embedding"]] for item in items]
        except (KeyError, TypeError, ValueError) as error:
            raise self._broken("an answer without data, index and embedding") from error
        if indexes != list(range(len(inputs))):
            raise self._broken(f"{len(indexes)} rows for {len(inputs)} texts")
        for vector in vectors:
            self._dimension = self._dimension or len(vector)
            if len(vector) != self._dimension:
                raise self._broken(f"a row of {len(vector)} values, not {self._dimension}")
            try:
                yield unit_row(vector)
            except ValueError as error:
                raise self._broken("a row without a direction") from error

    def _ask(self, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        request = Request(  # noqa: S310 - open_remote lets only http(s) through
            self._url, json.dumps(body).encode(), headers
        )
        opener = build_opener(_NoRedirects)
        attempt = 0
        while True:
            try:
                return self._read(opener, request)
            except _BusyError as busy:
                if attempt == _RETRIES or not self._met:
                    raise ModelUnavailable(
                        f"{self._url} does not answer ({busy.reason}); is the server running?"
                    ) from busy.__cause__
                self._sleep(min(_PATIENCE, max(busy.wait, 0.5 * 2**attempt)))
            attempt += 1

    def _read(self, opener: OpenerDirector, request: Request) -> Any:
        try:
            with opener.open(request, timeout=self._settings.timeout) as answer:
                content = answer.read()
            self._met = True
        except HTTPError as error:
            self._met = True
            with error:
                if error.code in _BUSY:
                    raise _BusyError(f"HTTP {error.code}", _wait_of(error)) from error
                raise ModelUnavailable(
                    f"{self._url} refuses model {self._settings.model!r} "
                    f"(HTTP {error.code}: {self._said(error)})"
                ) from error
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or str(error) or type(error).__name__
            raise _BusyError(str(reason)) from error
        try:
            return json.loads(content)
        except ValueError as error:
            raise self._broken("an answer that is not JSON") from error

    def _said(self, error: HTTPError) -> str:
        """The server's words in one short line; some repeat the key they refuse."""
        try:
            said = " ".join(error.read(2_000).decode("utf-8", "replace").split())
        except (HTTPException, OSError):
            said = ""
        if self._api_key:
            said = said.replace(self._api_key, "***")
        return said[:200] or str(error.reason)

    def _broken(self, what: str) -> PluginFailed:
        return PluginFailed(f"{self._url} gave {what} for model {self._settings.model!r}")


class _BusyError(Exception):
    """No answer yet, and a reason to try again after ``wait`` seconds."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would carry texts and key to a server nobody named: it is an error."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _wait_of(error: HTTPError) -> float:
    """Seconds of a ``Retry-After`` header; its other form, a date, is not used here."""
    try:
        return max(0.0, float(error.headers.get("Retry-After", "0")))
    except ValueError:
        return 0.0


def _embeddings_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise UsageError(f"{url!r} is not a URL ({error})") from error
    if parts.password or parts.username:
        raise UsageError("the URL of an embeddings server must not hold a name or password")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not the http(s) address of an embeddings server")
    path = parts.path.rstrip("/")
    if not path.endswith("/embeddings"):
        path = f"{path}/embeddings" if path.endswith("/v1") else f"{path}/v1/embeddings"
    return parts._replace(path=path, fragment="").geturl()
