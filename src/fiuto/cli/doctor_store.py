"""``fiuto doctor --store URL``: does a server do what fiuto needs of it?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.stores import StoreOptions, table_of
from fiuto.cli.terminal import give, give_data
from fiuto.config import load
from fiuto.engine.stores import make_scratch
from fiuto.errors import UsageError
from fiuto.render.style import printable
from fiuto.testing.probe import probe_store

__all__ = ["probe"]


def probe(options: StoreOptions, *, as_json: bool) -> int:
    """
    Make every check and tell how it went, as it goes.

    Raises:
        UsageError: no server is named.
        StoreUnavailable: it does not answer.
    """
    table = table_of(options)
    settings = load(Path.cwd(), {} if table is None else {"store": table})
    if not settings.store.url:
        raise UsageError("no store is named; add --store milvus://host:19530/collection")
    findings = []
    for finding in probe_store(*make_scratch(settings.store)):
        findings.append(finding)
        if not as_json:
            state = "ok   " if finding.passed else "fault"
            give(f"{state}  {finding.seconds:6.2f} s  {printable(finding.about)}\n")
            if not finding.passed:
                give(f"{'':17}{printable(finding.what)}\n")
    faults = sum(not finding.passed for finding in findings)
    if as_json:
        give_data({"schema": 1, "faults": faults, "findings": [asdict(f) for f in findings]})
    return NOTHING if faults else FOUND
