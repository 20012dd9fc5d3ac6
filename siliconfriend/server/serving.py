"""Serving the API: its address, its keys, and the process that listens.

A memory must never be open by accident. So there is always an operator's key, made at the
first start where nobody named one, and whoever wants none gets this machine alone.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable

import uvicorn

from siliconfriend.errors import ConfigurationError
from siliconfriend.keys import SHORTEST_OPERATOR_KEY, Keys
from siliconfriend.models.fallback import second_sentence
from siliconfriend.origins import LOOPBACK
from siliconfriend.runtime import Runtime
from siliconfriend.server.access import Access
from siliconfriend.server.app import create_app
from siliconfriend.server.context import ServerContext
from siliconfriend.texts import text

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection stays open: longer than clients keep theirs (httpx, and with it
OpenAI's library, 5 s), or a request would meet one that is just being closed."""

SWITCH_SECONDS = 0.001
"""How long a thread that computes keeps the others waiting; by Python's own 5 ms every piece of
a reply would wait for another's recall."""
BACKLOG = 2048
"""Connections that may wait to be accepted."""
LONGEST_SHUTDOWN = 10
"""Seconds that answers under way have when the server is told to end."""


def serve(
    runtime: Runtime,
    *,
    host: str,
    port: int,
    with_keys: bool,
    say: Callable[[str], None],
    mcp_only: bool = False,
) -> None:
    """Serve until interrupted.

    Args:
        runtime: its settings name the data directory, the companion, the model and who may
            come in.
        host: the address to listen on.
        port: 0 takes any free one.
        with_keys: False answers everyone who reaches it as the operator.
        say: prints a line beside the answer, on standard error.
        mcp_only: serve MCP alone.

    Raises:
        ConfigurationError: a host that others could reach, with no keys; a port that is taken;
            or a file of keys that cannot be read or written.
    """
    if not with_keys and host not in LOOPBACK:
        raise ConfigurationError("serve_only_loopback", host=host)
    settings = runtime.settings
    keys = _keys(runtime, say) if with_keys else None
    listening = _listen(host, port)
    access = Access.of(settings, host, keys)
    context = ServerContext(runtime, access)
    app = create_app(context, access.origins, mcp_only=mcp_only)
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.Thread(target=context.preload, daemon=True).start()
    address = listening.getsockname()
    path = "/mcp" if mcp_only else "/v1"
    shown = f"[{host}]" if ":" in host else host
    say(text("server", "listens_at", settings.language, url=f"http://{shown}:{address[1]}{path}"))
    if runtime.chat is not None:
        model = runtime.chat
        label = text("server", "model", settings.language, model=model.name, address=model.address)
        say(label + second_sentence(model, settings.language))
    uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            use_colors=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=LONGEST_SHUTDOWN,
        )
    ).run(sockets=[listening])


def _keys(runtime: Runtime, say: Callable[[str], None]) -> Keys:
    """Open the keys, and print the operator's if it was made now."""
    keys, settings = runtime.shared.keys, runtime.settings
    language = settings.language
    made = keys.ensure_operator()
    if made is not None:
        say(text("server", "operator_key", language, key=made))
    if settings.operator_key and len(settings.operator_key) < SHORTEST_OPERATOR_KEY:
        say(text("server", "operator_key_short", language, shortest=SHORTEST_OPERATOR_KEY))
    return keys


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # Who reads the address may ask at once, and waits until the application is there.
        listening.listen(BACKLOG)
    except (OSError, TypeError) as error:  # a TypeError is of a host that no name can be
        listening.close()
        raise ConfigurationError("serve_port", host=host, port=port, cause=error) from error
    return listening
