"""Waiting for another process without keeping a core busy that it could use."""

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack

PATIENCE = 120
"""Seconds after which what was waited for is taken not to come."""
_PAUSE = 0.02


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(_PAUSE)


def until_listens(port: int) -> None:
    """Wait until somebody listens on a port of this machine."""
    until(lambda: _listens(port))


def free_ports(count: int) -> list[int]:
    """Ports of this machine on which nobody listens."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in held]


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0
