"""``fiuto index``: bring the index of a folder up to date."""

from __future__ import annotations

from dataclasses import asdict
from typing import Unpack

import click

from fiuto.cli.figures import changes_figure, counted, skipped_figures
from fiuto.cli.options import IndexOptions, index_options, open_asked
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import give, give_data, warn
from fiuto.model import DeepReport, RefreshReport
from fiuto.render.jsonable import refresh_data

__all__ = ["index"]


class Asked(IndexOptions):
    """The command's keywords."""

    path: str
    rebuild: bool
    as_json: bool
    deep: bool


@click.command()
@click.argument("path", default=".")
@click.option("--rebuild", is_flag=True, help="Start over.")
@click.option(
    "--deep",
    is_flag=True,
    help="Then have every chunk read by the slower model of search --deep.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@index_options
def index(**asked: Unpack[Asked]) -> int:
    """
    Index what is missing or changed in the folder PATH.

    A search does this too; here the embedder or the chunker can be changed, and
    Ctrl-C keeps what was done.
    """
    with open_asked(asked["path"], asked) as opened, progress_bar() as bar:
        report = opened.refresh(progress=bar, rebuild=asked["rebuild"])
        deep = opened.deepen(progress=bar) if asked["deep"] else None
    if asked["as_json"]:
        give_data(refresh_data(report) | ({"deep": asdict(deep)} if deep else {}))
        return 0
    warn(report.warnings)
    give(_told(report))
    if deep is not None:
        give(_told_deep(deep))
    return 0


def _told_deep(report: DeepReport) -> str:
    return (
        f"deep, {report.embedder}: {counted(report.windows, 'window')}, "
        f"{report.read:,} read now, {report.seconds:.2f} s\n"
    )


def _told(report: RefreshReport) -> str:
    counts = report.status.counts
    changes = changes_figure(report)
    held = f"{counted(counts.files, 'file')}, {counted(counts.chunks, 'chunk')}"
    work = f"{report.embedded:,} embedded, {report.reused:,} reused, {report.seconds:.2f} s"
    lines = [f"{held}: {changes or 'nothing new'}; {work}"]
    if counts.skipped:
        lines.append(f"{skipped_figures(counts.skipped)} ('fiuto status --skipped' names them)")
    if report.fallbacks:
        lines.append(f"{counted(report.fallbacks, 'text')} cut by looks: no syntax could be read")
    if counts.truncated:
        lines.append(f"the embedder read only the start of {counted(counts.truncated, 'chunk')}")
    return "\n".join(lines) + "\n"
