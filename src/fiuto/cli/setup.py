"""``fiuto setup``: tell a coding agent of ``fiuto mcp``, and untell it."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from fiuto.cli.agents import AGENTS, added, removed
from fiuto.cli.failures import FOUND, NOTHING
from fiuto.cli.terminal import say
from fiuto.errors import UsageError
from fiuto.render.style import printable

__all__ = ["setup"]


@click.command(epilog="Exit codes: 0 done, or nothing to do, 1 not wanted, 2 an error.")
@click.argument("agent", type=click.Choice(list(AGENTS)))
@click.option("--remove", is_flag=True, help="Take the entry out again.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def setup(agent: str, remove: bool, yes: bool) -> int:
    """
    Enter 'fiuto mcp' in the configuration of AGENT.

    Shows the change and asks; comments and order stay, and FILE.fiuto-backup keeps the
    file as it was.
    """
    spec = AGENTS[agent]
    path = Path(spec.file).expanduser()
    backup = path.with_name(path.name + ".fiuto-backup")
    try:
        before = path.read_bytes().decode() if path.exists() else ""
        after = removed(before, spec) if remove else added(before, spec)
        if after == before:
            say(f"fiuto: nothing to do in {path}")
            return FOUND
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), str(path), str(path), n=1, lineterm=""
        )
        for line in lines:
            click.echo(printable(line), err=True)
        if path.exists() and not path.stat().st_mode & 0o222:
            raise UsageError(f"{path} is read-only; nothing was changed")
        if not yes and not click.confirm(f"Write {path}?", err=True):
            return NOTHING
        if remove and not after and not backup.exists():
            path.unlink()
            return FOUND
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not remove:
            backup.write_bytes(before.encode())
        path.write_bytes(after.encode())
        if remove:
            backup.unlink(missing_ok=True)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8; nothing was changed") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    return FOUND
