"""
Draws the README's picture from a real run: ``python docs/pictures/make.py``.

Runs the command of the README in a clean home, as a terminal would see it, and lets
Rich export what was printed.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
QUESTION = "which files are withheld because they hold secrets"


def main() -> None:
    """Write ``search.svg`` beside this file."""
    with tempfile.TemporaryDirectory() as home:
        run = subprocess.run(
            [sys.executable, "-m", "fiuto", QUESTION, "src", "-k", "4"],
            cwd=ROOT,
            env={**os.environ, "FORCE_COLOR": "1", "FIUTO_HOME": home},
            capture_output=True,
            text=True,
            check=True,
        )
    console = Console(record=True, width=110, file=io.StringIO())
    console.print(Text.from_ansi(f'$ fiuto "{QUESTION}" src -k 4\n{run.stdout}'))
    target = Path(__file__).with_name("search.svg")
    target.write_text(console.export_svg(title="fiuto"))


if __name__ == "__main__":
    main()
