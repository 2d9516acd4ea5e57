r"""
The values that cross borders: frozen, plain, and free of any library.

Paths are always relative to the root, with ``/`` between parts.  Lines are
1-based and inclusive at both ends, counted as ``sed -n`` counts them: only
``\n`` ends a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeAlias, overload

from fiuto.values import dataclass

__all__ = [
    "LABELS",
    "MODES",
    "UNITS",
    "Batch",
    "Changes",
    "Chunk",
    "Content",
    "Counts",
    "DeepReport",
    "EmbedderIdentity",
    "FileRecord",
    "Found",
    "Glimpse",
    "Hit",
    "IndexedChunk",
    "IndexedFile",
    "Label",
    "Manifest",
    "Mode",
    "Query",
    "RefreshReport",
    "Results",
    "Role",
    "Scored",
    "Skipped",
    "SourceFile",
    "Stamp",
    "Status",
    "StoredChunk",
    "TermQuery",
    "Unit",
    "Vectors",
    "Where",
]

Label: TypeAlias = Literal["source", "test", "docs", "example", "config", "generated", "vendored"]
"""What a file is for. Decided by :mod:`fiuto.scan.label`."""

LABELS: tuple[Label, ...] = (
    "source", "test", "docs", "example", "config", "generated", "vendored",
)  # fmt: skip

Mode: TypeAlias = Literal["hybrid", "lexical", "semantic"]
"""Which lists answer a question."""

MODES: tuple[Mode, ...] = ("hybrid", "lexical", "semantic")

Role: TypeAlias = Literal["document", "query"]
"""Which side of an embedder a text is for."""

Unit: TypeAlias = Literal["chunk", "file"]
"""What the keyword side ranks: chunks, or whole files carried to their first chunk."""


UNITS: tuple[Unit, ...] = ("chunk", "file")

Confidence: TypeAlias = Literal["high", "low", "none"]
"""Whether the hits answer the question: surely, perhaps, or nothing here does."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What ``stat`` says of a file: enough to tell that it was not touched."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Found:
    """A file that the walk came across and did not rule out by name or size."""

    path: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Glimpse:
    """How a folder differs from what a walk found: by these files alone."""

    changed: tuple[Found, ...]
    total: int
    """Files that a walk would find."""
    glance: bytes | None
    """What tells later changes; None where they might pass unseen, or it is the same still."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds at this moment."""

    text: str
    digest: str
    """As in :class:`SourceFile`."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read and decoded."""

    path: str
    text: str
    stamp: Stamp
    digest: str
    """BLAKE2b-128 of the raw bytes, hexadecimal."""
    language: str
    label: Label
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, link or folder that is not in the index, and why."""

    path: str
    reason: str
    """One of the names in :data:`fiuto.scan.reasons.REASONS`."""
    detail: str = ""
    stamp: Stamp | None = None
    """Set when the decision needed the content, so that it is taken only once."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of whole lines of one file, as a chunker cut it."""

    start: int
    end: int
    text: str
    """The lines joined by ``\\n``, without a final newline."""
    symbol: str = ""
    """Qualified name of what is defined here (``Session.send``), or empty."""
    kind: str = ""
    """What it is: ``function``, ``method``, ``class``, ``struct``, ``impl``, ``variable``,
    ``part`` (the rest of something long), ``section`` (a heading or a table), ``slice`` (of an
    overlong line), ``block``, ``text``, ``cell``, ``lines``."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes two vectors comparable: everything here must be equal."""

    name: str
    revision: str
    """Version or hash of the weights."""
    dimension: int
    recipe: str = ""
    """Pooling, prefixes, maximum length: whatever else changes the numbers."""

    def __str__(self) -> str:
        # A model of two files has two hashes, and either may be what changed.
        revision = "+".join(part[:12] for part in self.revision.split("+"))
        return f"{self.name} (revision {revision}, {self.dimension} dimensions)"

    @property
    def key(self) -> str:
        """One string that is equal exactly when the identities are."""
        return "\x1f".join((self.name, self.revision, str(self.dimension), self.recipe))


@dataclass(frozen=True, slots=True)
class Vectors:
    """
    Rows of unit-length float32 vectors, as bytes so that no numpy crosses a border.

    ``data`` holds ``len(self) * dimension`` little-endian float32 values, row by
    row.  ``truncated`` tells for each row whether the model read only the start
    of its text.
    """

    data: bytes
    dimension: int
    truncated: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.truncated)

    def row(self, i: int) -> bytes:
        """The float32 bytes of row ``i``."""
        width = 4 * self.dimension
        return self.data[i * width : (i + 1) * width]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as the index knows it."""

    path: str
    stamp: Stamp
    digest: str
    language: str
    label: Label
    checked_ns: int
    """Wall clock when the content was last read; a stamp this young is not trusted."""
    embedded: bool = True
    """Whether each of its chunks has a vector."""
    truncated: int = 0
    """How many of its chunks the embedder read only in part."""


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk on its way into a store."""

    chunk: Chunk
    vector: bytes | None
    """Float32 row of the embedder's dimension, or None where no model was at hand."""
    terms: str | None = None
    """The terms of its text, joined, or None where the store is to find them."""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file on its way into a store, replacing whatever had its path."""

    record: FileRecord
    chunks: tuple[IndexedChunk, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """One atomic change: readers see all of it or none."""

    files: tuple[IndexedFile, ...] = ()
    dropped: tuple[str, ...] = ()
    touched: tuple[FileRecord, ...] = ()
    """Records whose content is unchanged, with fresh stamps."""
    skipped: tuple[Skipped, ...] | None = None
    """The whole list of skipped files, or None to leave it as it is."""
    complete: bool = True
    """False while more batches of the same refresh follow."""
    scan: str | None = None
    """Scan rules that every decision now follows, or None to leave the manifest's."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index is made of and by."""

    root: str
    embedder_name: str
    """What the registry calls the embedder; empty where the caller brought his own."""
    embedder: EmbedderIdentity | None
    """None where no model was at hand when the index was started."""
    chunker: str
    """Identity; its part before the ``/`` is the name."""
    terms: str
    scan: str
    """Identity of the scan rules; another one means every decision is taken anew."""
    generation: int = 0
    complete: bool = False


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as a store returns it, with what ranking needs of its file."""

    id: int
    path: str
    chunk: Chunk
    language: str
    label: Label
    digest: str
    """The digest of the file when it was indexed."""
    size: int = 0
    """Bytes of the file when it was indexed."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An entry of a ranked list: a chunk id and the score of one list, higher is better."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Where:
    """
    Which files may answer: the kinds intersect, the values of one kind unite.

    An empty tuple means "no restriction of this kind".  A restriction that
    matches nothing gives no hits.
    """

    paths: tuple[str, ...] = ()
    """Globs: ``*`` stays inside a folder, ``**`` crosses, ``src`` is all below it."""
    languages: tuple[str, ...] = ()
    only: tuple[Label, ...] = ()
    no: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class TermQuery:
    """What the keyword side is asked: terms, and how much each field of a document counts."""

    terms: tuple[str, ...]
    """As :func:`fiuto.terms.terms` gives them; a repeated term counts twice."""
    body: float = 1.0
    symbol: float = 0.0
    path: float = 0.0
    unit: Unit = "chunk"


@dataclass(frozen=True, slots=True)
class Query:
    """A question, ready to be asked."""

    text: str
    k: int = 10
    mode: Mode = "hybrid"
    where: Where = Where()
    unit: Unit = "chunk"
    """What the keyword side ranks."""
    without: tuple[str, ...] = ()
    """Signals left out, for measuring what they are worth; names as in a hit's parts."""
    weights: Mapping[str, float] | None = None
    """Stand in for the table of weights, by name of a list or signal, for learning them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer: lines of a file, why they are here, and whether they still stand."""

    path: str
    start: int
    end: int
    symbol: str
    language: str
    label: Label
    kind: str
    score: float
    parts: Mapping[str, float]
    """Named parts whose sum is ``score``."""
    ranks: Mapping[str, int]
    """1-based rank in each list that holds this chunk."""
    text: str
    verified: bool
    """Whether these lines stood in the file when the answer was given."""
    copies: tuple[str, ...] = ()
    repository: str = ""
    """Where several were asked: whose path it is."""
    revision: str = ""
    """What was indexed, as git names it; empty where nobody told."""

    @property
    def location(self) -> str:
        """``path:start-end``."""
        return f"{self.path}:{self.start}-{self.end}"

    def explain(self) -> str:
        """The score as a sum, one line."""
        ranks = ", ".join(f"{name} rank {rank}" for name, rank in self.ranks.items())
        parts = " + ".join(f"{name} {value:.4f}" for name, value in self.parts.items())
        return f"{self.score:.4f} = {parts} ({ranks})"


@dataclass(frozen=True, slots=True)
class Also:
    """Further files that hold the names in question, so that no ten hits pass for all."""

    identifiers: tuple[str, ...]
    files: tuple[str, ...]
    """The first of them, in the order of the keyword list."""
    total: int
    """How many there are."""
    more: bool = False
    """Whether there may be more than ``total``: only so many chunks were looked into."""


@dataclass(frozen=True, slots=True)
class Counts:
    """An index in figures."""

    files: int
    chunks: int
    bytes: int
    """Size of the indexed files on disk."""
    skipped: Mapping[str, int]
    """Reason -> count."""
    truncated: int
    """Chunks the embedder read only in part."""
    unembedded: int
    """Files that have no vectors yet."""


@dataclass(frozen=True, slots=True)
class Status:
    """An index in figures, and what it is made of."""

    manifest: Manifest
    counts: Counts


@dataclass(frozen=True, slots=True)
class Changes:
    """How a folder differs from its index, in files."""

    added: int
    changed: int
    removed: int


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What one refresh did."""

    status: Status
    added: int
    changed: int
    removed: int
    """Files dropped from the index."""
    embedded: int
    """Chunks that went through the model in this run."""
    reused: int
    """Chunks of changed files whose vector was at hand."""
    seconds: float
    warnings: tuple[str, ...] = ()
    fallbacks: int = 0
    """Texts of a known language that were cut by their looks: their syntax could not be read
    within bounds of time and memory, or hardly at all."""


@dataclass(frozen=True, slots=True)
class DeepReport:
    """What one run of the deep tier over a whole index did."""

    embedder: str
    windows: int
    """Texts there are to read: a few a chunk."""
    read: int
    """Those that went through the model in this run."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Results(Sequence[Hit]):
    """The answer to one question: a sequence of hits with what must be said about it."""

    query: Query
    profile: str
    hits: tuple[Hit, ...]
    status: Status
    warnings: tuple[str, ...] = field(default=())
    confidence: Confidence | None = None
    """How likely the answer is among the hits; None where the pipeline does not judge."""
    also: Also | None = None
    source: Hit | None = None
    """The chunk that ``related`` was asked about; None for a question in words."""

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
