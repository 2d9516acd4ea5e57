"""
Every error that fiuto raises on purpose.

It is a module of its own, at the very bottom, so that any layer can raise and
any surface can catch without an import loop::

    FiutoError
    ├── UsageError          a question, option, path or setting that cannot be used
    │   └── UnknownPlugin   no chunker, embedder or store of that name
    ├── IndexFault          something is wrong with an index
    │   ├── IndexMissing    there is none for this folder
    │   ├── IndexMismatch   built by another embedder, chunker or format
    │   ├── IndexCorrupt    damaged, and not repairable in place
    │   ├── IndexBusy       another process is writing and did not finish in time
    │   └── StoreUnavailable  a store on a server that does not answer, or refuses
    ├── ModelUnavailable    an embedding model that is not on this machine, or not answering
    └── PluginFailed        a chunker, embedder or store broke its contract

Messages are one line: what happened, on which path, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = [
    "FiutoError",
    "IndexBusy",
    "IndexCorrupt",
    "IndexFault",
    "IndexMismatch",
    "IndexMissing",
    "ModelUnavailable",
    "PluginFailed",
    "StoreUnavailable",
    "UnknownPlugin",
    "UsageError",
    "nearest",
]


def nearest(name: str, known: Sequence[str]) -> str:
    """What to say of a name that is not known: the known one that it nearly is, or all."""
    import difflib  # noqa: PLC0415 - only mistakes need it

    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"


class FiutoError(Exception):
    """The family: catch this to catch everything fiuto raises on purpose."""


class UsageError(FiutoError):
    """The caller asked for something that cannot be done as asked."""


class UnknownPlugin(UsageError):
    """A name that no chunker, embedder or store answers to."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"no {kind} is called {name!r}; known: {', '.join(self.known)}")


class IndexFault(FiutoError):
    """Something is wrong with an index; the files it was made from are untouched."""


class IndexMissing(IndexFault):
    """There is no index for this folder yet."""


class IndexMismatch(IndexFault):
    """The index was built by another embedder, chunker or format than asked for."""


class IndexCorrupt(IndexFault):
    """Index files are damaged; what cannot be derived again must be rebuilt."""


class IndexBusy(IndexFault):
    """Another process holds the index and did not finish in time."""


class StoreUnavailable(IndexFault):
    """A store on a server cannot be used: not installed, not answering, or refusing."""


class ModelUnavailable(FiutoError):
    """An embedding model cannot be used here: not on disk, extra missing, or no answer."""


class PluginFailed(FiutoError):
    """A chunker, embedder or store broke its contract; the cause is kept."""
