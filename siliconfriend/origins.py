"""Which hosts and which sites a server on this machine answers.

A page on another site can send requests to this machine, and can reach a server on the
loopback through a name of its own that leads here. The web page and the HTTP server both
refuse that by these rules; a server with rules of its own would be the open door.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names by which a machine calls itself."""


def host_name(host: str) -> str:
    """A Host header without its port; an IPv6 address without its brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_own_origin(
    origin: str, host: str, *, forwarded_host: str | None = None, allowed: Collection[str] = ()
) -> bool:
    """True if a page of this server, or of a site that is allowed, sent the request.

    Args:
        origin: the Origin header.
        host: the Host header.
        forwarded_host: what a proxy says the host was; None where there is none.
        allowed: origins of other sites, ``https://chat.example`` say.
    """
    if origin in allowed:
        return True
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(site) and site in {host, host if forwarded_host is None else forwarded_host}
