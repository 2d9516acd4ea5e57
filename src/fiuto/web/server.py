"""Runs the application: one process, quiet, and gone within a second of Ctrl-C."""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from fiuto.errors import UsageError
from fiuto.web.service import Service

__all__ = ["Server", "bind", "serve", "settings"]

_GRACE = 3
"""Seconds that answers under way get when the server is stopped."""


class Server(uvicorn.Server):
    """Ends the event streams first: nobody would close them otherwise."""

    def __init__(self, config: uvicorn.Config, hush: Callable[[], None]) -> None:
        super().__init__(config)
        self._hush = hush

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._hush()
        super().handle_exit(sig, frame)


def bind(host: str, port: int) -> socket.socket:
    """
    A socket that listens there; port 0 takes any that is free.

    Raises:
        UsageError: the address is taken or none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except OSError as error:
        listening.close()
        why = error.strerror or error
        raise UsageError(f"cannot listen on {host}, port {port}: {why}; try --port 0") from error
    return listening


def serve(app: ASGIApp, service: Service, listening: socket.socket) -> None:
    """Answer until a signal says stop; what runs is stopped and keeps what it did."""
    Server(settings(app), service.jobs.hush).run(sockets=[listening])


def settings(app: ASGIApp) -> uvicorn.Config:
    """Of the server: it trusts no proxy, and keeps no record of questions."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
    )
