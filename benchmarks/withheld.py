"""
What is withheld as a secret in real repositories, beside what another rule set says.

``python -m benchmarks.withheld --out JSON FOLDER…`` reads the files of each checkout as an
index would, and lists what fiuto withholds, with the reason and never the value.  Where
``detect-secrets`` is installed, its detectors of tokens with a fixed shape and of private
keys are run over the same files: what only they find is listed as well.  Whether a file
holds a secret is judged by a person; ``--judged JSON`` takes path -> verdict.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

from fiuto.model import Skipped
from fiuto.scan import FileScanner, ScanRules

_SHAPED = (
    "AWSKeyDetector", "AzureStorageKeyDetector", "DiscordBotTokenDetector", "GitHubTokenDetector",
    "GitLabTokenDetector", "MailchimpDetector", "NpmDetector", "OpenAIDetector",
    "PrivateKeyDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector",
    "SquareOAuthDetector", "StripeDetector", "TelegramBotTokenDetector", "TwilioKeyDetector",
)  # fmt: skip
"""Its detectors by entropy or by keyword are left out: they report lines for a person to
judge, and would withhold a fifth of all files."""


def other_rules() -> list[Any]:
    """The detectors of detect-secrets, or none where it is not installed."""
    if importlib.util.find_spec("detect_secrets") is None:
        return []
    from detect_secrets.core.plugins.util import (  # noqa: PLC0415 - not always there
        get_mapping_from_secret_type_to_class,
    )

    classes = get_mapping_from_secret_type_to_class().values()
    return [made() for made in classes if made.__name__ in _SHAPED]


def look(root: Path, others: list[Any]) -> dict[str, Any]:
    """One checkout: files read, files withheld, and what only the other rules find."""
    scanner = FileScanner(root, ScanRules())
    open_ = FileScanner(root, ScanRules(withhold_secrets=False))
    withheld: dict[str, str] = {}
    read = 0
    for entry in scanner.walk():
        source = entry if isinstance(entry, Skipped) else scanner.read(entry)
        read += not isinstance(source, Skipped)
        if isinstance(source, Skipped) and source.reason == "secret":
            withheld[source.path] = source.detail
    theirs: dict[str, str] = {}
    for entry in open_.walk() if others else ():
        source = entry if isinstance(entry, Skipped) else open_.read(entry)
        if isinstance(source, Skipped):
            continue
        kinds = {
            detector.secret_type
            for detector in others
            if any(pattern.search(source.text) for pattern in detector.denylist)
        }
        if kinds:
            theirs[source.path] = ", ".join(sorted(kinds))
    return {"read": read, "withheld": withheld, "theirs": theirs}


def main() -> None:
    """Look at every checkout and print the lists as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--judged", type=Path, help="JSON: repository/path -> what it is")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    judged = json.loads(arguments.judged.read_text()) if arguments.judged else {}
    others = other_rules()
    files, withheld, only_they = 0, {}, {}
    for folder in arguments.folders:
        seen = look(folder, others)
        files += seen["read"] + len(seen["withheld"])
        withheld |= {f"{folder.name}/{path}": what for path, what in seen["withheld"].items()}
        only_they |= {
            f"{folder.name}/{path}": what
            for path, what in seen["theirs"].items()
            if path not in seen["withheld"]
        }
    report = {
        "command": "python -m benchmarks.withheld FOLDER…",
        "repositories": len(arguments.folders),
        "files": files,
        "withheld": len(withheld),
        "by reason": dict(Counter(withheld.values()).most_common()),
        "verdicts": dict(Counter(judged.get(path, "not judged") for path in withheld)),
        "which": {path: [what, judged.get(path, "not judged")] for path, what in withheld.items()},
        "detectors beside": len(others),
        "only they find": {path: [what, judged.get(path, "not judged")]
                           for path, what in only_they.items()},
    }  # fmt: skip
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
