"""
The collections of one build: chunks, files, and small rows about them.

The name in a store's address is an alias.  It leads to the chunks of the current build,
``name__3``; ``name__3_files`` and ``name__3_meta`` lie beside it.  Switching the one alias
switches all three, so a build that was made anew takes over in a single step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fiuto.errors import IndexMismatch, StoreUnavailable
from fiuto.model import EmbedderIdentity
from fiuto.store.milvus.link import Link

__all__ = [
    "FIELDS",
    "TEXT_BYTES",
    "Build",
    "builds",
    "create",
    "current",
    "drop",
    "identity",
    "switch",
]

FORMAT = 1
"""Ledger: 1. three collections a build, rows of generations, BM25 over encoded terms."""

TEXT_BYTES = 65_535
"""The most a VARCHAR of Milvus holds."""
_PATH_BYTES = 8_192
_NAME_BYTES = 512
FIELDS: Mapping[str, str] = {"body": "body_bm25", "symbol": "symbol_bm25", "path": "path_bm25"}
"""What BM25 reads, and the field of the sparse vectors that the server makes of it."""
_TERMS = {"body": "body_terms", "symbol": "symbol_terms", "path": "path_terms"}
NO_MODEL = 8
"""Dimension of the vectors of a build without a model: all zero, none is ever asked for."""
_PARTITIONS = 64
"""Groups that repositories are hashed into: a question to one repository reads one of them."""


@dataclass(frozen=True, slots=True)
class Build:
    """The three collections that belong together."""

    chunks: str

    @property
    def files(self) -> str:
        """A row a file: the keyword side over whole files, and what the index knows of it."""
        return f"{self.chunks}_files"

    @property
    def meta(self) -> str:
        """Small rows: the states of repositories, leases, texts too long for one row."""
        return f"{self.chunks}_meta"

    @property
    def number(self) -> int:
        """Counted from 1 for each name."""
        return int(self.chunks.rpartition("__")[2])


def current(link: Link) -> Build | None:
    """The build that the alias leads to."""
    found = link.found("describe_alias", link.name)
    return Build(found["collection_name"]) if found else None


def builds(link: Link) -> list[Build]:
    """Every build under this name, oldest first."""
    shape = re.compile(rf"{re.escape(link.name)}__\d+")
    names = [name for name in link.call("list_collections") if shape.fullmatch(name)]
    return sorted(map(Build, names), key=lambda build: build.number)


def create(link: Link, build: Build, embedder: EmbedderIdentity | None) -> None:
    """Make the collections of ``build``; those that are there already stay."""
    schemas = {
        build.files: _files_schema(),
        build.meta: _meta_schema(),
        build.chunks: _chunks_schema(embedder.dimension if embedder else NO_MODEL),
    }
    for name, (schema, indexes) in schemas.items():
        if not link.call("has_collection", name):
            try:
                link.call(
                    "create_collection", name, schema=schema, index_params=indexes,
                    consistency_level=link.target.consistency, **_partitions(name, build),
                )  # fmt: skip
            except StoreUnavailable:
                # Another process may have been quicker.
                if not link.call("has_collection", name):
                    raise
    about = {"format": FORMAT, "embedder": asdict(embedder) if embedder else None}
    link.call("upsert", build.meta, [meta_row("build", "", data=json.dumps(about))])


def _partitions(name: str, build: Build) -> dict[str, int]:
    return {} if name == build.meta else {"num_partitions": _PARTITIONS}


def identity(link: Link, build: Build) -> EmbedderIdentity | None:
    """
    Whose vectors ``build`` holds.

    Raises:
        IndexMismatch: a newer fiuto made it.
    """
    rows = link.rows(build.meta, 'key == "build"', ["data"])
    about: dict[str, Any] = json.loads(rows[0]["data"]) if rows else {"format": FORMAT}
    if about["format"] > FORMAT:
        raise IndexMismatch(
            f"the collection {build.chunks} was made by a newer fiuto (format {about['format']}, "
            f"this one reads {FORMAT}): upgrade, or name another collection"
        )
    embedder = about.get("embedder")
    return EmbedderIdentity(**embedder) if embedder else None


def switch(link: Link, build: Build) -> None:
    """Lead the alias to ``build``, in one step."""
    present = current(link)
    if present == build:
        return
    try:
        method = "create_alias" if present is None else "alter_alias"
        link.call(method, build.chunks, link.name)
    except StoreUnavailable:
        if current(link) != build:
            raise


def drop(link: Link, build: Build) -> None:
    """Remove the collections of ``build``."""
    for name in (build.chunks, build.files, build.meta):
        link.call("drop_collection", name)


def meta_row(key: str, repository: str, **values: Any) -> dict[str, Any]:
    """A small row; its kind is the part of the key before the first ``/``."""
    row = {"key": key, "kind": key.partition("/")[0], "repo": repository, "born": 0, "file": 0,
           "data": "", "pad": [0.0, 0.0]}  # fmt: skip
    return row | values


def _schema(indexed: tuple[str, ...]) -> tuple[Any, Any]:
    """A schema with the fields that chunks and files share, and its indexes."""
    from pymilvus import DataType, Function, FunctionType, MilvusClient  # noqa: PLC0415

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    indexes = MilvusClient.prepare_index_params()
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("repo", DataType.VARCHAR, max_length=_NAME_BYTES, is_partition_key=True)
    schema.add_field("born", DataType.INT64)
    for name in ("place", *indexed):
        schema.add_field(name, DataType.INT64)
        indexes.add_index(name, index_type="INVERTED")
    schema.add_field("path", DataType.VARCHAR, max_length=_PATH_BYTES)
    for name in ("language", "label"):
        schema.add_field(name, DataType.VARCHAR, max_length=_NAME_BYTES)
    for field, terms in _TERMS.items():
        # Terms arrive split and as [a-z0-9]+, on which every tokenizer agrees.
        schema.add_field(
            terms, DataType.VARCHAR, max_length=TEXT_BYTES, enable_analyzer=True,
            analyzer_params={"tokenizer": "standard"},
        )  # fmt: skip
        schema.add_field(FIELDS[field], DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function(
                name=f"{field}_terms_to_bm25",
                function_type=FunctionType.BM25,
                input_field_names=[terms],
                output_field_names=[FIELDS[field]],
            )
        )
        # k1 and b as tantivy has them, so that both stores agree.
        indexes.add_index(
            FIELDS[field], index_type="SPARSE_INVERTED_INDEX", metric_type="BM25",
            params={"bm25_k1": 1.2, "bm25_b": 0.75},
        )  # fmt: skip
    return schema, indexes


def _chunks_schema(dimension: int) -> tuple[Any, Any]:
    from pymilvus import DataType  # noqa: PLC0415

    schema, indexes = _schema(("file",))
    for name in ("start", "end", "size", "pieces"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("embedded", DataType.BOOL)
    longest = {"symbol": TEXT_BYTES, "text": TEXT_BYTES, "kind": _NAME_BYTES, "digest": _NAME_BYTES}
    for name, most in longest.items():
        schema.add_field(name, DataType.VARCHAR, max_length=most)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    # Rows are unit vectors, or zero where there is none: the product is the cosine.
    indexes.add_index("vector", index_type="AUTOINDEX", metric_type="IP")
    return schema, indexes


def _files_schema() -> tuple[Any, Any]:
    from pymilvus import DataType  # noqa: PLC0415

    schema, indexes = _schema(())
    for name in ("chunks", "first"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("record", DataType.VARCHAR, max_length=TEXT_BYTES)
    return schema, indexes


def _meta_schema() -> tuple[Any, Any]:
    from pymilvus import DataType, MilvusClient  # noqa: PLC0415

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    indexes = MilvusClient.prepare_index_params()
    schema.add_field("key", DataType.VARCHAR, max_length=2 * _NAME_BYTES, is_primary=True)
    schema.add_field("kind", DataType.VARCHAR, max_length=_NAME_BYTES)
    schema.add_field("repo", DataType.VARCHAR, max_length=_NAME_BYTES)
    for name in ("born", "file"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("data", DataType.VARCHAR, max_length=TEXT_BYTES)
    # A collection must have a vector field.
    schema.add_field("pad", DataType.FLOAT_VECTOR, dim=2)
    indexes.add_index("pad", index_type="FLAT", metric_type="L2")
    return schema, indexes
