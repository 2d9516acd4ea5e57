"""
What is wrong here, and what to do: every part looked at, nothing changed or downloaded.

A check is a function in :data:`CHECKS` that yields findings; one more store, model or
tool is one more function.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fiuto import registry
from fiuto.config import Settings, load, user_home
from fiuto.engine.finding import Finding
from fiuto.engine.installation import check_install, check_model
from fiuto.engine.places import Place, every_place, vector_cache
from fiuto.errors import FiutoError, IndexMismatch, IndexMissing, UsageError
from fiuto.protocols import Examinable
from fiuto.scan import git
from fiuto.store.cache import SqliteVectorCache

__all__ = ["CHECKS", "Finding", "look_over"]

_LITTLE, _NONE = 1_000_000_000, 50_000_000
"""Bytes free below which it is said, and below which an index will hardly fit."""


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
        settings = load(folder, {"home": home} if home else {})
    except UsageError as error:
        yield Finding("settings", "fault", str(error), "mend that line; the defaults are used here")
    place = _Place(folder, settings.home, settings)
    for check in CHECKS:
        yield from check(place)


def _install(_place: _Place) -> Iterator[Finding]:
    return check_install()


def _model(place: _Place) -> Iterator[Finding]:
    return check_model(place.settings)


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
