"""Makes the parts of an index from settings: by name, and only when asked for."""

from __future__ import annotations

from pathlib import Path

from fiuto import registry, terms
from fiuto.config import Settings, Unset, environment, given
from fiuto.engine.consent import make_sure_of_consent
from fiuto.errors import IndexMismatch, ModelUnavailable, PluginFailed, UsageError
from fiuto.model import EmbedderIdentity, Manifest
from fiuto.protocols import Chunker, Embedder
from fiuto.scan import FileScanner, ScanRules
from fiuto.search.profile import PROFILES, Profile
from fiuto.values import dataclass

__all__ = [
    "DEEP_EMBEDDER",
    "DEFAULT_EMBEDDER",
    "Parts",
    "choose",
    "make_embedder",
    "make_scanner",
    "profile_named",
]

DEFAULT_EMBEDDER = "static"
"""The model that ships with fiuto."""
DEEP_EMBEDDER = Settings().deep_embedder
"""The model of the extra that the deep tier is made for."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What one refresh or search works with."""

    chunker: Chunker
    embedder: Embedder | None
    fresh: Manifest
    """The manifest of an index that these parts would start."""
    rebuild: str
    """Why the present index must be built anew, empty where it need not."""
    missing: str
    """Why there is no embedder, empty where there is one."""

    @property
    def instant(self) -> bool:
        """Whether the embedder reads a hundred names in no time: the one that ships does."""
        return self.fresh.embedder_name == DEFAULT_EMBEDDER


def profile_named(name: str) -> Profile:
    """
    The profile called ``name``.

    Raises:
        UsageError: there is none.
    """
    if name not in PROFILES:
        raise UsageError(f"no profile is called {name!r}; known: {', '.join(PROFILES)}")
    return PROFILES[name]


def make_scanner(root: Path, settings: Settings, profile: Profile) -> FileScanner:
    """The scanner of ``root``."""
    rules = ScanRules(
        include=settings.include,
        exclude=settings.exclude,
        max_bytes=settings.max_bytes,
        withhold_secrets=not (settings.secrets or profile.article_scan),
        labels=tuple(settings.labels.items()),
        article=profile.article_scan,
    )
    return FileScanner(root, rules)


def make_embedder(name: str, settings: Settings) -> Embedder:
    """
    The embedder called ``name``: a registered one, ``st:FOLDER_OR_NAME``, or ``remote``.

    Raises:
        UnknownPlugin: no such name.
        UsageError: ``remote`` without its settings, or elsewhere and without consent.
    """
    kind, colon, rest = name.partition(":")
    if colon and kind == "st":
        return _checked(name, registry.load("embedder", "st")(rest))
    if name == "remote":
        remote = settings.remote
        if not (remote.url and remote.model):
            raise UsageError("the embedder 'remote' needs [remote] url and model in fiuto.toml")
        make_sure_of_consent(remote.url)
        key = environment(remote.key_env) if remote.key_env else ""
        return _checked(name, registry.load("embedder", "remote")(remote, key))
    return _checked(name, registry.load("embedder", name)())


def _checked(name: str, made: object) -> Embedder:
    if not callable(getattr(made, "embed", None)):
        raise PluginFailed(f"the embedder {name!r} is no embedder: it has no method embed")
    return made  # type: ignore[return-value]


def choose(
    root: Path,
    scan: str,
    settings: Settings,
    profile: Profile,
    present: Manifest | None,
    own: Embedder | None,
    *,
    may_rebuild: bool,
) -> Parts:
    """
    The parts for an index of ``root``, given the one that is there.

    What was asked for by name must agree with the index; what was not is taken
    from it.  The same name at another revision, which an upgrade brings, means a
    rebuild that is told in one line.

    Raises:
        IndexMismatch: the index was built by another embedder or chunker than asked for.
    """
    asked_chunker = given(settings.chunker, "")
    present_chunker = present.chunker.partition("/")[0] if present else ""
    chunker: Chunker = registry.load(
        "chunker", asked_chunker or present_chunker or profile.chunker
    )()
    name = given(settings.embedder, "") or (present.embedder_name if present else "")
    name = "" if own else name or DEFAULT_EMBEDDER
    embedder, identity, missing = _try(own, name, settings)
    fresh = Manifest(
        root=str(root),
        embedder_name=name,
        embedder=identity,
        chunker=chunker.identity,
        terms=terms.IDENTITY,
        scan=scan,
    )
    explicit = {
        "embedder": own is not None or not isinstance(settings.embedder, Unset),
        "chunker": bool(asked_chunker),
    }
    rebuild = _difference(present, fresh, explicit, may_rebuild=may_rebuild) if present else ""
    return Parts(chunker, embedder, fresh, rebuild, missing)


def _try(
    own: Embedder | None, name: str, settings: Settings
) -> tuple[Embedder | None, EmbedderIdentity | None, str]:
    """The embedder and its identity, or the reason why there is none."""
    try:
        embedder = own if own is not None else make_embedder(name, settings)
        return embedder, embedder.identity, ""
    except ModelUnavailable as error:
        return None, None, str(error)


def _difference(
    present: Manifest, fresh: Manifest, explicit: dict[str, bool], *, may_rebuild: bool
) -> str:
    """Why ``present`` cannot serve; raises where the caller must decide."""
    pairs = []
    # A model that is missing today says nothing about the index.
    if fresh.embedder is not None and fresh.embedder != present.embedder:
        before = str(present.embedder) if present.embedder else "no embedder"
        same = present.embedder is None or present.embedder_name == fresh.embedder_name != ""
        pairs.append(("embedder", before, str(fresh.embedder), same))
    if fresh.chunker != present.chunker:
        same = fresh.chunker.partition("/")[0] == present.chunker.partition("/")[0]
        pairs.append(("chunker", present.chunker, fresh.chunker, same))
    names = {"embedder": fresh.embedder_name, "chunker": fresh.chunker.partition("/")[0]}
    for what, before, now, same in pairs:
        if explicit[what] and not same and not may_rebuild:
            raise IndexMismatch(
                f"the index of {present.root} was built with {what} {before}, not {now}: "
                f"build it anew with 'fiuto index --{what} {names[what]}', or leave --{what} out"
            )
    if pairs:
        return "; ".join(f"{what} {before} -> {now}" for what, before, now, _ in pairs)
    if fresh.terms != present.terms:
        return f"terms {present.terms} -> {fresh.terms}"
    return ""
