"""Check the Host and Origin headers of a request, for the web page and the HTTP server.

A page of another site can send requests to this machine, also through a host name of its own
that resolves to it.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""Host names of the machine itself."""


def host_name(host: str) -> str:
    """Return a Host header without its port, an IPv6 address without brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_own_origin(
    origin: str, host: str, *, forwarded_host: str | None = None, allowed: Collection[str] = ()
) -> bool:
    """Return True if a page of this server or of an allowed site sent the request.

    Args:
        origin: the Origin header.
        host: the Host header.
        forwarded_host: the host that a proxy was asked for; None without a proxy.
        allowed: origins of other sites, such as ``https://chat.example``.
    """
    if origin in allowed:
        return True
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(site) and site in {host, host if forwarded_host is None else forwarded_host}
