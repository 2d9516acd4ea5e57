"""
The keyword side on disk: two tantivy indexes, one document a chunk, one a file.

Two, because BM25 statistics must not mix the units: document counts and mean
lengths of chunks and of whole files are different things.  Texts arrive as terms
(:mod:`fiuto.terms`) joined by blanks, so tantivy only counts.

Each commit carries a marker document with the generation it stands for; a reader
compares it with the database's and so never mixes two generations.  Constants of
BM25 are tantivy's: k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fiuto.errors import IndexCorrupt
from fiuto.model import Scored, TermQuery
from fiuto.store.where import Selection
from fiuto.values import dataclass

if TYPE_CHECKING:
    import tantivy

__all__ = [
    "Document",
    "Postings",
    "PostingsWriter",
    "open_postings",
    "read_postings",
    "refusals",
    "snapshot",
]

_HEAP = 64_000_000
"""Bytes a writer may hold before it starts another segment; tantivy's least is 15 MB."""

_MOST_TERMS = 128
"""Distinct terms of a question that are looked up, the rarest first: a pasted log of
100 KB must not cost seconds, and its commonest words say least."""

_SYSTEM = re.compile(r"\(os error (\d+)\)")
"""How Rust writes the system's number for an error."""

_FIELDS = ("body", "symbol", "path")


@dataclass(frozen=True, slots=True)
class Document:
    """What the keyword side keeps of a chunk or a file; texts are terms joined by blanks."""

    id: int
    file: int
    body: str
    symbol: str
    path: str


def _schema() -> tantivy.Schema:
    import tantivy  # noqa: PLC0415 - `fiuto --help` needs no engine

    builder = tantivy.SchemaBuilder()
    for name in _FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ("id", "file", "marker"):
        builder.add_unsigned_field(name, indexed=True, fast=True)
    return builder.build()


class Postings:
    """One committed state of one tantivy index, for reading."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = schema

    def generation(self) -> int:
        """The generation this state stands for, -1 where nothing says so."""
        import tantivy  # noqa: PLC0415

        query = tantivy.Query.exists_query("marker")
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return -1
        values = self._searcher.fast_field_values("marker", [hits[0][1]])
        return int(values[0]) if values[0] is not None else -1

    def match(self, query: TermQuery, selection: Selection, limit: int) -> list[Scored]:
        """The best ``limit`` documents by BM25 as (id, score), best first, ties by id."""
        total = self._searcher.num_docs
        if selection.nothing or not query.terms or limit < 1 or not total:
            return []
        question = self._question(query)
        ask = limit
        while True:
            hits = self._searcher.search(question, min(ask, total), count=False).hits
            where = [address for _, address in hits]
            ids = self._searcher.fast_field_values("id", where)
            files = self._searcher.fast_field_values("file", where)
            found = [
                Scored(int(id_), score)
                for (score, _), id_, file in zip(hits, ids, files, strict=True)
                if id_ is not None and file is not None and int(file) in selection
            ]
            # A filter is applied afterwards, so a narrow one asks again for more.
            if len(found) >= limit or len(hits) < ask or ask >= total:
                return sorted(found, key=lambda s: (-s.score, s.id))[:limit]
            ask *= 8

    def _question(self, query: TermQuery) -> tantivy.Query:
        import tantivy  # noqa: PLC0415

        counts = Counter(query.terms)
        chosen = list(counts)
        if len(chosen) > _MOST_TERMS:
            chosen.sort(key=lambda t: (self._searcher.doc_freq("body", t) or 1 << 40, t))
            del chosen[_MOST_TERMS:]
        clauses = []
        for name in _FIELDS:
            weight = getattr(query, name)
            for term in chosen if weight else ():
                leaf = tantivy.Query.term_query(self._schema, name, term, "freq")
                boosted = tantivy.Query.boost_query(leaf, weight * counts[term])
                clauses.append((tantivy.Occur.Should, boosted))
        return tantivy.Query.boolean_query(clauses)


class PostingsWriter:
    """Adds to and removes from one tantivy index; nothing shows before ``commit``."""

    def __init__(self, index: tantivy.Index) -> None:
        self._schema = index.schema
        self._writer = index.writer(_HEAP, 1)
        # A writer killed between a file and its commit leaves a name this one would choose again.
        self._writer.garbage_collect_files()

    def clear(self) -> None:
        """Remove every document."""
        self._writer.delete_all_documents()

    def remove(self, files: Sequence[int]) -> None:
        """Remove every document of ``files``."""
        import tantivy  # noqa: PLC0415

        # By query: deleting by term takes a Python int for a signed one and finds nothing.
        if files:
            query = tantivy.Query.term_set_query(self._schema, "file", files)
            self._writer.delete_documents_by_query(query)

    def add(self, documents: Iterable[Document]) -> None:
        """Add documents; none of their ids may be there already."""
        import tantivy  # noqa: PLC0415

        for document in documents:
            entry = tantivy.Document()
            entry.add_unsigned("id", document.id)
            entry.add_unsigned("file", document.file)
            for name in _FIELDS:
                entry.add_text(name, getattr(document, name))
            self._writer.add_document(entry)

    def commit(self, generation: int) -> None:
        """Make the changes visible together, marked as ``generation``, and wait for merges."""
        import tantivy  # noqa: PLC0415

        self._writer.delete_documents_by_query(tantivy.Query.exists_query("marker"))
        marker = tantivy.Document()
        marker.add_unsigned("marker", generation)
        self._writer.add_document(marker)
        self._writer.commit()
        self._writer.wait_merging_threads()


def open_postings(folder: Path, *, create: bool = False) -> tantivy.Index:
    """
    Open (or make) the index in ``folder``.

    Raises:
        IndexCorrupt: it is not there, or its files cannot be opened.
    """
    import tantivy  # noqa: PLC0415

    if create:
        folder.mkdir(parents=True, exist_ok=True)
        return tantivy.Index(_schema(), path=str(folder))
    try:
        return tantivy.Index.open(str(folder))
    except (ValueError, OSError) as error:
        raise IndexCorrupt(f"the keyword index in {folder} cannot be opened ({error})") from error


def snapshot(index: tantivy.Index) -> Postings:
    """
    The newest committed state of ``index``.

    Raises:
        IndexCorrupt: its files cannot be read.
    """
    try:
        index.reload()
        return Postings(index.searcher(), index.schema)
    except (ValueError, OSError) as error:
        raise IndexCorrupt(f"the keyword index cannot be read ({error})") from error


def read_postings(folder: Path) -> Postings:
    """
    The newest committed state of the index in ``folder``, which need not be writable.

    Raises:
        IndexCorrupt: it is not there, or its files cannot be read.
    """
    if os.access(folder, os.W_OK) or not folder.is_dir():
        with suppress(IndexCorrupt):
            return snapshot(open_postings(folder))
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - 6 ms, seldom needed

    # tantivy locks even to read, in a file beside the others: give it a place for that.
    # Its maps of the files outlive the names by which it opened them.
    try:
        with TemporaryDirectory(prefix="fiuto-") as place:
            for file in folder.iterdir():
                if not file.name.endswith(".lock"):
                    Path(place, file.name).symlink_to(file.absolute())
            return snapshot(open_postings(Path(place)))
    except OSError as error:
        raise IndexCorrupt(f"the keyword index in {folder} cannot be read ({error})") from error


@contextmanager
def refusals(folder: Path) -> Iterator[None]:
    """Turn what tantivy says where the system refuses into the system's own error."""
    try:
        yield
    except ValueError as error:
        found = _SYSTEM.search(str(error))
        number = int(found[1]) if found else 0
        if "LockBusy" in str(error):  # nobody else writes here: the lock could not be made
            import shutil  # noqa: PLC0415 - 3 ms, seldom needed

            number = errno.EACCES if shutil.disk_usage(folder).free else errno.ENOSPC
        if not number:
            raise
        raise OSError(number, os.strerror(number), str(folder)) from error
