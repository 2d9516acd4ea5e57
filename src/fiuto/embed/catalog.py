"""
The transformers that fiuto knows by name, where they lie on disk, and how to get one.

Nothing here downloads but :func:`pull`, which a user has to ask for.  Models live in
the Hugging Face cache, shared with every other tool; its layout (``refs/main`` names
a commit, ``snapshots/COMMIT`` holds the files) is documented and read directly, as
importing the client would cost half a second.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fiuto.errors import ModelUnavailable, UsageError
from fiuto.protocols import Progress

__all__ = [
    "EXTRA",
    "KNOWN",
    "KnownModel",
    "find",
    "hub_id_of",
    "on_disk",
    "pull",
    "snapshot_of",
]

EXTRA = "transformers"
"""The extra of fiuto that brings the runtime and the client."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model with settings that somebody checked."""

    name: str
    hub: str
    size: int
    """Bytes to download."""
    dimension: int
    max_length: int
    """Tokens read of a text; the rest is cut off and counted as truncated."""
    batch: int
    """Texts at a time."""
    notes: str
    query_prefix: str = ""
    document_prefix: str = ""
    extra: str = EXTRA


KNOWN = MappingProxyType(
    {
        model.name: model
        for model in (
            KnownModel(
                name="bge-m3",
                hub="BAAI/bge-m3",
                size=2_293_000_000,
                dimension=1_024,
                # Of 8,192 it could take: attention over more than 2,048 needs over 2 GB.
                max_length=2_048,
                batch=2,
                notes="100 languages, reads whole chunks; about 2 s a chunk on a laptop; MIT",
            ),
            KnownModel(
                name="bge-small-en-v1.5",
                hub="BAAI/bge-small-en-v1.5",
                size=134_000_000,
                dimension=384,
                max_length=512,
                batch=32,
                notes="English, reads the first 512 tokens; MIT",
                query_prefix="Represent this sentence for searching relevant passages: ",
            ),
            KnownModel(
                name="all-MiniLM-L6-v2",
                hub="sentence-transformers/all-MiniLM-L6-v2",
                size=91_600_000,
                dimension=384,
                max_length=256,
                batch=32,
                notes="English, smallest and fastest, reads the first 256 tokens; Apache-2.0",
            ),
            KnownModel(
                name="multilingual-e5-small",
                hub="intfloat/multilingual-e5-small",
                size=493_000_000,
                dimension=384,
                max_length=512,
                batch=16,
                notes="100 languages, reads the first 512 tokens; MIT",
                query_prefix="query: ",
                document_prefix="passage: ",
            ),
        )
    }
)
"""By name. Sizes are those of the files that :func:`pull` takes."""

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin")
_WANTED = ("*.json", "*.txt", "*.model", "*.safetensors", "*.bin")
_NOT_WANTED = ("onnx/*", "openvino/*", ".*")


def find(name: str) -> KnownModel | None:
    """A known model by its name or its hub id, whatever the case."""
    for model in KNOWN.values():
        if name.lower() in (model.name.lower(), model.hub.lower()):
            return model
    return None


def hub_id_of(name: str) -> str:
    """``owner/name`` on the hub; a bare unknown name belongs to sentence-transformers."""
    known = find(name)
    if known is not None:
        return known.hub
    return name if "/" in name else f"sentence-transformers/{name}"


def on_disk(name: str, cache: Path | None = None) -> bool:
    """Whether a model can be used without a network; ``cache`` as in :func:`pull`."""
    return snapshot_of(name, cache) is not None


def snapshot_of(name: str, cache: Path | None = None) -> Path | None:
    """The folder of a downloaded model, named by its commit, or None."""
    if cache is None:
        if find_spec("huggingface_hub") is None:
            return None
        from huggingface_hub import constants  # noqa: PLC0415 - an extra

        cache = Path(constants.HF_HUB_CACHE)
    home = cache / f"models--{hub_id_of(name).replace('/', '--')}"
    try:
        commit = (home / "refs" / "main").read_text("ascii").strip()
    except OSError:
        return None
    folder = home / "snapshots" / commit
    has_weights = any((folder / weights).exists() for weights in _WEIGHTS)
    return folder if has_weights and (folder / "config.json").exists() else None


def pull(
    name: str,
    progress: Progress,
    *,
    cache: Path | None = None,
    endpoint: str | None = None,
) -> Path:
    """
    Download a model into the Hugging Face cache; what is there already is kept.

    Args:
        name: a known name, ``owner/name`` of the hub, or a name of sentence-transformers.
        progress: called with ("download", bytes done, bytes in all).
        cache: another cache folder than the client's own.
        endpoint: another hub, for mirrors.

    Returns:
        The folder of the model.

    Raises:
        ModelUnavailable: no network, no such model, or the extra is not installed.
        UsageError: not a name that the hub could know.
    """
    if find_spec("huggingface_hub") is None:
        raise ModelUnavailable(
            f"downloading {name!r} needs an extra; run pip install 'fiuto[{EXTRA}]'"
        )
    from huggingface_hub import HfApi, snapshot_download  # noqa: PLC0415 - an extra

    hub = hub_id_of(name)
    with _hub_errors(name, hub):
        info = HfApi(endpoint=endpoint).model_info(hub, files_metadata=True)
        sizes = _wanted({file.rfilename: file.size or 0 for file in info.siblings or ()})
        total = sum(sizes.values())
        snapshot_download(
            hub,
            allow_patterns=list(sizes),
            cache_dir=cache,
            endpoint=endpoint,
            tqdm_class=_reporting_bar(progress, total),
        )
    progress("download", total, total)
    folder = snapshot_of(name, cache)
    if folder is None:
        raise ModelUnavailable(f"{hub} holds no weights that sentence-transformers can load")
    return folder


def _wanted(sizes: dict[str, int]) -> dict[str, int]:
    """Configuration, tokenizer and one set of weights: safetensors where there are any."""
    files = {
        file: size
        for file, size in sizes.items()
        if any(fnmatch(file, pattern) for pattern in _WANTED)
        and not any(fnmatch(file, pattern) for pattern in _NOT_WANTED)
    }
    if any(file.endswith(".safetensors") for file in files):
        files = {file: size for file, size in files.items() if not file.endswith(".bin")}
    return files


def _reporting_bar(progress: Progress, total: int) -> Any:
    """A progress bar class for the client that draws nothing and reports bytes."""
    from tqdm.auto import tqdm  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra

    seen = 0

    class Bar(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **{**options, "disable": False, "file": io.StringIO()})

        def update(self, n: float | None = 1) -> None:
            super().update(n)
            nonlocal seen
            # The client counts bytes twice, on arrival and on disk; the faster one tells.
            if self.unit == "B" and self.n > seen:
                seen = min(int(self.n), total)
                progress("download", seen, total)

    return Bar


@contextmanager
def _hub_errors(name: str, hub: str) -> Iterator[None]:
    """The client's errors as ours."""
    from huggingface_hub.errors import (  # noqa: PLC0415 - an extra
        HfHubHTTPError,
        HFValidationError,
        RepositoryNotFoundError,
    )

    # The client's own error derives from that of whatever HTTP library it is built on.
    network: tuple[Any, ...] = (*HfHubHTTPError.__bases__, OSError)

    try:
        yield
    except HFValidationError as error:
        raise UsageError(f"{name!r} is not a model name of the hub") from error
    except RepositoryNotFoundError as error:
        raise ModelUnavailable(f"the hub has no public model {hub}") from error
    except network as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelUnavailable(
            f"{hub} could not be downloaded ({reason}); check the network and try again"
        ) from error
