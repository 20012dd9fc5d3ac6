"""The routes at the lines of the talk: parts further back, the search, and which answer stands.

They stand beside those of :mod:`webui.talk.routes`, under the same rules of whose talk it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Body, FastAPI, Query, Request
from pydantic import Field

from siliconfriend.clock import day_of
from siliconfriend.dialogue.put_back import put_back
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope

from ..access.asked import Asked
from ..backend import Backend
from .lines import MOST_LINES, last_turn, line_document, time_in
from .requests import Id, Line
from .said_where import said_in
from .search import FoundLine, find_lines
from .windows import WINDOW, TalkWindow, turns_after, turns_around, turns_before

LONGEST_SEARCH = 400
"""Characters; who puts in more is not searching."""


class Around(Line):
    """A line, or a memory that was said in one, in the midst of others."""

    most: int = Field(WINDOW, ge=1, le=MOST_LINES)


class Search(Asked):
    """Words that are looked for, in what was said before a line."""

    words: str = Field(max_length=LONGEST_SEARCH)
    before: Id = ""


class Choice(Line):
    """One of the answers that a message has got."""

    version: int = Field(ge=0)


class LineRoutes:
    """What the routes do.

    Args:
        backend: of the page, with the replies that are under way.
        scope_of: says whose talk a request may reach.
    """

    def __init__(self, backend: Backend, scope_of: Callable[[Request, Asked], Scope]) -> None:
        self._backend, self._replies, self._scope_of = backend, backend.replies, scope_of

    def add_to(self, app: FastAPI) -> None:
        """Add a route for each thing that can be asked for."""
        for path, read in (
            ("/earlier", self.earlier),
            ("/later", self.later),
            ("/around", self.around),
        ):
            app.add_api_route(path, read, methods=["GET"], response_model=None)
        # What is looked for stands in the body: an address may be written down on its way.
        for path, act in (("/search", self.search), ("/choose", self.choose)):
            app.add_api_route(path, act, methods=["POST"], response_model=None)

    def earlier(self, request: Request, asked: Annotated[Line, Query()]) -> dict[str, Any]:
        """Return the lines before one."""
        scope, memory = self._known(request, asked)
        return self._window(scope, memory, turns_before(memory, asked.id))

    def later(self, request: Request, asked: Annotated[Line, Query()]) -> dict[str, Any]:
        """Return the lines after one."""
        scope, memory = self._known(request, asked)
        return self._window(scope, memory, turns_after(memory, asked.id))

    def around(self, request: Request, asked: Annotated[Around, Query()]) -> dict[str, Any]:
        """Return a line in the midst of others, or the one in which a memory was first said."""
        scope, memory = self._known(request, asked)
        record = memory.find(asked.id)
        sources = said_in(memory, record) if record is not None else []
        if not sources:
            raise UsageError("line_gone")
        line = sources[0].id
        found = turns_around(memory, line, asked.most)
        return {"line": line, **self._window(scope, memory, found)}

    def search(self, request: Request, asked: Annotated[Search, Body()]) -> dict[str, Any]:
        """Return the lines in which all words stand, newest first."""
        _, memory = self._known(request, asked)
        found, is_more = find_lines(memory, asked.words, before=asked.before)
        zone = memory.profile.zone
        today = day_of(self._backend.now(memory), zone).isoformat()
        lines = [_found_document(it, memory) for it in found]
        return {"lines": lines, "more": is_more, "today": today}

    def choose(self, request: Request, asked: Annotated[Choice, Body()]) -> dict[str, Any]:
        """Let one of the answers to the last message stand in memory."""
        scope, memory = self._known(request, asked)
        talk = self._replies.talk(scope)
        if talk.running is not None:
            raise UsageError("talk_busy")
        last_turn(memory, asked.id)
        versions, _ = talk.versions.of(memory, asked.id)
        if asked.version >= len(versions):
            raise UsageError("answer_gone")
        put_back(self._backend.store, scope, versions[asked.version], erased=talk.versions.erased)
        self._replies.changed(scope)
        return {"version": asked.version}

    def _known(self, request: Request, asked: Asked) -> tuple[Scope, PersonMemory]:
        scope, store = self._scope_of(request, asked), self._backend.store
        if not store.exists(scope):
            raise UsageError("unknown_person", name=scope.person)
        return scope, store.load(scope)

    def _window(self, scope: Scope, memory: PersonMemory, found: TalkWindow) -> dict[str, Any]:
        talk, zone = self._replies.talk(scope), memory.profile.zone
        lines = [line_document(turn, talk, zone) for turn in found.turns]
        return {"lines": lines, "earlier": found.is_earlier, "later": found.is_later}


def _found_document(found: FoundLine, memory: PersonMemory) -> dict[str, Any]:
    turn = found.turn
    return {
        "id": turn.id,
        "date": turn.date,
        "time": time_in(turn, memory.profile.zone),
        "by": found.by,
        "excerpt": found.excerpt,
    }
