"""Tests of fiuto.cli.terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from fiuto.cli import terminal
from fiuto.cli.terminal import (
    abandon,
    give,
    give_data,
    is_terminal,
    prepare,
    readable,
    say,
    settle,
    style_of,
    warn,
)


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


class Deaf(io.StringIO):
    """A pipe whose reader went away."""

    def write(self, _text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    def flush(self) -> None:
        raise BrokenPipeError(32, "Broken pipe")


def encoded(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    """Standard output in an encoding; what arrives there."""
    arrived = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(arrived, encoding=encoding))
    prepare()
    return arrived


def test_what_an_encoding_cannot_hold_is_written_as_an_escape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No exception, nothing lost."""
    arrived = encoded(monkeypatch, "ascii")

    give("größe 漢\n")

    assert arrived.getvalue() == b"gr\\xf6\\xdfe \\u6f22\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "gbk", "latin-1", "utf-16"])
def test_json_is_json_in_every_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """Half a surrogate pair included, which no encoding holds."""
    data = {"text": "größe 漢 😀 \udcff"}
    arrived = encoded(monkeypatch, encoding)

    give_data(data)

    assert json.loads(arrived.getvalue().decode(encoding)) == data


def test_utf_8_json_is_written_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Escapes only where they are needed."""
    arrived = encoded(monkeypatch, "UTF-8")

    give_data({"text": "größe"})

    assert arrived.getvalue().decode() == '{"text": "größe"}\n'


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ("plain", "plain"),
        ("größe", "größe"),
        (os.fsdecode("größe".encode()), "größe"),
        ("a\udcff", "a\ufffd"),
    ],
)
def test_arguments_become_text(argument: str, text: str) -> None:
    """Bytes that are no text are replaced, never handed on."""
    assert readable(argument) == text


def test_a_message_is_one_line_without_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Line ends and escapes in a path cannot break it up."""
    say("a\n  b\x1b[2J")
    warn(["", "careful"])

    assert capsys.readouterr() == ("", "a b\\x1b[2J\nfiuto: warning: careful\n")


def test_a_dim_message_is_dim_only_on_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary after the hits."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stderr", Screen())

    say("3 hits", dim=True)

    assert sys.stderr.getvalue() == "\x1b[2m3 hits\x1b[0m\n"


def test_nobody_listening_to_messages_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code still tells."""
    monkeypatch.setattr(sys, "stderr", Deaf())

    say("nobody hears this")


def test_output_that_cannot_be_written_names_its_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """And stays the kind of error it was."""
    monkeypatch.setattr(sys, "stdout", Deaf())

    with pytest.raises(BrokenPipeError) as caught:
        give("x")
    with pytest.raises(BrokenPipeError):
        settle()

    assert caught.value.filename == "standard output"


def test_a_process_without_streams_has_nothing_to_write_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``>&- 2>&-``."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    give("nobody")
    say("hears this")
    settle()


def test_an_abandoned_stream_takes_everything_and_keeps_nothing(tmp_path: Path) -> None:
    """What is still in its buffer does not trip the interpreter at exit."""
    reading, writing = os.pipe()
    os.close(reading)
    stream = open(writing, "w")  # noqa: PTH123, SIM115 - of a descriptor
    stream.write("unread")
    with pytest.raises(BrokenPipeError):
        stream.flush()

    abandon(stream)

    stream.write("more")
    stream.close()


@pytest.mark.parametrize(
    ("environment", "terminal_", "colour", "links"),
    [
        ({"TERM": "xterm"}, True, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False, True),
        ({"TERM": "dumb"}, True, False, False),
        ({}, True, False, False),
        ({"TERM": "xterm"}, False, False, False),
        ({"FORCE_COLOR": "1"}, False, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False, False),
    ],
)
def test_what_a_stream_can_show(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    terminal_: bool,
    colour: bool,
    links: bool,
) -> None:
    """Colours and links are decided apart."""
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "77")

    style = style_of(Screen() if terminal_ else io.StringIO(), "/a b")

    assert (style.colour, bool(style.links)) == (colour, links)
    assert style.links in ("", f"file://{os.uname().nodename}/a%20b/")
    assert style.width == (77 if links else 0)


def test_no_stream_is_no_terminal() -> None:
    """A closed one is None."""
    assert not is_terminal(None)
    assert terminal.style_of(None) == terminal.PLAIN
