"""``fiuto models``: what is here, what could be, and fetching it."""

from __future__ import annotations

from dataclasses import asdict

import click

from fiuto.cli.figures import size
from fiuto.cli.progress import progress_bar
from fiuto.cli.terminal import give, give_data, say
from fiuto.engine.models import Model, every_model, pull_model
from fiuto.render.style import printable

__all__ = ["models"]

_STATES = {"shipped": "shipped", "here": "here", "absent": "not here"}


@click.group(
    invoke_without_command=True,
    subcommand_metavar="[pull NAME]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def models(ctx: click.Context, as_json: bool) -> None:
    """
    List the embedding models known by name, and which of them are on this machine.

    Any other model of sentence-transformers is --embedder st:NAME, where NAME may be
    a folder; an OpenAI-compatible endpoint is --embedder remote, with its url and
    model under [remote] in fiuto.toml.
    """
    if ctx.invoked_subcommand is not None:
        return
    known = list(every_model())
    if as_json:
        give_data({"models": [asdict(model) for model in known]})
        return
    width = max(len(model.name) for model in known)
    give("".join(_line(model, width) for model in known))
    say("fetch one with 'fiuto models pull NAME', use it with 'fiuto index --embedder NAME'")


@models.command()
@click.argument("name")
def pull(name: str) -> None:
    """Fetch the model NAME into the Hugging Face cache; what is there already is kept."""
    with progress_bar() as bar:
        folder = pull_model(name, bar)
    give(f"{printable(name)} is in {printable(str(folder))}\n")


def _line(model: Model, width: int) -> str:
    taken = size(model.size) if model.size else ""
    return (
        f"{model.name:{width}}  {_STATES[model.state]:8}  {taken:>8}  "
        f"{model.dimension:>5} dimensions  {model.notes}\n"
    )
