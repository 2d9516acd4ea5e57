"""Questions to several repositories: ``--root``, ``--org``, ``--store`` and ``--repo``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fiuto.cli.answers import AnswerOptions, filters_of
from fiuto.cli.options import folder_of, prefix_of
from fiuto.cli.progress import progress_bar
from fiuto.cli.stores import StoreOptions, store_options, table_of
from fiuto.config import UNSET
from fiuto.errors import UsageError
from fiuto.model import Results

if TYPE_CHECKING:
    from fiuto.engine.many import Many

__all__ = ["ManyOptions", "ask_many", "many_options", "wants_many"]

F = TypeVar("F", bound=Callable[..., Any])


class ManyOptions(StoreOptions, total=False):
    """What :func:`many_options` adds to a command's keywords."""

    roots: tuple[str, ...]
    org: str | None
    repos: tuple[str, ...]


class _Asked(AnswerOptions, ManyOptions):
    """What is looked at here."""

    deep_budget: float | None


def many_options(command: F) -> F:
    """Which repositories are asked, where it is not one folder."""
    command = store_options(command)
    for option in (
        click.option(
            "--repo", "repos", metavar="NAME", multiple=True,
            help="Only this repository of those asked.  Several unite.",
        ),
        click.option(
            "--org", metavar="LIST", type=click.Path(exists=True, dir_okay=False),
            help="Every repository of a list that 'fiuto org' indexed.",
        ),
        click.option(
            "--root", "roots", metavar="DIR", multiple=True,
            help="Ask this folder too; several are one question with one order.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def wants_many(asked: ManyOptions) -> bool:
    """Whether more than the one folder is asked."""
    return bool(asked["roots"] or asked["org"] or asked["store"])


def ask_many(
    question: str, asked: _Asked, path: str, *, deep: bool | None = None
) -> tuple[Results, Mapping[str, str]]:
    """
    The answer of all, and what goes before the paths of a repository to lead there.

    Args:
        question: in words.
        asked: the command's keywords.
        path: the folder given as an argument, which counts as one of the roots.
        deep: whether a slower model reads the best again; the settings' choice where it is None.

    Raises:
        UsageError: options that do not go together.
    """
    if asked["roots"] and (asked["org"] or asked["store"]):
        raise UsageError("--root asks folders, --org and --store what was indexed before: use one")
    if path and not asked["roots"]:
        raise UsageError(f"{path!r} is a folder, but --org or --store say what is asked")
    with ExitStack() as stack:
        many = stack.enter_context(_opened(asked, path))
        bar = stack.enter_context(progress_bar())
        filters = filters_of(asked)
        results = many.search(
            question, **filters, repositories=asked["repos"],
            deep=deep, deep_budget=asked["deep_budget"], progress=bar,
        )  # fmt: skip
        return results, _prefixes(many, _roots(asked, path))


def _roots(asked: _Asked, path: str) -> list[str]:
    return [*([path] if path else ()), *asked["roots"]] if asked["roots"] else []


def _prefixes(many: Many, roots: Sequence[str]) -> dict[str, str]:
    """By the name of each repository; roots as they were typed, others as they lie."""
    typed = {Path(folder_of(root)).resolve(): prefix_of(root) for root in roots}
    return {name: typed.get(folder, f"{folder}/") for name, folder in many.folders().items()}


def _opened(asked: _Asked, path: str) -> Many:
    # A search of one folder, which is nearly every one, starts without all of this.
    from fiuto.engine.several import open_cluster, open_list, open_many  # noqa: PLC0415

    embedder = asked.get("embedder")
    if asked["roots"]:
        folders = [folder_of(root) for root in _roots(asked, path)]
        return open_many(folders, embedder=UNSET if embedder is None else embedder)
    table = table_of(asked)
    if asked["org"]:
        return open_list(asked["org"], store=table).many()
    assert table is not None
    return open_cluster(table)
