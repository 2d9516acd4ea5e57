"""Stack traces of many languages lead to the file that is indexed."""

import pytest

from fiuto.search.frames import Frame, frames_of, message_of, resolve

PYTHON = """Traceback (most recent call last):
  File "/app/main.py", line 12, in <module>
    requests.get("foo")
  File "/venv/site-packages/requests/models.py", line 439, in prepare_url
    raise MissingSchema(
requests.exceptions.MissingSchema: Invalid URL 'foo'
"""


@pytest.mark.parametrize(
    ("trace", "first"),
    [
        (PYTHON, Frame("/venv/site-packages/requests/models.py", 439, "prepare_url")),
        (
            "TypeError: x\n    at Router.handle (/srv/lib/router.js:12:5)\n    at next (a.js:1:1)",
            Frame("/srv/lib/router.js", 12, "Router.handle"),
        ),
        (
            "Exception in thread main\n\tat com.google.gson.Gson.fromJson(Gson.java:932)\n",
            Frame("com/google/gson/Gson.java", 932, "fromJson"),
        ),
        (
            "   at A.B.C() in /src/Json/JsonReader.cs:line 77",
            Frame("/src/Json/JsonReader.cs", 77),
        ),
        ("#0 /var/www/src/Logger.php(33): Monolog\\Logger->add()",
         Frame("/var/www/src/Logger.php", 33, "Monolog\\Logger->add")),
        ("lib/sinatra/base.rb:98:in `call'", Frame("lib/sinatra/base.rb", 98, "call")),
        ("goroutine 1:\nmain.f()\n\t/go/gin/context.go:51 +0x1b", Frame("/go/gin/context.go", 51)),
        ("thread 'main' panicked at src/lib.rs:7:9:\nboom", Frame("src/lib.rs", 7)),
        ("src/requests/auth.py", Frame("src/requests/auth.py", 0)),
        ("./auth.py:40", Frame("auth.py", 40)),
    ],
)  # fmt: skip
def test_the_innermost_frame(trace, first):
    """Python prints it last, the others first."""
    assert frames_of(trace)[0] == first


@pytest.mark.parametrize("text", ["how it works", "Session.send", "a:1", "", "1.2.3", "e.g. this"])
def test_no_frames(text):
    """Names and sentences point nowhere."""
    assert frames_of(text) == ()


def test_messages():
    """Python's stands last, others' first; one line has none."""
    assert message_of(PYTHON) == "requests.exceptions.MissingSchema: Invalid URL 'foo'"
    assert message_of("TypeError: x\n    at f (/a/b.js:1:1)") == "TypeError: x"
    assert message_of("src/a.py:3") == ""


def test_only_frames_of_this_code_are_kept():
    """By the last parts of the path; a bare name must be all there is."""
    paths = ["src/requests/models.py", "src/requests/api.py", "tests/models.py"]
    frames = [
        Frame("/venv/requests/models.py", 4), Frame("/venv/urllib3/api.py", 9), Frame("api.py", 2),
    ]  # fmt: skip
    assert resolve(frames, paths) == [("src/requests/models.py", 4), ("src/requests/api.py", 2)]
