"""``fiuto doctor``: what is wrong here, and what to do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.options import folder_of
from fiuto.cli.stores import StoreOptions, store_options
from fiuto.cli.terminal import give, give_data, is_terminal
from fiuto.config import environment
from fiuto.engine.doctor import look_over
from fiuto.engine.finding import Finding
from fiuto.render.style import printable

__all__ = ["doctor"]


@click.command(epilog="Exit codes: 0 nothing to mend, 1 something is, 2 it could not be looked at.")
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@store_options
def doctor(
    path: str,
    as_json: bool,
    store: str | None,
    token_env: str | None,
    tls: bool | None,
    ca: str | None,
) -> int:
    """
    Look over the installation and the index of the folder PATH, and say what to do.

    Nothing is changed, downloaded or sent: model files and index are read whole and compared
    with their checksums, the cache folder is tried, git and the terminal are asked.  With
    --store a server is probed instead, in a scratch collection that is removed again.
    """
    if store is not None:
        from fiuto.cli.doctor_store import probe  # noqa: PLC0415 - brings every check of a store

        options: StoreOptions = {"store": store, "token_env": token_env, "tls": tls, "ca": ca}
        return probe(options, as_json=as_json)
    findings = [*look_over(folder_of(path)), *_terminal()]
    faults = sum(finding.state == "fault" for finding in findings)
    if as_json:
        give_data({"schema": 1, "faults": faults, "findings": [asdict(f) for f in findings]})
    else:
        give("".join(map(_told, findings)))
    return NOTHING if faults else FOUND


def _terminal() -> Iterator[Finding]:
    """What this process can show; only here is it known."""
    encoding = (getattr(sys.stdout, "encoding", None) or "none").lower()
    seen = "a terminal" if is_terminal(sys.stdout) else "no terminal"
    colour = "no colours, as NO_COLOR asks" if environment("NO_COLOR") else "colours on a terminal"
    if encoding.replace("-", "") == "utf8":
        yield Finding("terminal", "ok", f"{seen}, {encoding}, {colour}")
        return
    yield Finding(
        "terminal", "note", f"{seen}, {encoding}: what it cannot show is written as an escape",
        "set LC_ALL=C.UTF-8, or PYTHONUTF8=1",
    )  # fmt: skip


def _told(finding: Finding) -> str:
    line = f"{finding.state:5}  {finding.about:8}  {printable(finding.what)}\n"
    return line + (f"{'':17}do: {printable(finding.remedy)}\n" if finding.remedy else "")
