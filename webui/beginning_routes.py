"""The addresses of the beginning: who is known here, and whether a name can be begun with.

Where people log in there is nothing here: who somebody is was settled before the page.
"""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from .backend import Backend
from .chosen_language import chosen_language
from .log_in import LogIn

PREFIX = "/beginning/"


class BeginningRoutes:
    """Answers the beginning.

    Args:
        backend: of the page.
        log_in: None where nobody logs in.
    """

    def __init__(self, backend: Backend, log_in: LogIn | None) -> None:
        self._backend, self._log_in = backend, log_in

    def routes(self) -> list[BaseRoute]:
        """Return them all; none where people log in."""
        if self._log_in is not None:
            return []
        return [
            Route(PREFIX + "people", self._people, methods=["GET"]),
            Route(PREFIX + "name", self._name, methods=["GET"]),
        ]

    async def _people(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self._known, request))

    def _known(self, request: Request) -> list[str]:
        companion = self._backend.chosen_companion(request.query_params)
        return [it.person for it in self._backend.store.scopes() if it.companion == companion]

    async def _name(self, request: Request) -> Response:
        language = chosen_language(request, self._backend.settings.language)
        return JSONResponse(await run_in_threadpool(self._validate, request, language))

    def _validate(self, request: Request, language: Language) -> dict[str, Any]:
        try:
            companion = self._backend.chosen_companion(request.query_params)
            scope = Scope.of(request.query_params.get("name", ""), companion)
            self._backend.check_newcomer(scope)
        except SiliconFriendError as error:
            return {"refused": error.message(language)}
        return {"person": scope.person}
