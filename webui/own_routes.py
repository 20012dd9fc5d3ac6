"""The page's routes that are not Gradio's: a list, and the beginnings of their addresses.

They stand before Gradio's and behind :class:`webui.request_guard.RequestGuard`, which lets a
request through only where its address begins like one of these.
"""

from __future__ import annotations

from starlette.routing import BaseRoute

from .access.log_in import LogIn
from .backend import Backend
from .beginning.routes import BeginningRoutes
from .companions.routes import CompanionRoutes
from .look.static_files import static_routes
from .memories.routes import memory_route
from .shell.install import install_route
from .talk.routes import talk_route


def own_routes(backend: Backend, log_in: LogIn | None) -> list[BaseRoute]:
    """Return them all, to stand before Gradio's.

    Args:
        backend: of the page.
        log_in: None where nobody logs in.
    """
    return [
        *static_routes(),
        install_route(backend),
        *BeginningRoutes(backend, log_in).routes(),
        *CompanionRoutes(backend.settings, backend.clock, log_in).routes(),
        memory_route(backend, log_in),
        talk_route(backend, log_in),
    ]
