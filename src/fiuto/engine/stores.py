"""Where an index is kept, by the settings: files of this user, or a collection on a server."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from fiuto import registry
from fiuto.config import Cluster, Settings, environment
from fiuto.engine.consent import make_sure_of_consent
from fiuto.engine.places import Place
from fiuto.errors import UsageError
from fiuto.protocols import Collection, Store

__all__ = ["make_collection", "make_scratch", "make_store"]


def make_store(settings: Settings, place: Place, revision: str = "", build: int = 0) -> Store:
    """
    The store of one folder; nothing is opened before it is used.

    Args:
        settings: of the folder.
        place: where its files would lie.
        revision: what of it is indexed, for a server that others ask too.
        build: of a collection, instead of the one that readers find.

    Raises:
        UsageError: an address or a name that cannot be used, or elsewhere without consent.
    """
    cluster = settings.store
    if not cluster.url:
        return cast("Store", registry.load("store", "local")(place.folder))
    kind = _kind(cluster.url)
    make_sure_of_consent(cluster.url)
    made = registry.load("store", kind)(
        cluster.url, cluster.repository or place.name, revision, build, **_how(cluster)
    )
    return cast("Store", made)


def make_collection(cluster: Cluster) -> Collection:
    """
    All repositories of a collection.

    Raises:
        UsageError: an address that cannot be used, or elsewhere and without consent.
    """
    kind = _kind(cluster.url)
    make_sure_of_consent(cluster.url)
    made = registry.load("collection", kind)(cluster.url, **_how(cluster))
    return cast("Collection", made)


def make_scratch(cluster: Cluster) -> tuple[Collection, Callable[[str], Callable[[], Store]]]:
    """
    A collection beside the one of ``cluster`` that is not there yet, and its stores.

    Raises:
        UsageError: an address that cannot be used.
    """
    scratch = replace(cluster, url=f"{cluster.url}_fiuto_probe_{uuid.uuid4().hex[:8]}")
    make, how = registry.load("store", _kind(scratch.url)), _how(scratch)

    def store_of(repository: str) -> Callable[[], Store]:
        return lambda: cast("Store", make(scratch.url, repository, **how))

    made = registry.load("collection", _kind(scratch.url))(scratch.url, **how)
    return cast("Collection", made), store_of


def _kind(url: str) -> str:
    kind, mark, _ = url.partition("://")
    if not mark or kind not in registry.known("collection"):
        raise UsageError(f"{url!r} is no store; write it as milvus://host:19530/collection")
    return kind


def _how(cluster: Cluster) -> dict[str, Any]:
    token = environment(cluster.token_env) if cluster.token_env else ""
    if cluster.token_env and not token:
        raise UsageError(f"[store] token_env names {cluster.token_env}, which is not set")
    return {
        "token": token, "tls": cluster.tls, "ca": cluster.ca,
        "consistency": cluster.consistency, "timeout": cluster.timeout,
    }  # fmt: skip
