"""
Signals: what counts beside the places in the lists, each a named function.

A signal reads the pool and gives one value a candidate, mostly 0 to 1.  How much it
counts is one number for each kind of question, in :mod:`fiuto.search.weights`; what each
is worth stands in ``docs/ranking.md``.  ``without`` leaves one out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import log
from types import MappingProxyType

from fiuto.model import Label
from fiuto.search.pool import Column, Pool
from fiuto.search.reexports import passes_on
from fiuto.search.words import bare_stem, cover, defines, symbols_of

__all__ = ["SIGNALS", "Signal"]

Signal = Callable[[Pool], Column]


def bm25(pool: Pool) -> Column:
    """The BM25 score over text, symbol and path: places alone forget how far apart they are."""
    return pool.relative("lexical")


def file_lexical(pool: Pool) -> Column:
    """The file's three best chunks by BM25: one may be chance."""
    return pool.mean_of_best(pool.relative("lexical"))


def file_cosine(pool: Pool) -> Column:
    """The file's three best chunks by meaning."""
    return pool.mean_of_best(pool.cosine)


def file_best(pool: Pool) -> Column:
    """The file's nearest chunk by meaning."""
    return pool.best_of_file(pool.cosine)


def file_coverage(pool: Pool) -> Column:
    """How much stands in the best chunk of the file."""
    return pool.best_of_file(pool.coverage)


def file_name(pool: Pool) -> Column:
    """How much of the file's name the question says."""
    return pool.per_file(lambda path, _: pool.fit(pool.stems[path]))


def file_name_words(pool: Pool) -> Column:
    """How much of the question the file's name says."""
    return pool.per_file(lambda path, _: cover(pool.weights, pool.stems[path]))


def defined(pool: Pool) -> Column:
    """How much of a defined name the question says."""
    return pool.column(lambda c: pool.fit_of_names(c.chunk.symbol))


def _definition(pool: Pool) -> Column:
    """The one name that was asked for is defined here."""
    names = (pool.asked.name,) if pool.asked.name else ()
    if not names:
        return pool.nothing
    return pool.column(lambda c: float(defines(c.chunk.symbol, names)))


_TYPES = frozenset(
    "class struct interface trait enum type module object protocol impl record union".split()  # noqa: SIM905
)


def type_definition(pool: Pool) -> Column:
    """It is a type: who types a name that both a class and its constructor have means the class."""
    if not pool.asked.name:
        return pool.nothing
    types = pool.column(lambda c: float(c.chunk.kind in _TYPES))
    return [a * b for a, b in zip(_definition(pool), types, strict=True)]


def named(pool: Pool) -> Column:
    """A name that stands inside the question is defined here."""
    names = pool.asked.named
    if not names:
        return pool.nothing
    return pool.column(lambda c: float(defines(c.chunk.symbol, names)))


def passed_on(pool: Pool) -> Column:
    """A name that nothing here defines, in just this spelling, comes in from another package."""
    if not pool.asked.name:
        return pool.nothing
    (name,) = pool.asked.written
    end = re.compile(rf"(?:^|[.:#]){re.escape(name)}$")
    code = [stored.chunk for stored in pool.chunks if stored.chunk.kind != "section"]
    if any(end.search(one) for chunk in code for one in symbols_of(chunk.symbol)):
        return pool.nothing
    return pool.column(lambda c: float(passes_on(c.language, c.path, c.chunk.text, name)))


_TEST_AFFIX = re.compile(r"^test[-_]?|[-_.]?(tests?|specs?|testcase|suite)$", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def _tested_stem(path: str) -> str:
    return _TEST_AFFIX.sub("", bare_stem(path).casefold())


def tested(pool: Pool) -> Column:
    """Tests of this file answer: their names and sentences say in plain words what it does."""
    best: dict[str, float] = {}
    lexical = pool.relative("lexical")
    for i, stored in enumerate(pool.chunks):
        if stored.label == "test":
            stem = _tested_stem(stored.path)
            best[stem] = max(best.get(stem, 0.0), (pool.cosine[i] + lexical[i]) / 2)
    best.pop("", None)
    return [
        0.0 if stored.label == "test" else best.get(bare_stem(stored.path).casefold(), 0.0)
        for stored in pool.chunks
    ]


def card(pool: Pool) -> Column:
    """The file's name and the names it defines, near in meaning to the question."""
    return pool.per_file(lambda path, _: pool.cards.get(path, 0.0))


def size(pool: Pool) -> Column:
    """The logarithm of the file's size: what matters has much code."""
    return pool.column(lambda c: log(1 + c.size) / 10)


def depth(pool: Pool) -> Column:
    """Folders above the file: the heart of a project is seldom deep down."""
    return pool.per_file(lambda path, _: path.count("/") / 10)


def first(pool: Pool) -> Column:
    """The first lines of a file say what it is for."""
    return pool.column(lambda c: float(c.chunk.start <= 1))


def nameless(pool: Pool) -> Column:
    """Nothing is defined here."""
    return pool.column(lambda c: float(not c.chunk.symbol))


def short(pool: Pool) -> Column:
    """A few lines hold little of an answer."""
    return pool.column(lambda c: float(len(c.chunk.text) < 200))


def header(pool: Pool) -> Column:
    """Declarations without code: headers, stubs."""
    return pool.per_file(lambda path, _: float(path.endswith((".d.ts", ".pyi", ".h"))))


def quoted(pool: Pool) -> Column:
    """A piece of the quoted message stands here; what a program fills in is cut out."""
    pieces = [
        piece.strip().casefold()
        for piece in re.split(r"['\"`{}<>%]|\b\w*\d\w*\b|: ", pool.asked.quoted)
    ]
    wanted = max(pieces, key=len, default="")
    if len(wanted) < 8:
        return pool.nothing
    return pool.column(lambda c: float(wanted in c.chunk.text.casefold()))


def frame(pool: Pool) -> Column:
    """Lines that the text points at, the innermost frame first."""
    scores = pool.scores.get("frames", {})
    if not scores:
        return pool.nothing
    return pool.column(lambda c: scores.get(c.id, 0.0))


def wanted(pool: Pool) -> Column:
    """The question asks for this label: "tests for …", "example of …"."""
    if not pool.asked.wanted:
        return pool.nothing
    return pool.column(lambda c: float(c.label in pool.asked.wanted))


def _prior(label: Label) -> Signal:
    def signal(pool: Pool) -> Column:
        if label in pool.asked.wanted or label not in pool.labels:
            return pool.nothing
        return pool.column(lambda c: float(c.label == label))

    signal.__doc__ = f"Files labelled {label}: seldom what is meant, unless the question says so."
    return signal


SIGNALS: Mapping[str, Signal] = MappingProxyType(
    {
        signal.__name__: signal
        for signal in (
            bm25, file_lexical, file_cosine, file_best, file_coverage, file_name,
            file_name_words, defined, type_definition, named, passed_on, tested, card, size, depth,
            first, nameless, short, header, quoted, frame, wanted,
        )
    }
    | {
        label: _prior(label)
        for label in ("test", "docs", "example", "config", "generated", "vendored")
    }
)  # fmt: skip
"""By the name they have in a hit's parts."""
