"""The addresses of the beginning: who is known here, whom a name means, and what one could ask.

Where people log in, only the questions are answered, about whoever logged in: who somebody is
was settled before the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from siliconfriend.clock import day_of
from siliconfriend.dialogue.example_questions import example_questions
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.near_names import near_names
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from ..access.chosen_language import chosen_language
from ..access.log_in import LogIn
from ..backend import Backend

PREFIX = "/beginning/"
PRIVATE = {"cache-control": "no-store"}


class BeginningRoutes:
    """Answers the beginning.

    Args:
        backend: of the page.
        log_in: None where nobody logs in.
    """

    def __init__(self, backend: Backend, log_in: LogIn | None) -> None:
        self._backend, self._log_in = backend, log_in

    def routes(self) -> list[BaseRoute]:
        """Return them all; where people log in, the questions alone."""
        asked: dict[str, Callable[[Request, Language], Any]] = {"questions": self._questions}
        if self._log_in is None:
            asked |= {"people": self._people, "name": self._name}
        return [
            Route(PREFIX + name, self._answering(handle), methods=["GET"])
            for name, handle in asked.items()
        ]

    def _answering(self, handle: Callable[[Request, Language], Any]) -> Any:
        async def answer(request: Request) -> Response:
            language = chosen_language(request, self._backend.settings.language)
            try:
                told = await run_in_threadpool(handle, request, language)
            except SiliconFriendError as error:
                return JSONResponse({"error": error.message(language)}, 400, PRIVATE)
            return JSONResponse(told, headers=PRIVATE)

        return answer

    def _people(self, request: Request, _language: Language) -> list[str]:
        companion = self._backend.chosen_companion(request.query_params)
        return [it.person for it in self._backend.store.scopes() if it.companion == companion]

    def _name(self, request: Request, language: Language) -> dict[str, Any]:
        """Return whom a typed name begins with, and whom it may have meant."""
        scope = self._scope(request)
        self._backend.check_newcomer(scope)
        if self._backend.store.exists(scope):
            return {"person": scope.person, "meant": []}
        return {
            "person": scope.person,
            "meant": near_names(scope.person, self._people(request, language)),
        }

    def _questions(self, request: Request, language: Language) -> list[str]:
        scope = self._scope(request)
        if not self._backend.store.exists(scope):
            return []
        memory = self._backend.store.load(scope)
        today = day_of(self._backend.now(memory), memory.profile.zone)
        return example_questions(memory, today, language)

    def _scope(self, request: Request) -> Scope:
        if self._log_in is None:
            name = request.query_params.get("name", "")
        else:
            name = self._log_in.user(request) or ""
        return Scope.of(name, self._backend.chosen_companion(request.query_params))
