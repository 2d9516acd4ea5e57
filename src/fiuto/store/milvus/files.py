"""The files of a repository, as their rows tell them."""

from __future__ import annotations

from dataclasses import dataclass

from fiuto.model import FileRecord
from fiuto.store.milvus.link import Link
from fiuto.store.milvus.rows import FILE_FIELDS, record_of
from fiuto.store.milvus.schema import Build
from fiuto.store.milvus.state import State, quoted

__all__ = ["FileRow", "file_rows"]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file as its row tells it."""

    id: int
    born: int
    chunks: int
    record: FileRecord


def file_rows(link: Link, build: Build, state: State) -> dict[str, FileRow]:
    """The visible files of one repository by path, with the newest stamps."""
    mine = f"repo == {quoted(state.repository)}"
    clause = f"{mine} and born >= {state.floor} and born <= {state.generation}"
    touched = {
        row["file"]: row["data"]
        for row in link.rows(build.meta, f'kind == "stamp" and {mine}', ["file", "data"])
    }
    out = {}
    for row in link.rows(build.files, clause, FILE_FIELDS):
        if state.shows(row["id"], row["born"]):
            record = record_of(row["path"], touched.get(row["id"], row["record"]))
            out[row["path"]] = FileRow(row["id"], row["born"], row["chunks"], record)
    return dict(sorted(out.items()))
