"""The application: routes from the table, the page, and whatever is mounted beside them."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Never

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from fiuto.errors import FiutoError
from fiuto.web.api import ENDPOINTS
from fiuto.web.call import Endpoint, body_values, query_values
from fiuto.web.evaluations import report
from fiuto.web.events import events
from fiuto.web.guard import Access, Guard
from fiuto.web.openapi import description
from fiuto.web.problems import Missing, Problem, problem_of
from fiuto.web.service import Service

__all__ = ["STATIC", "Mounted", "create_app"]

STATIC = Path(__file__).with_name("static")

_VIEWS = ("/", "/search", "/file", "/eval")
"""Addresses of the page; which view it shows is its own business."""


@dataclass(frozen=True, slots=True)
class Mounted:
    """An application of somebody else's at a path of ours, behind the same guard."""

    app: ASGIApp
    """Called for the path and everything below it, with the path as it was asked for."""
    lifespan: Callable[[], AbstractAsyncContextManager[object]] | None = None
    """Entered when the server starts and left when it stops."""


def create_app(
    service: Service, access: Access, mounts: Mapping[str, Mounted] | None = None
) -> ASGIApp:
    """
    The application.

    Args:
        service: what it works on; closed when the server stops.
        access: who may ask.
        mounts: path (``/mcp``) -> what answers there.
    """
    mounted = dict(mounts or {})

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for one in mounted.values():
                if one.lifespan is not None:
                    await stack.enter_async_context(one.lifespan())
            yield
            await run_in_threadpool(service.close)

    app = Starlette(
        routes=[*_routes(service), *_page()],
        middleware=[Middleware(_Beside, mounts=mounted)],
        exception_handlers={FiutoError: _problem, OSError: _fault, Exception: _fault},
        lifespan=lifespan,
    )
    return Guard(app, access)


class _Beside:
    """Hands the mounted paths over before routing, so that no path is redirected or cut."""

    def __init__(self, app: ASGIApp, mounts: Mapping[str, Mounted]) -> None:
        self._app = app
        self._mounts = mounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        for prefix, mounted in self._mounts.items():
            if path == prefix or path.startswith(f"{prefix}/"):
                await mounted.app(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _routes(service: Service) -> list[Route]:
    async def stream(_request: Request) -> Response:
        return StreamingResponse(events(service.jobs), media_type="text/event-stream")

    async def described(_request: Request) -> Response:
        return _json(description(metadata.version("fiuto")))

    async def reported(request: Request) -> Response:
        text = await run_in_threadpool(report, service, request.path_params["id"])
        name = {"Content-Disposition": 'attachment; filename="fiuto-evaluation.html"'}
        return Response(text, media_type="text/html", headers=name)

    async def unknown(request: Request) -> Never:
        raise Missing(f"there is nothing at {request.url.path[:200]}; see /api/openapi.json")

    return [
        *(
            Route(endpoint.path, _answering(endpoint, service), methods=[endpoint.method])
            for endpoint in ENDPOINTS
        ),
        Route("/api/events", stream),
        Route("/api/openapi.json", described),
        Route("/api/evaluations/{id}/report.html", reported),
        Route("/api/{rest:path}", unknown, methods=["GET", "POST", "DELETE", "PUT", "PATCH"]),
    ]


def _page() -> list[Route | Mount]:
    async def shell(_request: Request) -> Response:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    return [
        *(Route(path, shell) for path in _VIEWS),
        Mount("/static", _Revalidated(directory=STATIC)),
    ]


class _Revalidated(StaticFiles):
    """Files that a browser keeps, but asks about: an upgrade shows at the next load."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _answering(endpoint: Endpoint, service: Service) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        started = time.perf_counter()
        values = await _values(endpoint, request)
        data = await run_in_threadpool(endpoint.run, service, values)
        took = 1_000 * (time.perf_counter() - started)
        return _json(data, endpoint.status, {"Server-Timing": f"total;dur={took:.1f}"})

    return answer


async def _values(endpoint: Endpoint, request: Request) -> dict[str, Any]:
    named = {name: str(request.path_params[name]) for name in endpoint.path_fields}
    fields = [field for field in endpoint.fields if field.name not in named]
    if endpoint.method != "POST":
        return query_values(fields, request.query_params.multi_items()) | named
    # A form of another site cannot send this type without being asked about first.
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem("send the body as application/json")
    return body_values(fields, await request.body()) | named


async def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, FiutoError)  # registered for these
    status, body = problem_of(error)
    return _json(body, status)


async def _fault(_request: Request, error: Exception) -> Response:
    """What nobody foresaw; only its kind is told, the rest is in the server's own terminal."""
    said = f"{type(error).__name__}; the terminal of 'fiuto serve' says more"
    if isinstance(error, OSError):
        said = error.strerror or said
    return _json({"error": {"kind": "fault", "message": said}}, 500)


def _json(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    # ASCII, because names and texts may hold halves of surrogate pairs, which UTF-8 cannot.
    body = json.dumps(data, separators=(",", ":")).encode("ascii")
    return Response(body, status, headers, "application/json")
