"""
Pairs of a sentence and the code it describes, from one repository at a time.

``python -m training.mine`` writes one compressed JSONL file per repository and skips those
already written, so it can be stopped at any moment. Rows:
``{"repo", "lang", "path", "kind", "query", "code", "name"}``, where ``kind`` is

- ``doc``, ``detail``: a doc comment's first sentences, and those after them;
- ``inline``: a remark inside a function, with the code around it;
- ``name``: the words of a name, with the name masked in the code;
- ``module``: a file's own comment, with the code that follows it;
- ``test``: a test's title, with the function it exercises; ``test_body``: with the test;
- ``prose``: a paragraph of documentation, with the definition it names;
- ``example``: a paragraph, with the block of code that follows it.

In every row the sentence itself is taken out of the code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.checkouts import Repository, add_source_options, chosen, read_blobs
from training.facts import Definition, FileFacts, read_file
from training.prose import Known, prose_rows
from training.sentences import is_prose_line, name_words, sentences
from training.titles import Titled, cut

from training import paths

__all__ = ["mine", "rows_of"]

Row = dict[str, str]

_MOST_BYTES = 5_000_000
_MOST_FILES = 1_200
_MOST_ROWS = 16_000
"""One repository is read up to these limits, files taken in an order drawn from the seed."""

_IN_WORD = re.compile(r"\w")
_WORDS = re.compile(r"[A-Za-z_]\w*[?!]?")
_IMPORT = re.compile(
    r"\s*((import|from|use|using|#\s*include|#\s*pragma|require|package|module|namespace|alias|"
    r"export \*|local \w+ = require|const \w+ = require|extern crate)\b|"
    r"\w*\s*\"[\w./-]+\"\s*$|[\"']use strict)"
)
_TEST_MARK = re.compile(
    r"@\w*Test\b|\[(Fact|Test|Theory|TestMethod|TestCase)|#\[(\w+::)*test\]|@Test"
)
_TEST_NAME = re.compile(r"^(test|should|it|can|when|given)(?=[A-Z_])_?|^Test(?=[A-Z_])_?|Test$")
_FEW_TEXT = """
test tests should when with from that does returns return given then the and for not new get set add
run make can has have this into works work value values name data
"""
_FEW_WORDS = frozenset(_FEW_TEXT.split())


def rows_of(facts: FileFacts) -> Iterator[Row]:
    """The pairs that need nothing but the file itself."""
    testing = paths.is_test(facts.path)
    for definition in facts.definitions:
        if len(definition.code) < 60 or definition.code.count("\n") < 1:
            continue
        yield from _doc_rows(definition)
        if not testing and not _is_marked_test(facts, definition):
            yield from _inline_rows(facts, definition)
            yield from _name_rows(definition)
    if facts.top is not None and not testing:
        yield from _module_rows(facts)
    for test in _tests(facts):
        if len(test.code) >= 60:
            yield {"kind": "test_body", "query": test.title, "code": test.code, "name": ""}


def _qualified(definition: Definition) -> str:
    return f"{definition.owner}.{definition.name}" if definition.owner else definition.name


def _doc_rows(definition: Definition) -> Iterator[Row]:
    said = sentences(definition.doc) if definition.doc else []
    head, rest = _opening(said)
    for kind, query in (("doc", head), ("detail", rest)):
        if query:
            name = _qualified(definition)
            yield {"kind": kind, "query": query, "code": definition.code, "name": name}


def _opening(said: list[str]) -> tuple[str, str]:
    """The first sentence, or two when it is short; and what follows, up to 300 characters."""
    if not said:
        return "", ""
    taken = 1
    if len(said) > 1 and len(said[0].split()) < 8:
        taken = 2
    rest = ""
    for sentence in said[taken:]:
        if rest and len(rest) + len(sentence) > 300:
            break
        rest = f"{rest} {sentence}".strip()
    return " ".join(said[:taken]), rest if len(rest.split()) >= 6 else ""


def _inline_rows(facts: FileFacts, definition: Definition) -> Iterator[Row]:
    """At most three remarks of a function, longest first."""
    told = []
    for run in definition.remarks:
        text = " ".join(sentences(run.text)[:3])
        if len(text.split()) >= 5 and is_prose_line(text):
            told.append((len(text), -run.first, text, run))
    for *_, text, run in sorted(told, reverse=True)[:3]:
        lines = facts.lines
        if len(definition.code) < 1500:
            kept = lines[definition.first : run.first] + lines[run.last + 1 : definition.last + 1]
        else:
            head = _head(facts, definition)
            start = max(run.first - 6, head + 1)
            kept = lines[definition.first : head + 1] + lines[start : run.first]
            kept += lines[run.last + 1 : min(run.last + 28, definition.last + 1)]
        code = cut(kept)
        if len(code) >= 60:
            yield {"kind": "inline", "query": text, "code": code, "name": _qualified(definition)}


def _head(facts: FileFacts, definition: Definition) -> int:
    """The row of a definition's name, below its decorators."""
    for row in range(definition.first, min(definition.first + 8, definition.last)):
        if definition.name in facts.lines[row]:
            return row
    return definition.first


def _masked(code: str, name: str) -> str:
    """The code with ``_`` for each whole word that is the name."""
    parts = code.split(name)
    made = parts[0]
    for part in parts[1:]:
        whole = not (_IN_WORD.match(made[-1:]) or _IN_WORD.match(part[:1]))
        made += ("_" if whole else name) + part
    return made


def _name_rows(definition: Definition) -> Iterator[Row]:
    words = name_words(definition.name)
    if len(words) < 3 and definition.owner and not definition.is_type:
        words = name_words(definition.owner) + words
    if not 2 <= len(set(words)) <= 9 or definition.code.count("\n") < 3:
        return
    masked = _masked(definition.code, definition.name)
    if len(masked) >= 100:
        query = " ".join(words)
        yield {"kind": "name", "query": query, "code": masked, "name": _qualified(definition)}


def _module_rows(facts: FileFacts) -> Iterator[Row]:
    if facts.top is None:
        return
    head, rest = _opening(sentences(facts.top.text))
    kept = facts.lines[facts.top.last + 1 :]
    code = cut([line for line in kept if not _IMPORT.match(line)])
    for query in (head, rest):
        if len(query.split()) >= 4 and len(code) >= 150 and is_prose_line(query):
            yield {"kind": "module", "query": query, "code": code, "name": ""}


def _is_marked_test(facts: FileFacts, definition: Definition) -> bool:
    """Whether an attribute or annotation makes a function a test, as Rust has them beside code."""
    head = facts.lines[max(definition.first - 2, 0) : definition.first + 2]
    return _TEST_MARK.search("\n".join(head)) is not None


def _tests(facts: FileFacts) -> Iterator[Titled]:
    """Tests titled by a sentence or by a long name."""
    for test in facts.tests:
        title = test.title if " " in test.title else " ".join(name_words(test.title))
        yield Titled(title, test.code, test.first)
    for definition in facts.definitions:
        if definition.is_type:
            continue
        attributed = _is_marked_test(facts, definition)
        named = definition.name.startswith(("test", "Test"))
        placed = paths.is_test(facts.path) and _TEST_NAME.search(definition.name)
        if not (attributed or named or placed):
            continue
        bare = _TEST_NAME.sub("", definition.name)
        words = bare.split() if " " in bare else name_words(bare)
        if len(words) >= 3:
            code = definition.code.replace(definition.name, "_")
            yield Titled(" ".join(words), code, definition.first)


def _test_rows(facts: FileFacts, known: Known) -> Iterator[Row]:
    """A test's title with the one function, outside the tests, that it most likely exercises."""
    stem = set(name_words(Path(facts.path).stem)) - _FEW_WORDS
    for test in _tests(facts):
        told = set(name_words(test.title)) - _FEW_WORDS
        best: tuple[int, str] | None = None
        for word in sorted(set(_WORDS.findall(test.code))):
            place = known.one(word)
            parts = set(name_words(word)) - _FEW_WORDS
            if place is None or not parts & told or len(told) < 2 or told == parts:
                continue
            near = bool(stem & set(name_words(Path(place.path).stem)))
            shared = len(parts & told)
            sure = shared >= 2 or (shared == len(parts) and near and len(word) >= 4)
            score = 2 * shared + near
            if sure and (best is None or score > best[0]):
                best = (score, word)
        place = known.one(best[1]) if best is not None else None
        if place is not None:
            yield place.row("test", test.title)


def mine(repository: Repository, mirror: Path, seed: int) -> Iterator[Row]:
    """Every pair of one repository, in an order fixed by the seed."""
    code: list[FileFacts] = []
    prose: list[tuple[str, str]] = []
    known = Known()
    size = 0
    order = random.Random(f"{seed}:{repository.name}")
    for path, text in read_blobs(repository, mirror, order):
        if paths.is_prose(path):
            prose.append((path, text))
            continue
        if size > _MOST_BYTES or len(code) >= _MOST_FILES:
            continue
        language = paths.language_in(path, text)
        if not language:
            continue
        size += len(text)
        facts = read_file(path, language, text)
        code.append(facts)
        if not paths.is_test(path):
            known.add(facts)
    known.settle()
    for facts in code:
        for row in (*rows_of(facts), *_test_rows(facts, known)):
            yield {"repo": repository.name, "lang": facts.language, "path": facts.path} | row
    for path, text in prose:
        for row in prose_rows(path, text, known):
            yield {"repo": repository.name} | row


def _write(rows: Iterable[Row], target: Path) -> int:
    partial = target.with_suffix(".partial")
    count = 0
    with gzip.open(partial, "wt", encoding="utf-8", compresslevel=5) as file:
        for row in rows:
            if not len(row["query"].split()) >= 2 or len(row["query"]) > 600:
                continue
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
            if count >= _MOST_ROWS:
                break
    partial.rename(target)
    return count


def main() -> None:
    """Mine every repository of the list that has no output file yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_source_options(parser)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for repository in chosen(arguments):
        target = arguments.out / f"{repository.folder}.jsonl.gz"
        if target.exists():
            continue
        started = time.monotonic()
        count = _write(mine(repository, arguments.mirror, arguments.seed), target)
        print(f"{repository.name}\t{count}\t{time.monotonic() - started:.1f}s", flush=True)


if __name__ == "__main__":
    main()
