"""The console entry: ``fiuto``."""

from __future__ import annotations

import click

from fiuto.cli.group import CommandGroup

__all__ = ["cli"]

_EPILOG = """
\b
Without a command, the first word is the question:
  fiuto "where do we block users"         in the current folder
  fiuto "where do we block users" ~/app   in another one
  fiuto search index                      a question that is a command's name
  fiuto -- "-x"                           a question that begins with a dash

\b
Exit codes: 0 hits, 1 none, 2 an error, 130 stopped by Ctrl-C.
Environment: FIUTO_HOME (where indexes are kept), FIUTO_EMBEDDER, FIUTO_CHUNKER,
  FIUTO_PROFILE, NO_COLOR, FORCE_COLOR.
"""


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version  # noqa: PLC0415 - 20 ms, seldom asked for

    click.echo(f"fiuto {version('fiuto')}")
    ctx.exit()


@click.group(
    "fiuto",
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[--debug]",
    subcommand_metavar="COMMAND … | QUESTION [PATH]",
    epilog=_EPILOG,
)
@click.option("--debug", is_flag=True, help="Show a traceback with an error.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version.",
)  # fmt: skip
def cli(debug: bool) -> None:
    """Ask a folder of code a plain question, get path:start-end."""
