"""
How much a coding agent must read before it has seen the line that answers.

``python -m benchmarks.agent_tokens /path/to/requests`` asks the twelve questions of
``benchmarks/article/questions.json`` in three ways and counts what comes back, at four
characters a token:

fiuto
    Through ``fiuto mcp``, with the SDK's client: ``folder_search``, then ``read_lines`` of
    each hit in order, whole, until the target's line was among what was shown.  After
    eight hits once more with 24.
grep, then files
    One search for each content word of the question (``grep -rilF``, files listed with
    their counts), then whole files, those with most of the words first; where the question
    is one name, a search for its definition.  The careful agent of ``fiuto eval``.
grep in hindsight
    The cheapest of the above and of all searches for a single content word (``grep -rinF``,
    lines shown, then whole files by their number of lines), chosen by who knows the answer.

What an agent writes, and the descriptions of its tools, are not counted.  Line numbers,
which most agents' tools for reading files add, are counted for fiuto only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from mcp.client.stdio import stdio_client

import fiuto
import mcp
from fiuto.evaluation.definitions import definition_lines
from fiuto.evaluation.files import sources
from fiuto.evaluation.grep import Grep, content_words

QUESTIONS = Path(__file__).parent / "article" / "questions.json"
FEW, MANY = 8, 24


@dataclass(frozen=True)
class Target:
    """The line that answers, 1-based."""

    path: str
    line: int


@dataclass(frozen=True)
class Spent:
    """What was read until the line was seen, in characters; ``found`` False where it never was."""

    characters: int
    calls: int
    found: bool

    @property
    def tokens(self) -> int:
        """Four characters each, rounded up."""
        return -(-self.characters // 4)


def careful(question: str, target: Target, texts: Mapping[str, str]) -> Spent:
    """The grep of somebody who knows how to search, then whole files."""
    words = content_words(question)
    if question.isidentifier():
        return by_definition(question, target, texts)
    listed = Grep(texts.items()).files(words, texts)
    searches = [Grep(texts.items()).files([word], texts) for word in words]
    output = sum(len(f"{hit.path}:{hit.lines}\n") for found in searches for hit in found)
    return then_files([hit.path for hit in listed], target, texts, output, len(words))


def by_definition(name: str, target: Target, texts: Mapping[str, str]) -> Spent:
    """The lines that define ``name``; the target's is seen where it is among them."""
    lines = {
        path: [line for line in definition_lines(text, name) if _defines(text, line)]
        for path, text in texts.items()
        if name in text
    }
    return shown(lines, target, texts)


def by_word(word: str, target: Target, texts: Mapping[str, str]) -> Spent:
    """Every line with ``word``, then whole files, those with most lines first."""
    lines = {
        path: [n for n, line in enumerate(text.split("\n"), 1) if word in line.lower()]
        for path, text in texts.items()
    }
    return shown(lines, target, texts)


def shown(lines: Mapping[str, Sequence[int]], target: Target, texts: Mapping[str, str]) -> Spent:
    """What a search costs that prints ``lines``, and the files after it where it must be."""
    output = sum(
        len(f"{path}:{n}:{texts[path].split(chr(10))[n - 1]}\n")
        for path, numbers in lines.items()
        for n in numbers
    )
    if target.line in lines.get(target.path, ()):
        return Spent(output, 1, found=True)
    order = sorted((path for path in lines if lines[path]), key=lambda p: (-len(lines[p]), p))
    return then_files(order, target, texts, output, 1)


def then_files(
    order: Iterable[str], target: Target, texts: Mapping[str, str], output: int, calls: int
) -> Spent:
    """Whole files in this order, until the target's."""
    for path in order:
        output += len(texts[path])
        calls += 1
        if path == target.path:
            return Spent(output, calls, found=True)
    return Spent(output, calls, found=False)


def hindsight(question: str, target: Target, texts: Mapping[str, str]) -> Spent:
    """The cheapest search that leads there, for who knows which that is."""
    words = [question.lower()] if question.isidentifier() else content_words(question)
    ways = [careful(question, target, texts), *(by_word(w, target, texts) for w in words)]
    return min((way for way in ways if way.found), key=lambda way: way.characters, default=ways[0])


async def through_mcp(client: Any, question: str, target: Target) -> Spent:
    """Search, then read the hits one after the other."""
    characters = calls = 0
    read: set[str] = set()
    for k in (FEW, MANY):
        found = await client.call_tool("folder_search", {"question": question, "k": k})
        calls += 1
        text = found.content[0].text
        characters += len(text)
        hits = found.structured_content["hits"]
        if seen(text, target):
            return Spent(characters, calls, found=True)
        for hit in hits:
            place = f"{hit['path']}:{hit['start']}-{hit['end']}"
            if place in read:
                continue
            read.add(place)
            lines = {"file": hit["path"], "start": hit["start"], "end": hit["end"]}
            whole = await client.call_tool("read_lines", lines)
            calls += 1
            characters += len(whole.content[0].text)
            if hit["path"] == target.path and hit["start"] <= target.line <= hit["end"]:
                return Spent(characters, calls, found=True)
    return Spent(characters, calls, found=False)


def seen(text: str, target: Target) -> bool:
    """Whether the excerpts of an answer show the target's line."""
    inside = False
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            inside = line.startswith(f"{target.path}:")
        elif inside and line.split()[:1] == [str(target.line)]:
            return True
    return False


def _defines(text: str, line: int) -> bool:
    return text.split("\n")[line - 1].lstrip().startswith(("def ", "class ", "async def "))


async def ask_all(root: Path, asked: Sequence[tuple[str, Target]]) -> list[Spent]:
    """Each question through one server."""
    spec = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "fiuto", "mcp", str(root)],
        env=dict(os.environ),  # noqa: TID251 - the child needs it all
    )
    async with mcp.Client(stdio_client(spec)) as client:
        return [await through_mcp(client, question, target) for question, target in asked]


def table(rows: Sequence[tuple[str, Spent, Spent, Spent]]) -> str:
    """As Markdown."""
    lines = ["| question | fiuto | grep, then files | grep in hindsight |", "|---|--:|--:|--:|"]
    for question, *spent in rows:
        cells = [f"{one.tokens:,}" if one.found else f"not in {one.tokens:,}" for one in spent]
        lines.append(f"| {question} | {' | '.join(cells)} |")
    # Who has not found it goes on with grep.
    whole = [
        [one.tokens + (0 if one.found else row[1].tokens) for one in row]
        for row in (row[1:] for row in rows)
    ]
    for name, of in (("median", _median), ("all together", sum)):
        cells = [f"{of([row[n] for row in whole]):,.0f}" for n in range(3)]
        lines.append(f"| *{name}, with grep where fiuto fails* | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _median(values: Sequence[int]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return (ordered[middle] + ordered[~middle]) / 2


def main() -> None:
    """Ask, and write the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path, help="a checkout of requests at the pinned revision")
    parser.add_argument("--output", type=Path, metavar="DIR", help="write agent_tokens.md/.json")
    arguments = parser.parse_args()
    asked = [
        (one["question"], Target(one["target"]["path"], one["target"]["line"]))
        for one in json.loads(QUESTIONS.read_text())["questions"]
    ]
    with fiuto.open(arguments.root) as index:
        index.refresh()
        texts = {file.path: file.text for file in sources(index)}
    found = anyio.run(ask_all, arguments.root, asked)
    rows = [
        (question, mine, careful(question, target, texts), hindsight(question, target, texts))
        for (question, target), mine in zip(asked, found, strict=True)
    ]
    print(table(rows))
    if arguments.output:
        names = ("fiuto", "grep, then files", "grep in hindsight")
        data = {
            "command": f"python -m benchmarks.agent_tokens {arguments.root.name}",
            "tokens": "characters / 4",
            "questions": [
                {"question": question}
                | {
                    name: {"tokens": one.tokens, "calls": one.calls, "found": one.found}
                    for name, one in zip(names, spent, strict=True)
                }
                for question, *spent in rows
            ],
        }
        (arguments.output / "agent_tokens.json").write_text(json.dumps(data, indent=1) + "\n")
        (arguments.output / "agent_tokens.md").write_text(table(rows))


if __name__ == "__main__":
    main()
