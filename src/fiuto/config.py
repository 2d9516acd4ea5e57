"""
Settings: what a user may choose, and where the choice comes from.

Precedence, first wins:

1. what the caller passes (a flag, an argument);
2. the environment: ``FIUTO_HOME``, ``FIUTO_EMBEDDER``, ``FIUTO_CHUNKER``, ``FIUTO_PROFILE``,
   ``FIUTO_DEEP`` (1 or 0), ``FIUTO_DEEP_BUDGET``, ``FIUTO_DEEP_EMBEDDER``; and
   ``FIUTO_REMOTE_HOSTS``, to which a folder's ``[remote]`` or ``[store]`` may send its text;
3. ``fiuto.toml`` in the root, or ``[tool.fiuto]`` in its ``pyproject.toml``;
4. the defaults below.

"Not given" is a value of its own (:data:`UNSET`), so that asking for the default
by name wins over a file that says otherwise.  This is the only module that reads
the environment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from fiuto.errors import UsageError
from fiuto.model import LABELS, Label
from fiuto.values import dataclass

__all__ = [
    "UNSET",
    "Cluster",
    "Remote",
    "Settings",
    "Unset",
    "cores",
    "environment",
    "given",
    "load",
    "user_home",
]

T = TypeVar("T")


class Unset(Enum):
    """The type of :data:`UNSET`."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
"""Not given, which is not the same as given the default."""

Maybe: TypeAlias = T | Unset


@dataclass(frozen=True, slots=True)
class Remote:
    """The ``[remote]`` table: an OpenAI-compatible embeddings endpoint."""

    url: str = ""
    """Up to and including ``/v1``."""
    model: str = ""
    key_env: str = ""
    """Name of the environment variable that holds the API key; the key is never stored."""
    dimension: int = 0
    """0: learnt from the first answer."""
    batch: int = 32
    timeout: float = 30.0
    """Seconds."""
    query_prefix: str = ""
    document_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The ``[store]`` table: a collection on a server, instead of files in the user's cache."""

    url: str = ""
    """``milvus://host:19530/collection``; empty for the local store."""
    repository: str = ""
    """What this folder is called there; empty for its name with a hash of its path."""
    token_env: str = ""
    """Name of the environment variable that holds ``user:password`` or an API key."""
    tls: bool = False
    ca: str = ""
    """File of the certificate authority; empty for the system's."""
    consistency: str = "Strong"
    """Strong, Session, Bounded or Eventually."""
    timeout: float = 30.0
    """Seconds a request."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings as meant, with every default filled in."""

    embedder: Maybe[str] = UNSET
    """UNSET: whatever the index was built with, the shipped model for a new one."""
    chunker: Maybe[str] = UNSET
    profile: str = "default"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    secrets: bool = False
    """True puts files that hold secrets into the index."""
    max_bytes: int = 1_000_000
    labels: Mapping[str, Label] = field(default_factory=dict)
    """Path glob -> label, before the built-in rules."""
    k: int = 10
    mode: str = "hybrid"
    deep: bool = False
    """True has the best of the pool read again by ``deep_embedder`` at every question."""
    deep_budget: float = 3.0
    """Seconds of that, a question."""
    deep_embedder: str = "minilm"
    remote: Remote = Remote()
    store: Cluster = Cluster()
    home: Path = Path()


_TYPES: Mapping[str, tuple[type, ...]] = {
    "embedder": (str,), "chunker": (str,), "profile": (str,), "include": (list,),
    "exclude": (list,), "secrets": (bool,), "max_bytes": (int,), "labels": (dict,), "k": (int,),
    "mode": (str,), "remote": (dict,), "deep": (bool,), "deep_budget": (float, int),
    "deep_embedder": (str,), "store": (dict,),
}  # fmt: skip
_TABLES: Mapping[str, type[Remote | Cluster]] = {"remote": Remote, "store": Cluster}
_ENVIRONMENT = {
    "FIUTO_EMBEDDER": "embedder", "FIUTO_CHUNKER": "chunker", "FIUTO_PROFILE": "profile",
    "FIUTO_DEEP": "deep", "FIUTO_DEEP_BUDGET": "deep_budget",
    "FIUTO_DEEP_EMBEDDER": "deep_embedder",
}  # fmt: skip


_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
"""How a variable says yes and no."""


def given(value: Maybe[T], otherwise: T) -> T:
    """``value``, or ``otherwise`` where it was not given."""
    return otherwise if isinstance(value, Unset) else value


def environment(name: str) -> str:
    """An environment variable, empty where it is not set."""
    return os.environ.get(name, "")  # noqa: TID251 - the one place


def cores() -> int:
    """Processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # macOS has none
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def user_home(explicit: Path | None = None) -> Path:
    """Where indexes are kept: ``explicit``, ``FIUTO_HOME``, or the user's cache folder."""
    if explicit is not None:
        return explicit
    if named := environment("FIUTO_HOME"):
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - 25 ms

    return user_cache_path("fiuto", appauthor=False)


def load(root: Path, explicit: Mapping[str, object]) -> Settings:
    """
    The settings for ``root``.

    Args:
        root: the folder that is indexed.
        explicit: names and values the caller passed; UNSET counts as not passed.

    Raises:
        UsageError: a settings file or value that cannot be understood, with file and key.
    """
    settings = _applied(Settings(), *_file(root))
    for variable, name in _ENVIRONMENT.items():
        if value := environment(variable):
            settings = _applied(settings, {name: _read(name, value)}, variable)
    passed = {k: v for k, v in explicit.items() if v is not UNSET}
    home = passed.pop("home", None)
    settings = _applied(settings, passed, "the arguments")
    return replace(settings, home=user_home(home if isinstance(home, Path) else None))


def _file(root: Path) -> tuple[dict[str, Any], str]:
    """The table of the root's settings file, and the file's name for messages."""
    for name, keys in (("fiuto.toml", ()), ("pyproject.toml", ("tool", "fiuto"))):
        path = root / name
        if not path.is_file():
            continue
        try:
            text = path.read_text("utf-8-sig")
            if keys and keys[-1] not in text:  # most projects say nothing of us
                continue
            import tomllib  # noqa: PLC0415 - 3 ms

            table: Any = tomllib.loads(text)
        except (OSError, ValueError) as error:
            if keys:  # somebody else's file: not ours to complain about
                continue
            raise UsageError(f"{path} cannot be read: {error}") from error
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if table or not keys:
            return table, str(path)
    return {}, ""


def _read(name: str, value: str) -> object:
    """The text of a variable as what its setting is; unchanged where it cannot be that."""
    if _TYPES[name] == (bool,):
        return _TRUTH.get(value.lower(), value)
    if float in _TYPES[name]:
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _applied(settings: Settings, table: Mapping[str, Any], where: str) -> Settings:
    """``settings`` with the entries of ``table``, each checked."""
    changes: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _TYPES:
            names = ", ".join(sorted(_TYPES))
            raise UsageError(f"{where}: unknown setting {key!r}; known: {names}")
        if isinstance(value, tuple):
            value = list(value)  # noqa: PLW2901 - the caller's form of the same thing
        if not isinstance(value, _TYPES[key]) or (
            isinstance(value, bool) and bool not in _TYPES[key]
        ):
            kind = _TYPES[key][0].__name__
            raise UsageError(f"{where}: {key} must be a {kind}, not {value!r}")
        changes[key] = _converted(key, value, where)
    return replace(settings, **changes)


def _converted(key: str, value: Any, where: str) -> Any:
    if key in ("include", "exclude"):
        if not all(isinstance(item, str) for item in value):
            raise UsageError(f"{where}: {key} must hold strings")
        return tuple(value)
    if key == "labels":
        bad = [str(label) for label in value.values() if label not in LABELS]
        if bad:
            raise UsageError(f"{where}: no label {bad[0]!r}; known: {', '.join(LABELS)}")
        return dict(value)
    if key in _TABLES:
        kind = _TABLES[key]
        names = {f.name: type(getattr(kind(), f.name)) for f in fields(kind)}
        for name, item in value.items():
            kinds = (names[name], int) if names.get(name) is float else names.get(name, ())
            # True is a whole number to Python, and none to anybody else.
            fits = isinstance(item, kinds) and isinstance(item, bool) == (kinds is bool)
            if not fits:
                raise UsageError(f"{where}: [{key}] does not know {name} = {item!r}")
        return kind(**value)
    if key in ("k", "max_bytes") and value < 1:
        raise UsageError(f"{where}: {key} must be at least 1, not {value}")
    if key == "deep_budget" and not 0 < value < float("inf"):
        raise UsageError(f"{where}: deep_budget must be seconds, more than 0, not {value}")
    return value
