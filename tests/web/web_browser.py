"""A real server and a real Chromium, for tests that look at the page itself."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from fiuto.web.app import create_app
from fiuto.web.guard import Access
from fiuto.web.library import Library
from fiuto.web.server import Server, bind, settings
from fiuto.web.service import Service

NEEDED = "FIUTO_TESTS_NEED_BROWSER"
"""Set in CI: without a browser the tests fail there instead of being skipped."""


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of a server over the indexes in ``home``."""
    service = Service(Library(home))
    with bind("127.0.0.1", 0) as listening:
        server = Server(settings(create_app(service, Access())), service.jobs.hush)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            service.jobs.hush()
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, without a sandbox because tests run as root in a container."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get(NEEDED):  # noqa: TID251 - a switch of the tests
            pytest.fail("there is no chromium, and these tests must run here")
        pytest.skip("no chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
