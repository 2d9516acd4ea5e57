"""
fiuto: ask a folder of code a plain question, get ``path:start-end``.

>>> import fiuto                                            # doctest: +SKIP
>>> with fiuto.open(".") as index:                          # doctest: +SKIP
...     for hit in index.search("where do we block users", only=["source"]):
...         print(hit.location, hit.symbol)

Public names are imported when first used: ``fiuto --help`` passes through here
too, and must not wait for a database driver.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for True by its name; typing takes 5 ms
if TYPE_CHECKING:
    from fiuto.engine import Index, forget, list_indexes
    from fiuto.engine import open_index as open  # noqa: A004 - reads as fiuto.open(".")
    from fiuto.errors import (
        FiutoError,
        IndexBusy,
        IndexCorrupt,
        IndexFault,
        IndexMismatch,
        IndexMissing,
        ModelUnavailable,
        PluginFailed,
        UnknownPlugin,
        UsageError,
    )
    from fiuto.model import (
        Chunk,
        EmbedderIdentity,
        Hit,
        RefreshReport,
        Results,
        Skipped,
        Status,
        Vectors,
    )

    __version__: str

__all__ = [
    "Chunk",
    "EmbedderIdentity",
    "FiutoError",
    "Hit",
    "Index",
    "IndexBusy",
    "IndexCorrupt",
    "IndexFault",
    "IndexMismatch",
    "IndexMissing",
    "ModelUnavailable",
    "PluginFailed",
    "RefreshReport",
    "Results",
    "Skipped",
    "Status",
    "UnknownPlugin",
    "UsageError",
    "Vectors",
    "__version__",
    "forget",
    "list_indexes",
    "open",
]

_ENGINE = {
    "Index": "Index",
    "forget": "forget",
    "list_indexes": "list_indexes",
    "open": "open_index",
}
_MODEL = {
    "Chunk", "EmbedderIdentity", "Hit", "RefreshReport", "Results", "Skipped", "Status", "Vectors",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name; the version is the installed package's."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - 20 ms, seldom asked for

        return version("fiuto")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _ENGINE:
        value = getattr(import_module("fiuto.engine"), _ENGINE[name])
    else:
        value = getattr(import_module("fiuto.model" if name in _MODEL else "fiuto.errors"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
