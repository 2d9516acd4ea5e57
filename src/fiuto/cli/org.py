"""``fiuto org``: index every repository of a list, in shards, and show how they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Unpack

import click

from fiuto.cli.failures import ERROR, FOUND
from fiuto.cli.figures import counted
from fiuto.cli.options import SHARD
from fiuto.cli.stores import StoreOptions, store_options, table_of
from fiuto.cli.terminal import give, give_data, say
from fiuto.config import UNSET
from fiuto.engine.org import Row, shard_of
from fiuto.engine.several import open_list
from fiuto.render.style import printable

__all__ = ["org"]

_PROCESSES = 2


class Asked(StoreOptions):
    """The command's keywords."""

    list_: str
    shard: str | None
    processes: int
    rebuild: bool
    status: bool
    as_json: bool
    embedder: str | None
    chunker: str | None


@click.command()
@click.argument("list_", metavar="LIST", type=click.Path(exists=True, dir_okay=False))
@click.option("--shard", type=SHARD, metavar="I/N", help="Only this share of the list: 2/3.")
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=_PROCESSES,
    metavar="N",
    help=f"Worker processes; {_PROCESSES} where none are named.",
)
@click.option("--rebuild", is_flag=True, help="Start over, beside what is searched meanwhile.")
@click.option("--status", is_flag=True, help="Only show how each repository stands.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--embedder", metavar="NAME", help="Embedding model; 'fiuto models' lists them.")
@click.option("--chunker", metavar="NAME", help="How to cut: syntax or lines.")
@store_options
def org(**asked: Unpack[Asked]) -> int:
    """
    Index every repository of LIST: a path or a git address a line.

    Stopped or killed, it goes on from there next time; what did not change costs a
    comparison.  Ask with 'fiuto search QUESTION --org LIST'.
    """
    listed = open_list(
        asked["list_"],
        store=table_of(asked),
        embedder=UNSET if asked["embedder"] is None else asked["embedder"],
        chunker=UNSET if asked["chunker"] is None else asked["chunker"],
    )
    entries = listed.entries
    if asked["shard"]:
        entries = shard_of(entries, asked["shard"])
    if not asked["status"]:
        listed.index(
            entries, processes=asked["processes"], rebuild=asked["rebuild"],
            told=lambda row: say(f"fiuto: {row.state} {printable(row.repository)}", dim=True),
        )  # fmt: skip
    mine = {entry.name for entry in entries}
    rows = [row for row in listed.status() if row.repository in mine]
    if asked["as_json"]:
        give_data({"repositories": [asdict(row) for row in rows]})
    else:
        give(_table(rows))
    return ERROR if any(row.state == "failed" for row in rows) else FOUND


def _table(rows: Sequence[Row]) -> str:
    head = ("repository", "state", "revision", "files", "chunks", "embedded", "reused", "seconds")
    cells = [head, *map(_cells, rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = []
    for row in cells:
        left = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
        right = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        lines.append("  ".join((*left, *right)))
    lines += [f"{printable(r.repository)}: {printable(r.message)}" for r in rows if r.message]
    states = Counter(row.state for row in rows)
    total = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    lines.append(f"{total}; {counted(sum(row.chunks for row in rows), 'chunk')}")
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    figures = (row.files, row.chunks, row.embedded, row.reused)
    return (
        printable(row.repository), row.state, row.revision[:12], *(f"{n:,}" for n in figures),
        f"{row.seconds:.1f}",
    )  # fmt: skip
