"""
One connection, and the only module that knows pymilvus: time-outs, retries, errors.

Every request may be sent again: rows go out as upserts under ids that depend on nothing
but what they hold, and deletes name what they delete.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fiuto.errors import StoreUnavailable, UsageError

if TYPE_CHECKING:
    from pymilvus import MilvusClient

__all__ = ["LEVELS", "Link", "Target", "parse_url", "target_of"]

LEVELS = ("Strong", "Session", "Bounded", "Eventually")
"""Milvus' own names: how far behind the newest write an answer may be."""

_URL = re.compile(r"milvus://(?P<host>\[[0-9a-fA-F:]+\]|[\w.-]+)(:(?P<port>\d+))?/(?P<name>\w+)")
_PORT = 19530

_UNAVAILABLE = 2
_ABSENT = 100
_UNLOADED = 101
"""Codes of Milvus: no answer, no such collection or alias, not loaded into memory yet."""
_REFUSALS = ("unauthenticated", "auth check", "permission", "privilege")
"""What it says, in small letters, of a token that is wrong or may not do this."""

_TRIES = 6
_FIRST = 2
"""Tries of a request; fewer where no request was answered yet, as then it is the address."""
_PAUSE = 0.5
"""Seconds before the second try, doubled before each further one: fifteen in all, in which a
proxy is started again."""

_CHANNEL = {"grpc.use_local_subchannel_pool": 1, "grpc.max_reconnect_backoff_ms": 1000}
"""A channel of its own: shared ones, once refused, stay closed for up to two minutes."""

_PAGE = 2000
"""Rows a query returns at a time; the server's own limit is 16,384."""
_REQUEST = 8_000_000
"""Bytes of rows a request; the server takes 64 MB."""
_ROWS = 500


@dataclass(frozen=True, slots=True)
class Target:
    """Where a collection is and how it is reached."""

    url: str
    """``milvus://host:port/collection``."""
    token: str = field(default="", repr=False)
    """``user:password`` or an API key."""
    tls: bool = False
    ca: str = ""
    """File of the certificate authority; the system's where it is empty."""
    consistency: str = "Strong"
    timeout: float = 30.0
    """Seconds a request."""


def target_of(url: str, **how: Any) -> Target:
    """
    The target of an address.

    Raises:
        UsageError: no such address, or no such level of consistency.
    """
    target = Target(url, **how)
    parse_url(url)
    if target.consistency not in LEVELS:
        raise UsageError(
            f"[store] consistency is {target.consistency!r}; known: {', '.join(LEVELS)}"
        )
    return target


def parse_url(url: str) -> tuple[str, int, str]:
    """
    Host, port and collection of a store's address.

    Raises:
        UsageError: it is none.
    """
    found = _URL.fullmatch(url)
    if found is None:
        raise UsageError(f"{url!r} is no store; write it as milvus://host:19530/collection")
    return found["host"], int(found["port"] or _PORT), found["name"]


class Link:
    """Sends requests to one server; safe to use from several threads."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.host, self.port, self.name = parse_url(target.url)
        self._client: MilvusClient | None = None
        self._answered = False

    def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        """
        One request, sent again while the server does not answer.

        Raises:
            StoreUnavailable: it never did, refused, or could not do as asked.
        """
        return self._tried(lambda: self._sent(method, *arguments, **options))

    def found(self, method: str, *arguments: Any, **options: Any) -> Any:
        """The same, or None where there is no such collection or alias."""
        from pymilvus import MilvusException  # noqa: PLC0415 - an extra

        def asked() -> Any:
            try:
                return self._sent(method, *arguments, **options)
            except MilvusException as error:
                if error.code == _ABSENT or "not found" in str(error):
                    return None
                raise

        return self._tried(asked)

    def rows(self, collection: str, where: str, fields: Sequence[str]) -> list[dict[str, Any]]:
        """Every row of ``collection`` that meets ``where``, in no order, however many."""
        return self._tried(lambda: list(self._paged(collection, where, fields)))  # type: ignore[no-any-return]

    def put(self, collection: str, rows: Sequence[dict[str, Any]], sizes: Sequence[int]) -> None:
        """Upsert ``rows``, of ``sizes`` bytes each, in requests that the server takes."""
        first = taken = 0
        for i, size in enumerate(sizes):
            if i > first and (taken + size > _REQUEST or i - first >= _ROWS):
                self.call("upsert", collection, list(rows[first:i]))
                first, taken = i, 0
            taken += size
        if len(rows) > first:
            self.call("upsert", collection, list(rows[first:]))

    def close(self) -> None:
        """Let the connection go; the next request makes another."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _paged(self, collection: str, where: str, fields: Sequence[str]) -> Iterator[Any]:
        pages = self._sent(
            "query_iterator", collection, filter=where, output_fields=list(fields),
            batch_size=_PAGE,
        )  # fmt: skip
        try:
            while page := pages.next():
                yield from page
        finally:
            pages.close()

    def _tried(self, attempt: Callable[[], Any]) -> Any:
        client_errors = _errors()
        pause = _PAUSE
        tries = _TRIES if self._answered else _FIRST
        for nth in range(1, tries + 1):
            try:
                value = attempt()
            except client_errors as error:
                self._judge(error, last=nth == tries)
            else:
                self._answered = True
                return value
            time.sleep(pause)
            pause *= 2
        raise AssertionError("the last try judges its own error")  # pragma: no cover

    def _judge(self, error: Exception, *, last: bool) -> None:
        """Return where another try may help, raise in our words where not."""
        code, message = getattr(error, "code", None), getattr(error, "message", str(error))
        text = f"{code} {message}"
        where = f"{self.host}:{self.port}"
        if any(word in text.lower() for word in _REFUSALS):
            raise StoreUnavailable(
                f"Milvus at {where} refuses the token ({_short(message)}): "
                "set [store] token_env to the variable that holds user:password or an API key"
            ) from error
        silent = code == _UNAVAILABLE or "UNAVAILABLE" in text or "DEADLINE" in text
        if silent and not last:
            self.close()
        elif silent:
            raise StoreUnavailable(
                f"Milvus at {where} does not answer ({_short(message)}): "
                f"check [store] url{'' if self.target.tls else ' and tls'}, and that it runs"
            ) from error
        elif last or code in (_ABSENT, 1):
            raise StoreUnavailable(
                f"Milvus at {where} cannot do as asked: {_short(message)}"
            ) from error

    def _sent(self, method: str, *arguments: Any, **options: Any) -> Any:
        from pymilvus import MilvusException  # noqa: PLC0415

        client = self._connected()
        options.setdefault("timeout", self.target.timeout)
        try:
            return getattr(client, method)(*arguments, **options)
        except MilvusException as error:
            # A server that was started again has its collections on disk only.
            if error.code != _UNLOADED or not arguments:
                raise
            client.load_collection(arguments[0], timeout=self.target.timeout)
            return getattr(client, method)(*arguments, **options)

    def _connected(self) -> MilvusClient:
        if self._client is None:
            from pymilvus import MilvusClient  # noqa: PLC0415

            options: dict[str, Any] = {
                "timeout": self.target.timeout, "dedicated": True, "grpc_options": _CHANNEL,
            }  # fmt: skip
            if self.target.token:
                options["token"] = self.target.token
            if self.target.tls and self.target.ca:
                options["server_pem_path"] = self.target.ca
            scheme = "https" if self.target.tls else "http"
            self._client = MilvusClient(uri=f"{scheme}://{self.host}:{self.port}", **options)
        return self._client


def _errors() -> tuple[type[Exception], ...]:
    """What pymilvus lets through; it writes each into a log of its own as well, which is shut."""
    try:
        import grpc  # noqa: PLC0415 - an extra
        import pymilvus  # noqa: PLC0415
    except ImportError as error:
        raise StoreUnavailable(
            "a store on Milvus needs pymilvus: pip install 'fiuto[milvus]'"
        ) from error
    import logging  # noqa: PLC0415

    logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)
    return (pymilvus.MilvusException, grpc.RpcError)


def _short(message: object) -> str:
    """The first line of what a server said."""
    lines = str(message).strip().splitlines() or ["no reason given"]
    return lines[0][:200]
