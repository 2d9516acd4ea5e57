"""Tests of fiuto.web.guard: who may ask, from where, and how much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from fiuto.web.app import create_app
from fiuto.web.guard import HEADERS, MOST_BYTES, Access, is_loopback
from fiuto.web.service import Service

EVIL = "http://evil.example"


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:3488", "127.0.0.1:3488", "127.9.9.9", "[::1]:3488", "LOCALHOST"],
)
def test_this_machine_may_be_named_in_every_way(client: TestClient, host: str) -> None:
    """With any port: a tunnel changes it."""
    assert client.get("/api/indexes", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "192.168.0.7",
        "127.0.0.1.nip.io",
        "",
        "[::1",
        "a b",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/indexes", "/static/app.js"])
def test_a_name_that_was_made_to_point_here_is_refused(
    client: TestClient, host: str, path: str
) -> None:
    """DNS rebinding: the browser believes it talks to evil.example."""
    answer = client.get(path, headers={"Host": host})

    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "GET"])
def test_another_sites_page_can_do_and_learn_nothing(
    client: TestClient, index: str, headers: dict[str, str], method: str
) -> None:
    """CSRF: state changes, and searches that would cost time, alike."""
    body = {} if method == "POST" else None
    path = f"/api/indexes/{index}" + ("/refresh" if method == "POST" else "")

    answer = client.request(method, path, headers=headers, json=body)

    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")
    assert client.get(f"/api/indexes/{index}").json()["state"] == "ready"


def test_our_own_page_and_programs_may(client: TestClient, index: str) -> None:
    """The page sends both headers, curl none."""
    ours = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}

    assert client.post(f"/api/indexes/{index}/refresh", json={}, headers=ours).status_code == 202
    assert client.get("/api/indexes").status_code == 200


def test_a_link_on_another_site_may_open_the_page(client: TestClient) -> None:
    """Shared addresses work; what the page then asks is its own."""
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}

    assert client.get("/search?q=x", headers=link).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_can_send_is_no_body(client: TestClient, index: str, kind: str) -> None:
    """The second lock: another site's form cannot send JSON by that name."""
    answer = client.post(
        f"/api/indexes/{index}/refresh",
        content=b'{"rebuild": true}',
        headers={"Content-Type": kind},
    )

    assert answer.status_code == 400
    assert "application/json" in answer.json()["error"]["message"]


def test_an_announced_flood_is_refused_at_once(client: TestClient) -> None:
    """By its length alone."""
    answer = client.post(
        "/api/indexes",
        content=b"x" * (MOST_BYTES + 1),
        headers={"Content-Type": "application/json"},
    )

    assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "too-large")


def test_a_flood_without_length_is_cut_off(client: TestClient) -> None:
    """Read no further than the limit."""
    sent = 0

    def flood() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 100_000
            yield b" " * 100_000

    answer = client.post(
        "/api/indexes", content=flood(), headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "too-large")


@pytest.mark.parametrize("path", ["/", "/search", "/api/indexes", "/static/app.js", "/nowhere"])
def test_every_answer_tells_browsers_what_they_may_do(client: TestClient, path: str) -> None:
    """No inline script or style, no HTML from strings, no frame, nothing from elsewhere."""
    headers = client.get(path).headers

    for name, value in HEADERS.items():
        assert headers[name] == value
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "*" not in policy
    assert policy.startswith("default-src 'none'; ")
    assert "access-control-allow-origin" not in headers


def test_answers_of_the_api_are_kept_nowhere(client: TestClient) -> None:
    """Code stays out of the browser's cache; the page's own files may be kept."""
    assert client.get("/api/indexes").headers["cache-control"] == "no-store"
    assert client.get("/static/app.js").headers["cache-control"] == "no-cache"


@pytest.fixture
def guarded(service: Service) -> Iterator[TestClient]:
    """As with --host 0.0.0.0."""
    access = Access(frozenset({"workbench"}), anywhere=True, token="open sesame")
    app = create_app(service, access)
    with TestClient(app, base_url="http://workbench:3488", follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/", "/search", "/api/indexes", "/api/openapi.json", "/static/app.js"]
)
def test_without_the_token_there_is_nothing(guarded: TestClient, path: str) -> None:
    """Not even the page."""
    assert guarded.get(path).status_code == 401
    assert guarded.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert guarded.get(path, headers={"Cookie": "fiuto-token=wrong"}).status_code == 401
    assert guarded.get(path + "?token=wrong").status_code == 401


def test_programs_show_the_token(guarded: TestClient) -> None:
    """As a bearer."""
    shown = {"Authorization": "Bearer open sesame"}
    assert guarded.get("/api/indexes", headers=shown).status_code == 200


def test_the_printed_address_lets_a_browser_in_for_good(guarded: TestClient) -> None:
    """Once; the token leaves the address bar and is out of reach of scripts."""
    answer = guarded.get("/search?q=a+b&token=open+sesame")

    assert (answer.status_code, answer.headers["location"]) == (303, "/search?q=a+b")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert guarded.get("/api/indexes").status_code == 200


def test_the_redirect_stays_here(guarded: TestClient) -> None:
    """A path that looks like another host is none."""
    answer = guarded.get("http://workbench:3488//evil.example/?token=open+sesame")

    assert (answer.status_code, answer.headers["location"]) == (303, "/evil.example/")


def test_numbers_and_known_names_only(guarded: TestClient) -> None:
    """A number cannot be rebound; a name that nobody gave can."""
    shown = {"Authorization": "Bearer open sesame"}
    for host, status in (("10.0.0.5:3488", 200), ("[fe80::1]", 200), ("evil.example", 403)):
        answer = guarded.get("/api/indexes", headers=shown | {"Host": host})
        assert answer.status_code == status, host


def test_what_is_loopback() -> None:
    """By number or name, never by its look."""
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "127.0.0.1.example", "192.168.1.1", "")))
