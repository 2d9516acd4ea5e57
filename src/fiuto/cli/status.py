"""``fiuto status``: an index in figures."""

from __future__ import annotations

from collections.abc import Iterable

import click

from fiuto.cli.figures import counted, size, skipped_figures
from fiuto.cli.options import open_asked, place_options
from fiuto.cli.terminal import give, give_data
from fiuto.model import Status
from fiuto.render.jsonable import skipped_data, status_data
from fiuto.render.style import printable

__all__ = ["status"]


@click.command()
@click.argument("path", default=".")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--skipped", is_flag=True, help="Name each file that was left out, and why.")
@place_options
def status(path: str, as_json: bool, skipped: bool, profile: str | None) -> int:
    """
    Show the index of the folder PATH in figures, as it stands.

    Nothing is indexed; without an index this is an error.
    """
    with open_asked(path, {"profile": profile}) as index:
        figures = index.status()
        left_out = index.skipped() if skipped else ()
        taken = index.size()
    if as_json:
        more = {"skipped_files": [skipped_data(s) for s in left_out]} if skipped else {}
        give_data(status_data(figures) | more)
    elif skipped:
        give(_table((s.reason, s.path, s.detail) for s in left_out))
    else:
        give(_table(_rows(figures, taken)))
    return 0


def _rows(figures: Status, taken: int) -> Iterable[tuple[str, ...]]:
    manifest, counts = figures.manifest, figures.counts
    yield "root", manifest.root
    yield "files", f"{counts.files:,} ({counts.bytes:,} bytes)"
    yield "chunks", f"{counts.chunks:,}"
    if counts.skipped:
        yield "left out", skipped_figures(counts.skipped)
    yield "embedder", str(manifest.embedder) if manifest.embedder else "none"
    if counts.unembedded:
        yield "", f"{counted(counts.unembedded, 'file')} without vectors"
    if counts.truncated:
        yield "", f"read only the start of {counted(counts.truncated, 'chunk')}"
    yield "chunker", manifest.chunker
    yield "generation", f"{manifest.generation}{'' if manifest.complete else ', not complete yet'}"
    yield "on disk", size(taken)


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    """Rows with their first column aligned."""
    safe = [[printable(field) for field in row] for row in rows]
    width = max((len(row[0]) for row in safe), default=0)
    return "".join(f"{row[0]:{width}}  {'  '.join(filter(None, row[1:]))}\n" for row in safe)
