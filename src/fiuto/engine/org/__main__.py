"""
One worker process: reads entries from standard input, a line of JSON each, and indexes them.

It ends with its input, so that nothing is left behind when whoever started it is killed.
``python -m fiuto.engine.org JOB``, JOB as :class:`fiuto.engine.org.worker.Job` in JSON.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict

from fiuto.engine.org.listing import Entry
from fiuto.engine.org.worker import Job, index_one

__all__ = ["main"]


def main() -> int:
    """Work until there is nothing more to read."""
    job = Job(**json.loads(sys.argv[1]))
    with suppress(KeyboardInterrupt):  # told by whoever started this process
        for line in sys.stdin:
            row = index_one(Entry(**json.loads(line)), job)
            sys.stdout.write(json.dumps(asdict(row)) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
