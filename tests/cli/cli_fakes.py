"""An index that answers what a test tells it to, and the values it answers with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from fiuto.engine.questions import make_query
from fiuto.model import (
    Also,
    Confidence,
    Counts,
    DeepReport,
    EmbedderIdentity,
    Hit,
    Manifest,
    RefreshReport,
    Results,
    Skipped,
    Status,
)


def hit(path: str = "src/a.py", start: int = 3, **more: Any) -> Hit:
    """A hit of three lines that speak of users."""
    plain: dict[str, Any] = {
        "path": path, "start": start, "end": start + 2, "symbol": "block", "language": "python",
        "label": "source", "kind": "function", "score": 0.02, "parts": {"lexical": 0.02},
        "ranks": {"lexical": 1}, "text": "def block(user):\n    ban(user)\n    return user",
        "verified": True,
    }  # fmt: skip
    return Hit(**plain | more)


def status_of(**counts: Any) -> Status:
    """Two files, five chunks, three files left out."""
    plain: dict[str, Any] = {
        "files": 2, "chunks": 5, "bytes": 900, "skipped": {"image": 1, "binary": 2},
        "truncated": 0, "unembedded": 0,
    }  # fmt: skip
    manifest = Manifest(
        root="/root/app", embedder_name="static",
        embedder=EmbedderIdentity("static", "0123456789abcdef", 256), chunker="syntax/1",
        terms="terms/1", scan="s", generation=7, complete=True,
    )  # fmt: skip
    return Status(manifest, Counts(**plain | counts))


@dataclass
class FakeIndex:
    """Looks like :class:`fiuto.engine.Index`."""

    hits: tuple[Hit, ...] = ()
    status_: Status = field(default_factory=status_of)
    warnings: tuple[str, ...] = ()
    confidence: Confidence | None = None
    also: Also | None = None
    source: Hit | None = None
    raises: BaseException | None = None
    found: Any = None
    opened: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    closed: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def search(self, question: str, **asked: Any) -> Results:
        self.asked = {"question": question, **asked}
        if self.raises is not None:
            raise self.raises
        query = make_query(question, k=asked["k"] or 10, mode=asked["mode"] or "hybrid")
        return Results(
            query, "default", self.hits, self.status_, self.warnings, self.confidence, self.also
        )

    def related(self, path: object, line: int, **asked: Any) -> Results:
        self.asked = {"path": path, "line": line, **asked}
        query = make_query(f"{path}:{line}", k=asked["k"] or 10, mode=asked["mode"] or "hybrid")
        return Results(query, "default", self.hits, self.status_, source=self.source)

    def refresh(self, **asked: Any) -> RefreshReport:
        self.asked = asked
        if self.raises is not None:
            raise self.raises
        return RefreshReport(self.status_, 1, 2, 0, 40, 3, 1.25, self.warnings)

    def deepen(self, **_: Any) -> DeepReport:
        return DeepReport("reader (revision 1, 16 dimensions)", 9, 4, 0.5)

    def status(self) -> Status:
        if self.raises is not None:
            raise self.raises
        return self.status_

    def skipped(self) -> tuple[Skipped, ...]:
        return (Skipped("logo.png", "binary"), Skipped("key.pem", "secret", "a private key"))

    def why(self, path: object) -> Any:
        self.asked = {"path": path}
        return self.found

    def size(self) -> int:
        return 4_200_000
