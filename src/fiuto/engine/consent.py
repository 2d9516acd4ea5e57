"""Who may be sent the text of a folder: this machine, and whom the user has named."""

from __future__ import annotations

from urllib.parse import urlsplit

from fiuto.config import environment
from fiuto.errors import UsageError

__all__ = ["make_sure_of_consent"]


def make_sure_of_consent(url: str) -> None:
    """
    Refuse an address elsewhere that only a file in the searched folder speaks for.

    Whoever wrote that file would get the code, the questions and a key of the environment.

    Raises:
        UsageError: the user's environment does not name the host.
    """
    host = (urlsplit(url).hostname or "").lower()
    named = {name.strip().lower() for name in environment("FIUTO_REMOTE_HOSTS").split(",")}
    if host not in named and not _is_here(host):
        raise UsageError(
            f"the settings of this folder would send its text to {host}: "
            f"if you want that, set FIUTO_REMOTE_HOSTS={host}"
        )


def _is_here(host: str) -> bool:
    from ipaddress import ip_address  # noqa: PLC0415 - few have an endpoint

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
