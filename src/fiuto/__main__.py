"""``python -m fiuto``."""

from __future__ import annotations

from fiuto.cli.main import main

if __name__ == "__main__":
    main()
