"""The tools on the official SDK: the one module that knows it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from fiuto.errors import FiutoError
from fiuto.mcp.answers import answer
from fiuto.mcp.opening import INSTRUCTIONS, NAME
from fiuto.mcp.progress import Rising
from fiuto.mcp.roots import Roots
from fiuto.mcp.tools import TOOLS, checked
from mcp import MCPError, types

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from starlette.applications import Starlette

__all__ = ["app", "make_server", "serve_lines"]

_SCHEME = "fiuto://status/"


class Lines(Protocol):
    """Where lines come from and go to."""

    def readline(self) -> str:
        """The next line, waited for; empty after the last."""

    def write(self, text: str, /) -> object:
        """One line."""

    def flush(self) -> None:
        """Nothing may stay behind."""


_Listing: TypeAlias = Callable[..., Awaitable[types.ListResourcesResult]]
_Reading: TypeAlias = Callable[..., Awaitable[types.ReadResourceResult]]


def make_server(roots: Roots) -> Server[Any]:
    """A server of the tools over ``roots``; it opens no index before the first call."""

    async def list_tools(_ctx: ServerRequestContext, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(spec.listed(name)) for name, spec in TOOLS.items()]
        )

    async def call_tool(
        ctx: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        def tell(done: float, total: float, message: str) -> None:
            anyio.from_thread.run(ctx.session.report_progress, done, total, message)

        progress = Rising(tell)
        try:
            given = checked(params.name, params.arguments or {})
            made = await anyio.to_thread.run_sync(
                lambda: answer(params.name, given, roots, progress), abandon_on_cancel=True
            )
        except FiutoError as error:
            return types.CallToolResult(content=[_text(str(error))], is_error=True)
        return types.CallToolResult(content=[_text(made.text)], structured_content=made.data)

    list_resources, read_resource = _resources(roots)
    return Server(
        NAME,
        version=importlib.metadata.version("fiuto"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _resources(roots: Roots) -> tuple[_Listing, _Reading]:
    """The status of each index, listed and read."""

    async def list_resources(_ctx: ServerRequestContext, _params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{_SCHEME}{nth}", name=f"index of {root}", mime_type="text/plain"
                )
                for nth, root in enumerate(roots.folders)
            ]
        )

    async def read_resource(
        _ctx: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        nth = str(params.uri).removeprefix(_SCHEME)
        if not (nth.isdecimal() and int(nth) < len(roots.folders)):
            raise MCPError(types.INVALID_PARAMS, f"there is no {params.uri}")
        given = {"path": str(roots.folders[int(nth)])}
        try:
            made = await anyio.to_thread.run_sync(
                lambda: answer("index_status", given, roots, lambda *_: None)
            )
        except FiutoError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(uri=params.uri, text=made.text, mime_type="text/plain")
            ]
        )

    return list_resources, read_resource


def serve_lines(roots: Roots, lines: Lines) -> None:
    """Serve the client behind ``lines`` until there are no more."""

    async def run() -> None:
        server = make_server(roots)
        stream = anyio.wrap_file(cast("IO[str]", lines))  # of which it uses no more than Lines has
        async with stdio_server(stream, stream) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def app(roots: Roots, *, guarded: bool = False) -> Starlette:
    """
    The same as a web application with the streamable HTTP transport at ``/mcp``.

    Args:
        roots: what is served.
        guarded: somebody else has looked at host and origin already.
    """
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    made = make_server(roots).streamable_http_app(transport_security=security if guarded else None)
    begun = made.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Starlette) -> AsyncIterator[Any]:
        try:
            async with begun(served) as state:
                yield state
        finally:
            await anyio.to_thread.run_sync(roots.close)

    made.router.lifespan_context = lifespan
    return made


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
