"""Tests of the page itself, in Chromium: everything a person does, and what axe finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect
from web_browser import chromium, serving
from web_slow import Slow
from web_tree import HOSTILE_NAME, make_tree

import fiuto

QUESTION = "don't send the password to another site after a redirect"
ANSWER = re.compile(r"src/redirects\.py:1-10")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tree for all tests here; none changes it for good."""
    return make_tree(tmp_path_factory.mktemp("page") / "shop")


@pytest.fixture(scope="module")
def address(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that has the tree indexed."""
    home = tmp_path_factory.mktemp("home")
    with fiuto.open(tree, home=home) as index:
        index.refresh()
    with serving(home) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for all tests here."""
    with chromium() as browser:
        yield browser


class Watched:
    """A page with everything that it should not have done."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("request", self._request)

    def _console(self, message: object) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: object) -> None:
        if not request.url.startswith((self.address, "blob:")):
            self.faults.append(f"request: {request.url}")


@pytest.fixture(params=[{}], ids=[""])
def watched(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """A fresh page; whatever it did wrong fails the test that used it."""
    context = browser.new_context(
        base_url=address, viewport={"width": 1200, "height": 800}, **request.param
    )
    watched = Watched(context.new_page(), address)
    watched.page.set_default_timeout(15_000)
    yield watched
    watched.page.unroute_all(behavior="ignoreErrors")  # a second look may be under way
    context.close()
    assert watched.faults == []


@pytest.fixture
def page(watched: Watched) -> Page:
    """The page alone."""
    return watched.page


def ask(page: Page, question: str = QUESTION) -> None:
    """Type a question and wait for its answer."""
    page.get_by_role("searchbox", name="Question").fill(question)
    expect(page.locator("[data-hit]").first).to_be_visible()
    expect(page.locator(".answer")).not_to_have_attribute("aria-busy", "true")


def test_add_a_folder_watch_it_and_ask(page: Page, tmp_path: Path) -> None:
    """From nothing to the answer, its file, and without the tests."""
    tree = make_tree(tmp_path / "added")
    page.goto("/")
    page.get_by_label("Add a folder").fill(str(tree))
    page.get_by_role("button", name="Index it").click()

    card = page.locator("li.card", has=page.get_by_role("link", name="added", exact=True))
    expect(card.get_by_text("Up to date")).to_be_visible(timeout=30_000)
    expect(card.locator(".figures dd").first).to_contain_text("7")
    expect(card.locator(".fresh")).to_have_text("Fresh: nothing changed on disk.")

    card.get_by_role("link", name="Search in added").click()
    ask(page)
    places = page.locator("a.place")
    expect(places.filter(has_text=ANSWER)).to_have_count(1)
    assert any(ANSWER.search(text) for text in places.all_inner_texts()[:3])
    expect(places.filter(has_text="tests/test_redirects.py")).to_have_count(1)

    page.get_by_role("button", name="test", exact=False).first.click()
    expect(places.filter(has_text="tests/test_redirects.py")).to_have_count(0)
    assert "no=test" in page.url

    places.filter(has_text=ANSWER).click()
    expect(page.locator("#L1")).to_have_class(re.compile("lit"))
    expect(page.locator(".line.lit")).to_have_count(10)
    expect(page.get_by_role("heading", name="src/redirects.py")).to_be_visible()
    page.get_by_role("link", name="Back to the answer").click()
    expect(places.filter(has_text=ANSWER)).to_be_focused()
    assert "no=test" in page.url


def test_progress_shows_and_a_stop_keeps_what_was_done(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bar moves by itself; stopped, the index is there as far as it came, and goes on."""
    root = tmp_path / "many"
    root.mkdir()
    for i in range(30):
        (root / f"m{i:02}.py").write_text(f"def name_{i}():\n    return {i}\n")
    slow = Slow(monkeypatch)
    page.goto("/")
    page.get_by_label("Add a folder").fill(str(root))
    page.keyboard.press("Enter")
    card = page.locator("li.card", has=page.get_by_text(str(root), exact=True))
    expect(card.locator(".job-stage")).to_have_text(re.compile(r"Embedding \d+ of 30"))
    expect(card.get_by_role("progressbar")).to_be_visible()

    card.get_by_role("button", name="Stop").click()
    expect(card.get_by_role("button", name="Stopping…")).to_be_disabled()
    slow.gate.set()
    expect(card.get_by_text("Stopped. What was done is kept")).to_be_visible()
    expect(card.locator(".fresh")).to_have_text("Not complete yet: re-index to finish it.")
    card.get_by_role("button", name="Re-index many").click()
    expect(card.get_by_text("Up to date")).to_be_visible(timeout=30_000)
    expect(card.locator(".fresh")).to_have_text("Fresh: nothing changed on disk.")
    expect(card.locator(".figures dd").first).to_contain_text("30")
    card.get_by_role("button", name="Forget many").click()
    card.get_by_role("button", name="Really forget many?").click()
    expect(card).to_have_count(0)
    assert (root / "m00.py").is_file()


def test_a_late_answer_does_not_undo_what_is_known(page: Page, tmp_path: Path) -> None:
    """The list as it was while a job ran arrives after its end: the end stays on the card."""
    root = tmp_path / "late"
    root.mkdir()
    (root / "a.py").write_text("def late(): pass\n")
    page.goto("/")
    page.get_by_label("Add a folder").fill(str(root))
    page.keyboard.press("Enter")
    card = page.locator("li.card", has=page.get_by_text(str(root), exact=True))
    done = card.get_by_text("Up to date")
    expect(done).to_be_visible(timeout=30_000)

    held: list[Route] = []
    page.route(
        "**/api/indexes", lambda route: held.append(route) if not held else route.continue_()
    )
    card.get_by_role("button", name="Re-index late").click()
    expect(done).to_be_visible(timeout=30_000)
    listing = page.request.get("/api/indexes").json()
    (index,) = (index for index in listing["indexes"] if index["root"] == str(root))
    job = [job for job in listing["jobs"] if job["index"] == index["id"]][-1]
    index["job"] = job | {"state": "running", "stage": "embed", "done": 0, "total": 1}
    with page.expect_request_finished(lambda request: request.url.endswith("/api/indexes")):
        held[0].fulfill(json=listing)
    page.evaluate("() => new Promise((soon) => setTimeout(soon, 50))")
    expect(card.get_by_role("progressbar")).to_have_count(0)
    expect(done).to_be_visible()
    card.get_by_role("button", name="Forget late").click()
    card.get_by_role("button", name="Really forget late?").click()
    expect(card).to_have_count(0)


def test_everything_by_the_keyboard(page: Page) -> None:
    """No pointer: ask, move, look why, expand, open, go back, compare, help."""
    page.goto("/")
    expect(page.locator("li.card").first).to_be_visible()
    page.keyboard.press("/")
    question = page.get_by_role("searchbox", name="Question")
    expect(question).to_be_focused()
    page.keyboard.type(QUESTION)
    expect(page.locator("[data-hit]").first).to_be_visible()

    page.keyboard.press("Escape")
    places = page.locator("a.place")
    expect(places.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(places.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(places.nth(0)).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator(".why-panel").first).to_contain_text("rank")
    page.keyboard.press("w")
    expect(page.locator(".why-panel").first).to_be_hidden()
    page.keyboard.press("/")
    expect(question).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".line.lit").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(places.nth(0)).to_be_focused()
    page.keyboard.press("s")
    expect(page.locator(".column")).to_have_count(3)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_more_hits(page: Page) -> None:
    """As many again, from the first new one; the address remembers, another question forgets."""
    page.goto("/search?q=redirect&k=2")
    hits = page.locator("[data-hit]")
    expect(hits).to_have_count(2)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("button", name="More hits")).to_be_focused()
    page.keyboard.press("Enter")
    expect(hits).to_have_count(4)
    expect(page.locator("a.place").nth(2)).to_be_focused()
    assert "k=4" in page.url
    page.reload()
    expect(hits).to_have_count(4)
    ask(page, "redirects")
    page.wait_for_url(lambda address: "k=" not in address)

    page.goto("/search?q=redirect&k=2&view=compare")
    page.get_by_role("button", name="More hits").click()
    hybrid = page.get_by_role("region", name="Hybrid list").locator("a.place")
    expect(hybrid).to_have_count(4)
    expect(hybrid.nth(2)).to_be_focused()


def test_three_lists_side_by_side(page: Page) -> None:
    """What words find and what meaning finds, each with its place in the others."""
    page.goto("/search")
    ask(page)
    page.get_by_role("button", name="Side by side").click()
    expect(page.get_by_role("radio", name="Keyword")).to_be_disabled()

    for name in ("Hybrid", "Keyword", "Meaning"):
        column = page.get_by_role("region", name=f"{name} list")
        expect(column.locator("[data-hit]").first).to_be_visible()
    first = page.get_by_role("region", name="Hybrid list").locator("[data-hit]").first
    expect(first.locator(".elsewhere")).to_have_text(
        re.compile(r"keyword (#\d+|-)meaning (#\d+|-)")
    )
    assert "view=compare" in page.url
    page.reload()
    expect(page.locator(".column")).to_have_count(3)


def test_an_address_brings_everything_back(page: Page) -> None:
    """Question, filters and mode; for whoever it is sent to."""
    page.goto("/search?q=cooldown&mode=lexical&no=docs&lang=python&path=src/**")

    expect(page.locator("a.place").first).to_contain_text("limits.py")
    expect(page.get_by_role("radio", name="Keyword")).to_be_checked()
    expect(page.get_by_label("Language")).to_have_value("python")
    expect(page.get_by_label("Path, as a glob")).to_have_value("src/**")
    expect(page.locator('[data-label="docs"]')).to_have_attribute("aria-pressed", "false")


def test_a_filter_that_leaves_nothing_says_so(page: Page) -> None:
    """And offers the way back."""
    page.goto("/search?q=cooldown&path=nowhere")

    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(page.locator("a.place").first).to_be_visible()


def test_a_change_on_disk_shows_by_itself(page: Page, tree: Path) -> None:
    """The second look at the folder brings it, without another key."""
    new = tree / "src" / "windmill.py"
    page.goto("/search")
    new.write_text("def quixotic_windmill():\n    return 1\n")
    try:
        page.get_by_role("searchbox", name="Question").fill("quixotic_windmill")
        expect(page.locator("a.place").first).to_contain_text("windmill.py")
    finally:
        new.unlink()


def test_the_editor_and_the_clipboard(page: Page, tree: Path) -> None:
    """Where the hit's best line is; the editor is a matter of settings, and only an editor."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/search?q=cooldown")
    hit = page.locator("[data-hit]").first
    editor = hit.get_by_role("link", name=re.compile("in the editor"))
    expect(editor).to_have_attribute("href", f"vscode://file{tree}/src/limits.py:2")

    hit.get_by_role("button", name=re.compile("Copy")).click()
    expect(page.get_by_text("Copied src/limits.py:2")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "src/limits.py:2"

    page.get_by_role("button", name="Settings").click()
    where = page.get_by_label("Address that opens a file")
    where.fill("javascript:alert('{path}')")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("That opens no editor")).to_be_visible()
    where.fill("zed://file{path}:{line}")
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Keep").click()
    page.reload()
    expect(editor).to_have_attribute("href", f"zed://file{tree}/src/limits.py:2")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 25)"


def test_hostile_names_and_content_are_text(page: Page) -> None:
    """In the list, in the file, in the address: shown letter for letter, and nothing runs."""
    page.goto("/search?q=hostile+heading+quarantine")
    place = page.locator("a.place").first
    expect(place).to_contain_text(HOSTILE_NAME)
    expect(page.locator(".hit").first).to_contain_text("</script><script>alert('hostile heading')")
    place.click()
    expect(page.locator("#L1")).to_contain_text("<script>alert('hostile heading')</script>")
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE_NAME)
    assert page.locator("main img, main script").count() == 0
    page.goto("/search?q=<img src=x onerror=alert(2)>")
    expect(page.get_by_role("searchbox", name="Question")).to_have_value(
        "<img src=x onerror=alert(2)>"
    )
    expect(page.locator(".status")).to_contain_text(re.compile("hit|Nothing"))
    assert page.locator("main img").count() == 0


def test_what_was_left_out_can_be_opened(page: Page, tree: Path) -> None:
    """Each reason, with its files, each with its detail."""
    page.goto("/")
    page.get_by_text("What is in it, and what is not").first.click()
    page.locator("details.reason", has_text="secret").locator("summary").click()

    row = page.locator("details.reason li", has_text=".env")
    expect(row).to_contain_text("settings of an environment")
    expect(row.get_by_role("link")).to_have_attribute("href", f"vscode://file{tree}/.env:1")


def test_an_evaluation_from_a_file_and_from_an_upload(page: Page, tree: Path) -> None:
    """Progress, then the tables of ``fiuto eval``; the address brings them back."""
    page.goto("/eval")
    page.locator("input[value=pick]").check()
    expect(page.locator("#eval-pick")).to_have_value("eval/questions.json")
    page.get_by_role("button", name="Measure").click()
    expect(page.locator("td.rank").first).to_be_visible()
    expect(page.locator("th", has_text="fiuto static").first).to_be_visible()
    page.reload()
    expect(page.locator("td.rank").first).to_be_visible()

    page.locator("#eval-file").set_input_files(
        {"name": "bad.json", "mimeType": "application/json", "buffer": b'[{"question": "x"}, {}]'}
    )
    page.get_by_role("button", name="Measure").click()
    expect(page.locator(".note.bad")).to_contain_text("bad.json: entry 1: has no target")


def test_also_and_confidence_are_shown_when_they_are_there(page: Page) -> None:
    """A list of ten leaves something unsaid; an answer that is none is called so."""

    def filled(route: object) -> None:
        response = route.fetch()
        data = response.json()
        data["also"] = {"identifiers": ["cooldown"], "files": ["src/other.py"], "total": 7}
        data["confidence"] = "none"
        route.fulfill(response=response, json=data)

    page.route("**/api/search?*", filled)
    page.goto("/search?q=cooldown")

    expect(page.get_by_text("Nothing here seems to answer this.")).to_be_visible()
    expect(page.get_by_text("Also: 7 more files contain cooldown")).to_be_visible()


def test_what_goes_wrong_is_told(page: Page, watched: Watched) -> None:
    """In words, where the answer would be."""
    page.goto("/search?q=cooldown")
    expect(page.locator("a.place").first).to_be_visible()
    page.route(
        "**/api/search?*",
        lambda route: route.fulfill(
            status=500, json={"error": {"kind": "fault", "message": "the disk is full"}}
        ),
    )
    page.get_by_role("searchbox", name="Question").fill("block")

    expect(page.get_by_role("alert")).to_have_text("the disk is full")
    assert watched.faults
    assert all("status of 500" in fault for fault in watched.faults)
    watched.faults.clear()  # Chromium itself notes each answer of that kind


VIEWS = {
    "indexes": "/",
    "search": "/search?q=password+redirect",
    "compare": "/search?q=password+redirect&view=compare",
    "nothing found": "/search?q=password&path=nowhere",
    "empty search": "/search",
    "file": "/file?path=src/redirects.py&lines=2-6&q=redirect",
    "evaluation": "/eval",
    "tables": "/eval?run=",
    "settings": "/",
    "keys": "/search",
    "progress": "/",
    "a fault": "/file?path=nowhere.py",
}


def open_view(page: Page, view: str) -> None:
    """Show it with everything unfolded."""
    path = VIEWS[view]
    if "/file" in path or view == "tables":
        listed = page.request.get("/api/indexes").json()["indexes"]
        path += f"&index={listed[0]['id']}" if view != "tables" else measured(page, listed[0]["id"])
    if view == "progress":
        page.route("**/api/indexes", at_work)
    page.goto(path)
    expect(
        page.locator(".card, .hit, .entry, .welcome, .line, .panel, .note").first
    ).to_be_visible()
    if view == "indexes":
        page.get_by_text("How to index it").click()
        page.get_by_text("What is in it, and what is not").first.click()
        expect(page.locator(".shares").first).to_be_visible()
        page.locator("details.reason summary").first.click()
        expect(page.locator(".files li").first).to_be_visible()
    if view == "search":
        page.locator(".why").first.click()
        page.locator(".expand").first.click()
    if view == "progress":
        expect(page.locator("progress")).to_be_visible()
    if view == "tables":
        expect(page.locator("td.rank").first).to_be_visible()
    if view in ("settings", "keys"):
        expect(page.locator(".card, .welcome").first).to_be_visible()
        if view == "keys":
            page.locator("#main").press("?")
        else:
            page.get_by_role("button", name="Settings").click()
        expect(page.get_by_role("dialog")).to_be_visible()


def measured(page: Page, index: str) -> str:
    """The id of an evaluation that has ended."""
    sent = {"path": "eval/questions.json"}
    job = page.request.post(f"/api/indexes/{index}/evaluations", data=sent).json()
    while page.request.get(f"/api/jobs/{job['id']}").json()["state"] in ("waiting", "running"):
        page.wait_for_timeout(50)
    return str(job["id"])


def at_work(route: Route) -> None:
    """The answer with a job that is half done."""
    data = route.fetch().json()
    data["indexes"][0]["job"] = {
        "id": "0", "kind": "index", "index": data["indexes"][0]["id"], "title": "", "error": None,
        "state": "running", "stage": "embed", "done": 3, "total": 6, "seconds": 1.5,
    }  # fmt: skip
    route.fulfill(json=data)


@pytest.mark.parametrize("view", VIEWS)
def test_a_narrow_screen_is_enough(page: Page, watched: Watched, view: str) -> None:
    """360 px: nothing hangs over the edge."""
    page.set_viewport_size({"width": 360, "height": 740})
    open_view(page, view)

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    forgive(watched, view)


@pytest.mark.parametrize(
    "watched",
    [{"color_scheme": s} for s in ("light", "dark")],
    indirect=True,
    ids=["light", "dark"],
)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(page: Page, watched: Watched, view: str) -> None:
    """Every rule of axe-core, on every view, wide and narrow."""
    open_view(page, view)
    for width in (1200, 360):
        page.set_viewport_size({"width": width, "height": 800})
        found = Axe().run(page)
        assert found.response["violations"] == [], found.generate_report()
    forgive(watched, view)


def forgive(watched: Watched, view: str) -> None:
    """Chromium notes the answer 404 that the last view is about; nothing else."""
    if view == "a fault":
        assert ["status of 404" in fault for fault in watched.faults] == [True]
        watched.faults.clear()
