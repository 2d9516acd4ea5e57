"""Cleaning: what is dropped, and that nothing of the benchmark or of the held-back part leaks."""

import gzip
import json
import sys

import pytest
from training.checkouts import Repository
from training.fitness import unfit
from training.neardup import NearDuplicates

from training import clean

BODY = "def count(house):\n" + "".join(f"    part_{n} = house.door_{n}()\n" for n in range(20))


def row(query, code=BODY, kind="doc", **more):
    """A raw row of a small repository."""
    made = {"repo": "me/a", "lang": "python", "path": "a.py", "kind": kind, "name": "count"}
    return made | {"query": query, "code": code} | more


@pytest.mark.parametrize(
    ("query", "kind", "reason"),
    [
        ("Counts the open doors.", "doc", ""),
        ("one two", "doc", "short"),
        ("Copyright 2020 by the door makers", "doc", "legal"),
        ("TODO: count the windows as well", "doc", "chore"),
        ("x = call(house, door) + another(y);", "inline", "code"),
        ("统计所有打开的门并返回数量", "doc", "short"),
        ("compte toutes les portes ouvertes dans chaque maison du village", "doc", "foreign"),
        ("word " * 80, "doc", "long"),
        ("see licensing report check", "name", ""),
    ],
)
def test_reasons_to_drop(query, kind, reason):
    """Each unfit query is dropped for the reason it is unfit."""
    assert unfit(row(query, kind=kind)) == reason


def test_near_duplicates_are_found_and_others_kept():
    """One changed line leaves a twin; another body is none."""
    seen = NearDuplicates()
    assert seen.twin(BODY) is None
    assert seen.twin(BODY.replace("part_3 ", "other ")) == 0
    assert seen.twin("\n".join(f"lamp_{n} = light(n + {n})" for n in range(20))) is None
    assert len(seen) == 2


def write(path, rows):
    """A raw file as training.mine writes it."""
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(item) + "\n" for item in rows)


def body(word):
    """Code that resembles no other word's."""
    return f"def {word}(x):\n" + "".join(f"    {word}_{n} = x.{word}({n})\n" for n in range(20))


def test_a_run_splits_by_repository_and_drops_what_the_benchmark_has(tmp_path, monkeypatch):
    """Benchmark code and repeated code go, sentences of one definition share a unit."""
    repositories = [Repository(f"me/{name}", "python", "0" * 40, "MIT") for name in "ab"]
    monkeypatch.setattr(clean, "listed", lambda: repositories)
    lamp = {"code": body("lamp"), "name": "lamp"}
    write(
        tmp_path / "raw" / "me+a.jsonl.gz",
        [
            row("Lights the lamp of the porch.", **lamp),
            row("It burns until dawn and needs little oil.", kind="detail", **lamp),
            row("Counts the open doors of a house.", name="stolen"),
        ],
    )
    write(
        tmp_path / "raw" / "me+b.jsonl.gz",
        [
            row("Another lamp, copied from elsewhere.", repo="me/b", **lamp),
            row("Rings the bell at noon.", repo="me/b", code=body("bell"), name="bell"),
        ],
    )
    write(tmp_path / "benchmark" / "x.jsonl.gz", [row("Counts doors.", BODY)])
    arguments = ["--raw", "raw", "--benchmark", "benchmark", "--out", "out", "--dev-share", "0.5"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["clean", *arguments])
    clean.main()
    found = {}
    for part in ("train", "dev"):
        with gzip.open(tmp_path / "out" / f"{part}.jsonl.gz", "rt") as file:
            found[part] = [json.loads(line) for line in file]
    rows = found["train"] + found["dev"]
    assert sorted(item["name"] for item in rows) == ["bell", "lamp", "lamp"]
    assert len({item["unit"] for item in rows if item["name"] == "lamp"}) == 1
    assert not {r["repo"] for r in found["train"]} & {r["repo"] for r in found["dev"]}
    figures = json.loads((tmp_path / "out" / "statistics.json").read_text())
    assert figures["dropped"] == {"benchmark": 1, "repeated": 1}
    assert (figures["raw"], figures["train"] + figures["dev"]) == (5, 3)
