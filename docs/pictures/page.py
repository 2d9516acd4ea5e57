"""
Uses the page on a real tree as a person would, by the keyboard alone, and takes its pictures.

``python docs/pictures/page.py REQUESTS``, where REQUESTS is psf/requests at v2.32.3.  Prints
what was seen as JSON and writes ``page-VIEW-LOOK.png`` beside this file.  Needs Playwright,
Pillow and a ``chromium``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

HERE = Path(__file__).parent
QUESTIONS = HERE.parents[1] / "benchmarks" / "article" / "questions.json"
QUESTION = "don't send the password to another site after a redirect"
WANTED = "SessionRedirectMixin.should_strip_auth"
SHOWN = "stop following redirects that go in circles"
"""Asked in the pictures."""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 780}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 780}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 360, "height": 700}},
}
COLOURS = 256
"""Of a picture: text and its edges need no more."""


@contextmanager
def serving(home: str) -> Iterator[str]:
    """The address that ``fiuto serve`` prints."""
    command = [sys.executable, "-m", "fiuto", "serve", "--port", "0"]
    server = subprocess.Popen(
        command, env={**os.environ, "FIUTO_HOME": home}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait(20)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what ``selector`` means has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def add_folder(page: Page, folder: Path) -> dict[str, Any]:
    """Type the folder's name, press Enter, and watch the bar until it is gone."""
    page.goto("/")
    tab_to(page, "#root")
    page.keyboard.type(str(folder))
    started = time.monotonic()
    page.keyboard.press("Enter")
    stages: list[str] = []
    done = page.locator(".card .note.good")
    while not done.count():
        for said in page.locator(".job-stage").all_inner_texts():
            stage = re.sub(r" [\d,]+ of [\d,]+", "", said)
            if stage not in stages:
                stages.append(stage)
        time.sleep(0.02)
    took = time.monotonic() - started
    expect(page.locator(".fresh")).to_have_text("Fresh: nothing changed on disk.")
    figures = [text.split("\n")[0] for text in page.locator(".figures dd").all_inner_texts()]
    return {"stages": stages, "seconds": round(took, 1), "files": figures[0], "chunks": figures[1]}


def ask(page: Page) -> None:
    """Out of the field, ``/``, the question, and wait until the list stands still."""
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type(QUESTION)
    settle(page)


def settle(page: Page) -> None:
    """The first answer, and the one after the look at the folder."""
    expect(page.locator("[data-hit]").first).to_be_visible()
    page.wait_for_timeout(1_500)
    expect(page.locator(".answer")).not_to_have_attribute("aria-busy", "true")


def go_to(page: Page, symbol: str) -> int:
    """``j`` until the hit of ``symbol`` has the focus; its rank. More hits where it takes them."""
    rank = 0
    while rank < 200:
        page.keyboard.press("j")
        if page.evaluate("document.activeElement.matches('.more-hits')"):
            page.keyboard.press("Enter")
            settle(page)
        rank += 1
        said = page.evaluate("document.activeElement.closest('[data-hit]').innerText")
        if symbol in said:
            return rank
    raise AssertionError(f"{symbol} is not among the first {rank}")


def trial(page: Page, folder: Path) -> dict[str, Any]:
    """Add, ask, find, open, come back, filter; no pointer anywhere."""
    seen = add_folder(page, folder)
    ask(page)
    page.evaluate("document.activeElement.blur()")
    places = page.locator("a.place")
    seen["first three"] = [text.lstrip("123") for text in places.all_inner_texts()[:3]]
    seen["rank"] = go_to(page, WANTED)
    page.keyboard.press("Enter")
    lines = page.locator(".line.lit")
    expect(lines.first).to_contain_text("def should_strip_auth")
    seen["lines lit in the file view"] = lines.count()
    page.keyboard.press("Escape")
    expect(page.locator("a.place:focus")).to_contain_text("sessions.py:127-157")
    page.keyboard.press("/")
    tab_to(page, '[data-label="test"]')
    page.keyboard.press("Space")
    settle(page)
    expect(places.filter(has_text="tests/")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")
    seen["rank without tests"] = go_to(page, WANTED)
    seen["address"] = re.sub(r"index=[^&]*", "index=…", page.url.partition("/search")[2])
    return seen


def evaluated(page: Page) -> str:
    """Upload the article's questions; the address of the tables."""
    page.goto("/eval")
    page.locator("#eval-file").set_input_files(QUESTIONS)
    page.get_by_role("button", name="Measure").click()
    expect(page.locator("td.rank").first).to_be_visible(timeout=300_000)
    return page.url


def take(browser: Browser, address: str, index: str, tables: str) -> None:
    """A picture of each view in each look."""
    for look, options in LOOKS.items():
        context = browser.new_context(base_url=address, **options)
        page = context.new_page()
        query = urlencode({"index": index, "q": SHOWN})

        page.goto("/")
        page.get_by_text("What is in it, and what is not").click()
        page.locator("details.reason summary").first.click()
        expect(page.locator(".files li").first).to_be_visible()
        shot(page, f"indexes-{look}")

        page.goto(f"/search?{query}&no=test")
        settle(page)
        page.locator(".why").first.click()
        shot(page, f"search-{look}")

        page.goto(f"/search?{query}&view=compare")
        settle(page)
        shot(page, f"compare-{look}")

        page.goto(f"/search?{query}")
        settle(page)
        page.locator("a.place").first.click()
        expect(page.locator(".line.lit").first).to_be_visible()
        shot(page, f"file-{look}")

        page.goto(tables)
        expect(page.locator("td.rank").first).to_be_visible()
        page.locator(".result").evaluate("result => result.scrollIntoView()")
        shot(page, f"evaluation-{look}")
        context.close()


def shot(page: Page, name: str) -> None:
    """What the window shows, in few colours."""
    target = HERE / f"page-{name}.png"
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(300)
    page.screenshot(path=target)
    with Image.open(target) as picture:
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    few.save(target, optimize=True)


def main() -> None:
    """The trial, then the pictures."""
    folder = Path(sys.argv[1]).resolve()
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(base_url=address, viewport={"width": 1100, "height": 780})
        print(json.dumps(trial(page, folder), indent=1, ensure_ascii=False))  # noqa: T201
        tables = evaluated(page)
        page.goto("/")
        index = page.locator("li.card").get_attribute("data-index")
        assert index is not None
        take(browser, address, index, tables)
        browser.close()


if __name__ == "__main__":
    main()
