"""Import and export of one's own memory on the page.

A file goes from the browser into memory and from memory into the browser, as the body of a
request: no copy of it lies in a folder that erasing would not reach, or under a path that
somebody else could name.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request
from starlette.concurrency import run_in_threadpool

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.memory.import_export import export_memorybank, export_native, import_bank
from siliconfriend.memory.scope import Scope, clean_name

from ..access.asked import Asked
from ..access.chosen_companion import PARAMETER
from ..access.json_routes import USER
from ..backend import Backend
from ..words.labels import say

IMPORT = "/import"
"""The route that takes a file, below that of the memories."""


class Export(Asked):
    """In which form: MemoryBank's, or our own."""

    form: Literal["bank", "native"]


class ImportExportRoutes:
    """What the routes do, for everybody who uses the page."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def add_to(self, app: FastAPI) -> None:
        """Add both routes."""
        app.add_api_route("/export", self.export, methods=["GET"], response_model=None)
        app.add_api_route(IMPORT, self.take_in, methods=["POST"], response_model=None)

    def export(self, request: Request, asked: Annotated[Export, Query()]) -> dict[str, Any]:
        """Return the whole memory as a document."""
        scope = self._scope(request, asked)
        if scope is None or not self._backend.store.exists(scope):
            raise UsageError("unknown_person", name=asked.person)
        memory = self._backend.store.load(scope)
        if asked.form == "native":
            return export_native(memory, scope.companion)
        return export_memorybank(memory)

    async def take_in(self, request: Request, asked: Annotated[Asked, Query()]) -> dict[str, Any]:
        """Add what a file holds of this person and is new; the body is the file."""
        data = await request.body()
        return await run_in_threadpool(self._import, request, asked, data)

    def _import(self, request: Request, asked: Asked, data: bytes) -> dict[str, Any]:
        scope = self._scope(request, asked)
        if scope is None:
            raise UsageError("unknown_person", name=asked.person)
        settings = self._backend.settings
        report = import_bank(
            self._backend.store,
            own_part(scope.person, data),
            language=asked.language,
            companion=scope.companion,
            zone=settings.zone,
            now=self._backend.clock.now(settings.zone),
        )
        self._backend.replies.changed(scope)
        return {"told": say("imported", asked.language, turns=report.turns)}

    def _scope(self, request: Request, asked: Asked) -> Scope | None:
        request.state.language = asked.language
        query = {PARAMETER: asked.companion}
        return self._backend.scope_of(asked.person, request.scope.get(USER), query)


def own_part(person: str, data: bytes) -> dict[str, Any]:
    """Return what a file holds of this person; nobody else's memory is written from their page.

    Raises:
        UnreadableFile: no JSON object, or nobody of that name in it.
    """
    try:
        bank = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("import_no_json", cause=error) from error
    if not isinstance(bank, dict):
        raise UnreadableFile("import_no_people")
    own = {name: form for name, form in bank.items() if clean_name(name) == person}
    if not own:
        raise UnreadableFile("import_not_yours", name=person)
    return own
