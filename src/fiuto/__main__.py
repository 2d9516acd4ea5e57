"""``python -m fiuto``."""

from __future__ import annotations

from fiuto.cli.start import main

if __name__ == "__main__":
    main()
