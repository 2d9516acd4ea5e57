"""
From raw pairs to the set the model learns from.

``python -m training.clean`` drops what is no question a person would ask (licences, switched-off
code, parameter lists, other languages' prose, too short, too long), code that repeats other code
or any of the benchmark's, and sentences that say the same of everything; caps what one
repository, kind or language gives; holds whole repositories back for model selection; and writes
``train.jsonl.gz``, ``dev.jsonl.gz`` and ``statistics.json``. Rows gain ``unit``: equal where
several sentences describe one piece of code.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from training.checkouts import listed
from training.fitness import unfit
from training.neardup import NearDuplicates

__all__ = ["main"]

Row = dict[str, str]

_MOST_OF_A_KIND = {
    "doc": 6000, "detail": 2500, "inline": 3000, "name": 3000, "module": 800,
    "test": 2000, "test_body": 1500, "prose": 1200, "example": 800,
}  # fmt: skip
"""Rows one repository may give of each kind."""

_MOST_OF_A_REPOSITORY = 12_000
_MOST_OF_A_LANGUAGE = 130_000
_MOST_ALIKE = 3
"""How many pieces of code may share one sentence, and above which count it says nothing."""
_SAYS_NOTHING = 12

_WORD = re.compile(r"[A-Za-z][a-z']*")


def _read(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _plain(query: str) -> str:
    return " ".join(_WORD.findall(query.lower()))


def _benchmark(folder: Path | None) -> tuple[NearDuplicates, set[str]]:
    """The benchmark's own code and sentences, so that copies of them are seen."""
    seen = NearDuplicates()
    said: set[str] = set()
    for path in sorted(folder.glob("*.jsonl.gz")) if folder else []:
        for row in _read(path):
            if len(row["code"]) >= 200:
                seen.twin(row["code"])
            plain = _plain(row["query"])
            if len(plain.split()) >= 7:
                said.add(plain)
    return seen, said


def _distinct(
    rows: list[Row], seen: NearDuplicates, drops: Counter[str], first_own: int
) -> list[Row]:
    """
    Rows whose code no earlier place has; sentences about one definition stay together.

    ``first_own`` is the number of the first text in ``seen`` that is not the benchmark's.
    """
    kept: list[Row] = []
    verdicts: dict[str, str] = {}
    for row in rows:
        place = f"{row['repo']}\0{row['path']}\0{row['name']}"
        unit = place if row["name"] else f"{place}\0{row['code']}"
        if row["kind"] == "test_body":
            unit += row["query"]
        unit = hashlib.blake2b(unit.encode(), digest_size=8).hexdigest()
        verdict = verdicts.get(unit)
        if verdict is None:
            twin = seen.twin(row["code"])
            verdict = "" if twin is None else ("repeated" if twin >= first_own else "benchmark")
            verdicts[unit] = verdict
        if verdict:
            drops[verdict] += 1
        else:
            kept.append(row | {"unit": unit})
    return kept


def _capped(rows: list[Row], drops: Counter[str], order: random.Random) -> list[Row]:
    order.shuffle(rows)
    counts: Counter[str] = Counter()
    kept: list[Row] = []
    for row in rows:
        counts[row["kind"]] += 1
        if counts[row["kind"]] > _MOST_OF_A_KIND[row["kind"]]:
            drops["kind cap"] += 1
        elif len(kept) >= _MOST_OF_A_REPOSITORY:
            drops["repository cap"] += 1
        else:
            kept.append(row)
    return kept


def _held_back(seed: int, share: float) -> set[str]:
    """Repositories for model selection: of each language its share, at least one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for repository in listed():
        key = hashlib.sha256(f"{seed}:{repository.name}".encode()).hexdigest()
        groups[repository.language].append(f"{key} {repository.name}")
    chosen: set[str] = set()
    for names in groups.values():
        count = max(1, round(share * len(names)))
        chosen |= {name.partition(" ")[2] for name in sorted(names)[:count]}
    return chosen


def _gather(arguments: argparse.Namespace, drops: Counter[str]) -> list[Row]:
    """Every repository's fit, distinct and capped rows."""
    seen, said = _benchmark(arguments.benchmark)
    first_own = len(seen)
    gathered: list[Row] = []
    for repository in listed():
        path = arguments.raw / f"{repository.folder}.jsonl.gz"
        if not path.exists():
            raise SystemExit(f"{path} is missing: run python -m training.mine first")
        fit: list[Row] = []
        once: set[tuple[str, str]] = set()
        for row in _read(path):
            drops["raw"] += 1
            reason = unfit(row)
            if not reason and _plain(row["query"]) in said:
                reason = "benchmark"
            if not reason and (row["query"], row["code"]) in once:
                reason = "same row"
            once.add((row["query"], row["code"]))
            if reason:
                drops[reason] += 1
            else:
                fit.append(row)
        distinct = _distinct(fit, seen, drops, first_own)
        order = random.Random(f"{arguments.seed}:{repository.name}")
        gathered += _capped(distinct, drops, order)
    return gathered


def _telling(rows: list[Row], drops: Counter[str]) -> list[Row]:
    """Rows whose sentence is not said of everything."""
    units: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        units[_plain(row["query"])].add(row["unit"])
    taken: Counter[str] = Counter()
    kept = []
    for row in rows:
        plain = _plain(row["query"])
        taken[plain] += 1
        if len(units[plain]) > _SAYS_NOTHING:
            drops["says nothing"] += 1
        elif taken[plain] > _MOST_ALIKE:
            drops["same sentence"] += 1
        else:
            kept.append(row)
    return kept


def _by_language(rows: list[Row], drops: Counter[str], seed: int) -> list[Row]:
    random.Random(seed).shuffle(rows)
    counts: Counter[str] = Counter()
    kept = []
    for row in rows:
        counts[row["lang"]] += 1
        if counts[row["lang"]] > _MOST_OF_A_LANGUAGE:
            drops["language cap"] += 1
        else:
            kept.append(row)
    return kept


def _write(path: Path, rows: list[Row]) -> None:
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _table(rows: list[Row]) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        table[row["lang"]][row["kind"]] += 1
    return {lang: dict(sorted(kinds.items())) for lang, kinds in sorted(table.items())}


def main() -> None:
    """Clean the raw rows and write the training set, the held-back set and their statistics."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raw", type=Path, required=True, help="what training.mine wrote")
    parser.add_argument("--benchmark", type=Path, help="what training.mine --benchmark wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dev-share", type=float, default=0.05)
    arguments = parser.parse_args()
    started = time.monotonic()
    drops: Counter[str] = Counter()
    rows = _telling(_gather(arguments, drops), drops)
    rows = _by_language(rows, drops, arguments.seed)
    held = _held_back(arguments.seed, arguments.dev_share)
    train = [row for row in rows if row["repo"] not in held]
    dev = [row for row in rows if row["repo"] in held]
    arguments.out.mkdir(parents=True, exist_ok=True)
    _write(arguments.out / "train.jsonl.gz", train)
    _write(arguments.out / "dev.jsonl.gz", dev)
    statistics = {
        "seed": arguments.seed,
        "repositories": len({row["repo"] for row in rows}),
        "raw": drops.pop("raw"),
        "train": len(train),
        "dev": len(dev),
        "units": len({row["unit"] for row in rows}),
        "dropped": dict(drops.most_common()),
        "kinds": dict(Counter(row["kind"] for row in rows).most_common()),
        "languages": _table(rows),
        "dev_repositories": sorted(held),
        "rows_of_repository": dict(sorted(Counter(row["repo"] for row in rows).items())),
        "seconds": round(time.monotonic() - started),
    }
    text = json.dumps(statistics, indent=1, ensure_ascii=False)
    (arguments.out / "statistics.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
