"""
The gate before everything: who may ask, from where, how much, and what a browser may do.

Four checks, in this order, on every request and every mount:

1. *Host*: a name that is not ours means that somebody else's name was made to point
   here (DNS rebinding).  Numbers cannot be rebound, names can.
2. *Origin*: a request of another site's page is refused wherever it could do or learn
   anything; opening a page by a link is all that is left to it.
3. *Token*, where one is set: as ``Authorization: Bearer``, or in a cookie that the
   printed address sets once.
4. *Size*: a body is cut off at :data:`MOST_BYTES`.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from types import MappingProxyType
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fiuto.web.problems import Forbidden, Problem, TooLarge, problem_of

__all__ = ["HEADERS", "MOST_BYTES", "Access", "Guard", "is_loopback"]

MOST_BYTES = 2_000_000
"""A question file of ten thousand questions is half of that."""

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
)
"""On every answer. No script, style or connection but our own, and no HTML from strings."""

_COOKIE = "fiuto-token"
_YEAR = 31_536_000
_SAFE = ("GET", "HEAD", "OPTIONS")
_OURS = ("same-origin", "none")
"""Values of ``Sec-Fetch-Site``: our own page, or a person at the address bar."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask."""

    hosts: frozenset[str] = frozenset()
    """Host names, in lower case, that requests may name beside ``localhost``."""
    anywhere: bool = False
    """Whether any number may be named as host, not only those of this machine's loopback."""
    token: str = ""
    """What everybody must show; empty where anybody on this machine may ask."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class Guard:
    """ASGI middleware; streams pass through it unbuffered."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there is nothing to talk to by other protocols
        sending = _with_headers(send, private=not scope["path"].startswith("/static/"))
        try:
            response = self._judged(Request(scope))
            if response is None:
                await self._app(scope, _limited(Headers(scope=scope), receive), sending)
                return
        except Problem as error:
            status, body = problem_of(error)
            response = JSONResponse(body, status)
        await response(scope, receive, sending)

    def _judged(self, request: Request) -> Response | None:
        """
        None where the request may pass, else what to answer.

        Raises:
            Forbidden: another host or another site.
        """
        self._check_host(request.headers.get("host", ""))
        self._check_site(request)
        return self._check_token(request) if self._access.token else None

    def _check_host(self, header: str) -> None:
        try:
            host = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            host = ""
        if is_loopback(host) or host in self._access.hosts:
            return
        if self._access.anywhere and _is_number(host):
            return
        raise Forbidden(f"this server is not called {host[:80]!r}; see fiuto serve --help")

    def _check_site(self, request: Request) -> None:
        opens_a_page = (
            request.method in _SAFE
            and request.headers.get("sec-fetch-mode") in (None, "navigate")
            and not _is_data(request.url.path)
        )
        site = request.headers.get("sec-fetch-site")
        if site is not None and site not in _OURS and not opens_a_page:
            raise Forbidden("this request comes from another site's page")
        origin = request.headers.get("origin")
        if origin is not None and origin != f"{request.url.scheme}://{request.headers['host']}":
            raise Forbidden("this request comes from another site's page")

    def _check_token(self, request: Request) -> Response | None:
        token = self._access.token
        kind, _, shown = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and _equal(shown.strip(), token):
            return None
        if _equal(_cookie(request.headers.get("cookie", "")), token):
            return None
        pairs = parse_qsl(request.url.query, keep_blank_values=True)
        if request.method == "GET" and _equal(dict(pairs).get("token", ""), token):
            rest = urlencode([pair for pair in pairs if pair[0] != "token"])
            path = "/" + quote(request.url.path.lstrip("/"))
            response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
            response.set_cookie(
                _COOKIE, quote(token), max_age=_YEAR, httponly=True, samesite="lax",
                secure=request.url.scheme == "https",
            )  # fmt: skip
            return response
        said = "this page needs the address with the token that 'fiuto serve' printed\n"
        return PlainTextResponse(said, 401, {"WWW-Authenticate": "Bearer"})


def _is_data(path: str) -> bool:
    return path.startswith(("/api/", "/mcp"))


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _equal(shown: str, token: str) -> bool:
    return hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode())


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(_COOKIE)
    except CookieError:
        return ""
    return unquote(morsel.value) if morsel else ""


def _limited(headers: Headers, receive: Receive) -> Receive:
    """
    ``receive`` that stops a body which grows too long.

    Raises:
        TooLarge: at once where the length is announced, else when it is passed.
    """
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > MOST_BYTES:
        raise TooLarge(f"the body is {int(length):,} bytes; {MOST_BYTES:,} are the most")
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BYTES:
            raise TooLarge(f"the body is longer than {MOST_BYTES:,} bytes")
        return message

    return counted


def _with_headers(send: Send, *, private: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if private and "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return sending
