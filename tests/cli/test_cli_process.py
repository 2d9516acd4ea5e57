"""The command line as a process of its own: streams, locales, imports, signals, terminals."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

HEAVY = ("numpy", "torch", "rich", "tree_sitter", "starlette", "uvicorn", "sentence_transformers")
SOURCE = '''\
"""Accounts: größe, 求职者登录, naïve café."""


def block_user(user):
    """Keep a user out: no login any more."""
    user.blocked = True
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files, indexed once."""
    folder = tmp_path_factory.mktemp("app")
    (folder / "accounts.py").write_text(SOURCE, "utf-8")
    (folder / "readme.md").write_text("# App\n\nHow to block a user.\n", "utf-8")
    done = fiuto(folder, "index")
    assert done.returncode == 0, done.stderr
    return folder


def environment(root: Path, **more: str) -> dict[str, str]:
    """A clean one, with the indexes beside the folder."""
    kept = {
        name: value
        for name, value in os.environ.items()  # noqa: TID251 - to hand it on
        if not name.startswith(("FIUTO_", "LC_", "LANG", "PYTHONIOENCODING"))
        and name not in ("NO_COLOR", "FORCE_COLOR", "TERM")
    }
    return kept | {"FIUTO_HOME": f"{root}.home", "LC_ALL": "C.UTF-8"} | more


def fiuto(root: Path, *args: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in ``root``."""
    return subprocess.run(
        [sys.executable, "-m", "fiuto", *args],
        cwd=root, env=environment(root, **more), capture_output=True, check=False, timeout=120,
    )  # fmt: skip


def shell(root: Path, line: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in ``root``, where ``$F`` is fiuto."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=root, env=environment(root, F=f"{sys.executable} -m fiuto", **more),
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip


def modules_after(root: Path, *args: str) -> tuple[int, set[str]]:
    """Exit code and imported modules of a command line."""
    program = (
        "import sys, json\n"
        "from fiuto.cli.main import cli\n"
        "code = cli.main(sys.argv[1:], standalone_mode=False)\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        cwd=root, env=environment(root), capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


def test_help_imports_nothing_heavy(root: Path) -> None:
    """No engine, no database, no model."""
    code, modules = modules_after(root, "--help")

    assert code == 0
    assert not modules & {
        *HEAVY,
        "tantivy",
        "simsimd",
        "fiuto.engine",
        "fiuto.store",
        "fiuto.terms",
    }
    assert not {name for name in modules if name.startswith("fiuto.cli.search")}


def test_a_warm_lexical_search_imports_nothing_heavy(root: Path) -> None:
    """Neither numpy nor a parser nor Rich."""
    code, modules = modules_after(root, "block user", "--mode", "lexical")

    assert code == 0
    assert not modules & {*HEAVY}
    assert "tantivy" in modules


def test_exit_codes(root: Path) -> None:
    """0 hits, 1 none, 2 an error, whoever runs it."""
    assert fiuto(root, "block user").returncode == 0
    assert fiuto(root, "block user", "--path", "nowhere/**").returncode == 1
    assert fiuto(root, "block user", "/does/not/exist").returncode == 2
    assert fiuto(root, "").returncode == 2


@pytest.mark.parametrize(
    "question",
    ['"', "(", "a AND (b", "*", "foo:bar?", "don't", "\\", "block" * 20_000, "\udcff\udcfe", "-x"],
    ids=lambda question: ascii(question[:10]),
)
def test_no_question_gives_a_traceback(
    root: Path, run, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """Whatever its characters, in each mode."""
    monkeypatch.setenv("FIUTO_HOME", f"{root}.home")
    for mode in ("lexical", "semantic", "hybrid"):
        done = run("search", "--mode", mode, "--", question, str(root))

        assert (done.exit_code in (0, 1), done.stderr.startswith("fiuto: unexpected")) == (
            True,
            False,
        )


def test_a_question_may_begin_with_a_dash(root: Path) -> None:
    """After a double dash."""
    assert fiuto(root, "--", "-block").returncode == 0
    assert fiuto(root, "search", "--", "-block").returncode == 0


@pytest.mark.parametrize(
    "command",
    ["search block", "search block --json", "search block --vimgrep", "index", "status", "list",
     "models", "status --skipped", "why accounts.py"],
)  # fmt: skip
def test_a_reader_that_goes_away_is_no_error(root: Path, command: str) -> None:
    """``| head -1``, and a reader who never reads."""
    for reader in ("head -1", "true"):
        done = shell(root, f"sleep 0 | $F {command} | {reader}")

        assert done.returncode in (0, 1)
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr
        assert b"Broken pipe" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
@pytest.mark.parametrize("command", ["search block", "--help", "status"])
def test_a_full_disk_behind_the_output_is_one_line(root: Path, command: str) -> None:
    """Exit code 2 and the name of the stream."""
    done = shell(root, f"$F {command} > /dev/full")

    assert done.returncode == 2
    assert done.stderr.decode() == "fiuto: standard output: No space left on device\n"


def test_closed_streams_are_no_error(root: Path) -> None:
    """``>&-``: the exit code still tells."""
    assert shell(root, "$F block >&-").returncode == 0
    assert shell(root, "$F nonsense --path none 2>&-").returncode == 1


@pytest.mark.parametrize(
    "locale",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX"},
    ],
    ids=lambda locale: "-".join(locale.values()),
)
def test_an_encoding_that_cannot_hold_the_text_is_no_error(
    root: Path, locale: dict[str, str]
) -> None:
    """What it cannot hold is written as an escape; JSON stays JSON."""
    text = fiuto(root, "größe 求职者登录", **locale)
    data = fiuto(root, "größe 求职者登录", "--json", **locale)

    assert text.returncode == 0, text.stderr
    assert text.stderr == b""
    assert text.stdout.startswith(b"accounts.py:")
    encoding = locale.get("PYTHONIOENCODING", "utf-8")
    found = json.loads(data.stdout.decode(encoding))
    assert found["query"] == "größe 求职者登录"
    assert "求职者登录" in found["hits"][0]["text"]


def test_an_unwritable_home_is_one_line_with_its_path(root: Path, tmp_path: Path) -> None:
    """The index cannot be made there."""
    (tmp_path / "file").write_text("not a folder")

    done = fiuto(root, "block", FIUTO_HOME=str(tmp_path / "file" / "home"))

    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"fiuto: ")
    assert str(tmp_path / "file").encode() in done.stderr


def test_ctrl_c_while_importing_ends_the_same_way(root: Path) -> None:
    """Before there is a command that could tell it."""
    early = (
        "import sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'fiuto.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from fiuto.cli.start import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", early, "index"], cwd=root, env=environment(root),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "fiuto: stopped\n")


def test_ctrl_c_ends_with_130_and_one_line(root: Path, tmp_path: Path) -> None:
    """While another process holds the index, so that there is time to press it."""
    home = tmp_path / "home"
    holder = (
        "import sys, time, fiuto\n"
        "index = fiuto.open(sys.argv[1])\n"
        "with index._store.write(5):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    env = environment(root, FIUTO_HOME=str(home))
    held = subprocess.Popen(
        [sys.executable, "-c", holder, str(root)], env=env, stdout=subprocess.PIPE
    )
    assert held.stdout is not None
    assert held.stdout.readline() == b"held\n"
    waiting = subprocess.Popen(
        [sys.executable, "-m", "fiuto", "index"], cwd=root, env=env, stderr=subprocess.PIPE
    )
    threading.Timer(1.5, waiting.send_signal, [signal.SIGINT]).start()
    _, told = waiting.communicate(timeout=60)
    held.kill()
    held.wait()
    held.stdout.close()

    assert waiting.returncode == 130
    assert told == b"fiuto: stopped; what was done is kept, and the next run goes on from there\n"


def test_lines_that_changed_since_are_marked_and_moved_ones_are_found(root: Path) -> None:
    """Without a refresh, a hit is never passed off as what stands there now."""
    file = root / "accounts.py"
    file.write_text("# one more line\n\n" + SOURCE, "utf-8")
    moved = fiuto(root, "block_user", "--no-refresh", "-k", "1").stdout.decode()
    file.write_text("nothing of the kind\n", "utf-8")
    stale = fiuto(root, "block_user", "--no-refresh", "-k", "1").stdout.decode()
    file.write_text(SOURCE, "utf-8")
    fresh = fiuto(root, "block_user", "-k", "1").stdout.decode()

    heads = [text.splitlines()[0] for text in (moved, stale, fresh)]
    assert ["(stale)" in head for head in heads] == [False, True, False]
    # The number beside a line is its own: the definition stands two lines further down.
    assert "  6  def block_user(user):" in moved
    assert "  4  def block_user(user):" in fresh


def on_terminal(root: Path, *args: str, **more: str) -> str:
    """What a command line draws on a terminal of its own."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fiuto", *args],
        cwd=root, env=environment(root, **{"TERM": "xterm-256color", **more}),
        stdin=side, stdout=side, stderr=side,
    )  # fmt: skip
    os.close(side)
    drawn = b""
    try:
        while piece := os.read(main, 65_536):
            drawn += piece
    except OSError:
        pass  # Linux's end of a terminal
    process.wait(60)
    os.close(main)
    return drawn.decode()


def test_a_terminal_gets_colours_links_and_a_summary(root: Path) -> None:
    """And no more than its width."""
    drawn = on_terminal(root, "block user")

    assert "def \x1b[1;31mblock\x1b[0m_\x1b[1;31muser\x1b[0m(" in drawn
    assert f"\x1b]8;;file://{os.uname().nodename}{root}/accounts.py#" in drawn
    assert " hits in 2 files, " in drawn


def test_no_color_keeps_links_and_a_dumb_terminal_gets_neither(root: Path) -> None:
    """Colours and links are two things."""
    plain = on_terminal(root, "block user", NO_COLOR="1")
    dumb = on_terminal(root, "block user", TERM="dumb")

    assert "\x1b[" not in plain
    assert "\x1b]8;;file://" in plain
    assert "\x1b" not in dumb
