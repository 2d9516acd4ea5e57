"""``python -m tests.golden``: show what changed in the ranking; ``--update`` accepts it."""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from pathlib import Path

from tests.golden.golden_guard import HERE, answers


def main() -> int:
    """Exit code 1 where the ranking changed and nobody accepted it."""
    options = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    options.add_argument("--update", action="store_true", help="rewrite the golden files")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = answers(Path(folder).resolve())
    changes: list[str] = []
    for name, now in found.items():
        path = HERE / name
        before = path.read_text("utf-8") if path.exists() else ""
        changes += difflib.unified_diff(
            before.splitlines(), now.splitlines(), f"before/{name}", f"now/{name}", lineterm=""
        )
        if given.update:
            path.write_text(now, "utf-8")
    sys.stdout.writelines(f"{line}\n" for line in changes)
    return int(bool(changes) and not given.update)


if __name__ == "__main__":
    sys.exit(main())
