"""
What fiuto answers on a small corpus, as text that a review can read.

``results.txt`` holds the first five hits of each question, ``rank_stats.txt`` what
the whole ranking, each list alone and each part left out are worth.  A change to
ranking, chunking, labels, terms or the shipped model shows as a diff of these two
files; ``python -m tests.golden --update`` rewrites them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from fiuto.engine import OPTIONAL, Index, open_index
from fiuto.evaluation.files import source
from fiuto.evaluation.metrics import hit, mean, ndcg, reciprocal_rank
from fiuto.evaluation.targets import Question, load
from fiuto.model import Hit

__all__ = ["DATA", "FILES", "answers"]

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "golden"
FILES = ("results.txt", "rank_stats.txt")

_SHOWN = 5
_DEEPEST = 100


def answers(folder: Path) -> Mapping[str, str]:
    """
    File name -> content as it should be.

    Args:
        folder: an empty one for a copy of the corpus and its index: outside of the
            repository, whose ignore rules and attributes must not matter.
    """
    root = folder / "harbour"
    shutil.copytree(DATA / "corpus", root)
    # Nothing of this machine's settings may matter either.
    with open_index(
        root, embedder="static", chunker="syntax", profile="default", home=folder / "home"
    ) as index:
        index.refresh()
        found = load(DATA / "questions.toml", index.root, partial(source, index))
        return {
            "results.txt": "".join(_results(index, found.questions)),
            "rank_stats.txt": "\n".join(_stats(index, found.questions)) + "\n",
        }


def _results(index: Index, questions: tuple[Question, ...]) -> Iterator[str]:
    for question in questions:
        yield f"{question.text}\n"
        for hit_ in index.search(question.text, k=_SHOWN, refresh=False, verify=False):
            mark = "*" if _answers(question, hit_) else " "
            label = "" if hit_.label == "source" else f"  [{hit_.label}]"
            yield f"  {mark} {hit_.location}  {hit_.symbol}{label}".rstrip() + "\n"
        yield "\n"


def _stats(index: Index, questions: tuple[Question, ...]) -> Iterator[str]:
    variants: dict[str, tuple[str, tuple[str, ...]]] = {
        "fiuto": ("hybrid", ()),
        "lexical": ("lexical", ()),
        "semantic": ("semantic", ()),
        "bare RRF": ("hybrid", OPTIONAL),
        **{f"without {name}": ("hybrid", (name,)) for name in OPTIONAL},
    }
    width = max(map(len, variants))
    yield f"{'':{width}}  hit@1  hit@5  hit@10    MRR  nDCG@10"
    for name, (mode, without) in variants.items():
        ranks = [_rank(index, question, mode, without) for question in questions]
        shares = [mean([hit(rank, k) for rank in ranks]) for k in (1, 5, 10)]
        mrr = mean([reciprocal_rank(rank) for rank in ranks])
        gain = mean([ndcg([rank]) for rank in ranks])
        one, five, ten = shares
        yield f"{name:{width}}  {one:5.3f}  {five:5.3f}   {ten:5.3f}  {mrr:5.3f}    {gain:5.3f}"


def _rank(index: Index, question: Question, mode: str, without: tuple[str, ...]) -> int | None:
    hits = index.search(
        question.text, k=_DEEPEST, mode=mode, without=without, refresh=False, verify=False
    )
    return next((i for i, hit_ in enumerate(hits, start=1) if _answers(question, hit_)), None)


def _answers(question: Question, found: Hit) -> bool:
    return any(place.covered_by(found) for place in question.places)
