"""The command group: lazy, and taking a first word that names no command for a question."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from fiuto.cli.commands import COMMANDS, DEFAULT, load
from fiuto.cli.failures import ERROR, FOUND, Ended, contained
from fiuto.cli.terminal import named_output, prepare, say

__all__ = ["CommandGroup"]


class CommandGroup(click.Group):
    """``fiuto``: commands from the table, errors in one line, the exit codes of a search tool."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        return load(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(ERROR)
        own = {flag for param in self.get_params(ctx) for flag in param.opts}
        first = next((i for i, arg in enumerate(args) if arg not in own), len(args))
        if first < len(args) and args[first] not in COMMANDS:
            if not ctx.resilient_parsing:
                _hint(args[first])
            args = [*args[:first], DEFAULT, *args[first:]]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with contained(debug=bool(ctx.params.get("debug"))):
            return super().invoke(ctx)

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> int:
        """Run a command line; the exit code, which ends the process in standalone mode."""
        prepare()
        try:
            # What fails outside a command is help that cannot be written.
            with contained(), named_output():
                code = super().main(
                    args, prog_name or "fiuto", complete_var,
                    standalone_mode=False, windows_expand_args=windows_expand_args, **extra,
                )  # fmt: skip
        except Ended as ended:
            code = ended.code
        code = code if isinstance(code, int) else FOUND
        if standalone_mode:
            sys.exit(code)
        return code


def _hint(word: str) -> None:
    """A question of one word that almost names a command is perhaps a slip."""
    if not word.isalpha():
        return
    from difflib import get_close_matches  # noqa: PLC0415 - 10 ms, for one-word questions

    near = get_close_matches(word, COMMANDS, n=1, cutoff=0.75)
    if near:
        say(f"fiuto: searching for {word!r}; if you meant the command: fiuto {near[0]}")
