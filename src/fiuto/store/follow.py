"""
Brings the keyword indexes to the generation of the database.

The same steps serve a commit and the repair after a crash: whatever changed in
the database since the generation that the postings are marked with is taken out
of them and put in again, file by file.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from fiuto.errors import IndexCorrupt
from fiuto.store.layout import UNITS, Layout
from fiuto.store.postings import Document, PostingsWriter, open_postings, refusals, snapshot
from fiuto.terms import joined_terms

__all__ = ["follow", "postings_generation"]


def postings_generation(layout: Layout) -> int:
    """The generation both keyword indexes stand at, or -1: unreadable, or not the same."""
    try:
        marks = {snapshot(open_postings(layout.postings(u))).generation() for u in UNITS}
    except IndexCorrupt:
        return -1
    return marks.pop() if len(marks) == 1 else -1


def follow(
    layout: Layout,
    db: sqlite3.Connection,
    since: int,
    generation: int,
    terms: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """
    Replay what changed after generation ``since``; -1 starts from nothing.

    Args:
        layout: where the indexes lie.
        db: outside a transaction, under the writer's lock.
        since: generation of the postings, as :func:`postings_generation` tells.
        generation: of the database; 0 has no postings, since nothing was added yet.
        terms: of the text of chunks, by id, joined; those that are missing are found here.

    Raises:
        OSError: the disk is full, or the folder takes nothing.
    """
    if not generation:  # making empty ones takes as long as indexing a small folder
        return
    lost = db.execute("SELECT file FROM removed WHERE generation > ?", (since,)).fetchall()
    changed = db.execute("SELECT id, path FROM files WHERE generation > ?", (since,)).fetchall()
    with refusals(layout.folder):
        writers = {u: PostingsWriter(open_postings(layout.postings(u), create=True)) for u in UNITS}
        for writer in writers.values():
            if since < 0:
                writer.clear()
            else:
                writer.remove([file for (file,) in lost] + [file for file, _ in changed])
        for file, path in changed:
            chunks = list(_documents(db, file, path, terms))
            writers["chunk"].add(document for document, _ in chunks)
            if chunks:
                writers["file"].add([_whole(chunks)])
        _commit(list(writers.values()), generation)
    db.execute("DELETE FROM removed")


def _commit(writers: Sequence[PostingsWriter], generation: int) -> None:
    """All at once: most of it is waiting, for the disk and for threads of the library."""
    failed: list[ValueError] = []

    def commit(writer: PostingsWriter) -> None:
        try:
            writer.commit(generation)
        except ValueError as error:
            failed.append(error)

    threads = [threading.Thread(target=commit, args=(w,), name="fiuto-commit") for w in writers]
    for thread in threads:
        thread.start()
    interrupted = False
    while any(thread.is_alive() for thread in threads):
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:  # nobody else may get the lock before this is done
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    if failed:
        raise failed[0]


def _documents(
    db: sqlite3.Connection, file: int, path: str, terms: Mapping[int, str]
) -> Iterator[tuple[Document, str]]:
    """Each chunk of a file, with the terms of its lines that no chunk before it held."""
    path_terms = joined_terms(path)
    last = 0
    rows = db.execute(
        "SELECT id, start, end, text, symbol FROM chunks WHERE file = ? ORDER BY start, end, id",
        (file,),
    )
    for id_, start, end, text, symbol in rows.fetchall():
        body = terms[id_] if id_ in terms else joined_terms(text)
        fresh = body
        if start <= last < end:
            fresh = joined_terms("\n".join(text.split("\n")[last - start + 1 :]))
        last = max(last, end)
        yield Document(id_, file, body, joined_terms(symbol), path_terms), fresh


def _whole(chunks: list[tuple[Document, str]]) -> Document:
    """The file that ``chunks`` make up, each line once."""
    first = chunks[0][0]
    return Document(
        first.file,
        first.file,
        " ".join(fresh for _, fresh in chunks),
        " ".join(document.symbol for document, _ in chunks if document.symbol),
        first.path,
    )
