"""The routes of the memories and the portrait: what is shown of them, and what is done to them.

They stand behind :class:`RequestGuard`. Whose memory it is decides the log-in alone where there
is one; an id is looked up in that memory and nowhere else. The page asks for the days that come
into sight, so that a life of thousands of them opens as fast as a week.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body, FastAPI, Query, Request
from pydantic import Field
from starlette.routing import BaseRoute

from siliconfriend.control import actions
from siliconfriend.control.edit import correct_text, edit_memory
from siliconfriend.control.listing import MemoryRow
from siliconfriend.control.search import memories_with_words
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

from ..access.asked import Asked
from ..access.chosen_companion import PARAMETER
from ..access.json_routes import USER, json_mount
from ..access.log_in import LogIn
from ..backend import Backend
from ..portrait.glance import Glances
from ..portrait.panel import portrait_of
from ..portrait.parts import words_of_part
from ..words.labels import say
from ..words.markup import quiet
from .import_export import ImportExportRoutes
from .timeline import MemoryFilter, Timeline, counted, ordered

PREFIX = "/memories/"
FOUND = 30
MOST_DAYS = 40
"""Days of one request; as many as ever come into sight at once."""
LONGEST_WORDS = 100_000
"""Characters of a correction, as many as of a message."""

UNDONE_BY = {
    "pin": "unpin",
    "unpin": "pin",
    "forget": "restore",
    "restore": "forget",
    "unkeep": "rekeep",
    "rekeep": "unkeep",
}

Id = Annotated[str, Field(max_length=200)]


class Filtered(Asked):
    """Which memories are asked for: of a kind, in a state, holding words, of some days."""

    kind: str = Field("", max_length=20)
    state: str = Field("", max_length=20)
    words: str = Field("", max_length=1000)
    days: str = Field("", max_length=12 * MOST_DAYS)

    @property
    def filter(self) -> MemoryFilter:
        """The filter itself."""
        return MemoryFilter(self.kind, self.state)


class Looking(Asked):
    """A look at the portrait; without ``ahead`` at once, as long as no plan has been read."""

    ahead: bool = True


class OfOne(Asked):
    """A memory, or a text of the portrait."""

    id: Id


class Acting(Asked):
    """An action of :mod:`siliconfriend.control.actions`, for a memory."""

    id: Id
    act: actions.Action


class Wording(Asked):
    """New words for a memory or a text; ``response`` of a line alone."""

    id: Id
    words: str = Field(max_length=LONGEST_WORDS)
    response: str = Field("", max_length=LONGEST_WORDS)


class MemoryRoutes:
    """What the routes do, for everybody who uses the page."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._glances = Glances()

    def add_to(self, app: FastAPI) -> None:
        """Add a route for each thing that can be asked for."""
        for path, read in (
            ("/timeline", self.timeline),
            ("/counted", self.counted),
            ("/days", self.days),
            ("/found", self.found),
            ("/words", self.words),
            ("/portrait", self.portrait),
        ):
            app.add_api_route(path, read, methods=["GET"], response_model=None)
        for path, act in (("/act", self.act), ("/erase", self.erase), ("/edit", self.edit)):
            app.add_api_route(path, act, methods=["POST"], response_model=None)

    def timeline(self, request: Request, asked: Annotated[Filtered, Query()]) -> dict[str, Any]:
        """Return the days that hold what is asked for, newest first."""
        known = self._known(request, asked)
        if known is None:
            return {"days": []}
        return {"days": self._timeline(known[1], asked.language).dates(asked.filter)}

    def counted(self, request: Request, asked: Annotated[Asked, Query()]) -> dict[str, Any]:
        """Return how much there is in words; to know it of years takes longer than to list them."""
        known = self._known(request, asked)
        if known is None:
            return {"words": say("nobody_yet", asked.language)}
        rows = self._timeline(known[1], asked.language).rows(MemoryFilter())
        return {"words": counted(rows, asked.language)}

    def days(self, request: Request, asked: Annotated[Filtered, Query()]) -> dict[str, Any]:
        """Return some days as HTML, by their dates; empty where nothing of one is left."""
        known = self._known(request, asked)
        if known is None:
            return {"days": {}}
        timeline = self._timeline(known[1], asked.language)
        wanted = asked.days.split(",")[:MOST_DAYS]
        return {"days": {it: timeline.day(it, asked.filter) for it in wanted}}

    def found(self, request: Request, asked: Annotated[Filtered, Query()]) -> dict[str, Any]:
        """Return what words or a question find as HTML, best first."""
        known = self._known(request, asked)
        if known is None:
            return {"html": quiet(say("nobody_yet", asked.language))}
        timeline = self._timeline(known[1], asked.language)
        rows = self._searched(known, asked.words, timeline.rows(asked.filter))
        return {"html": timeline.found(rows) or quiet(say("none_found", asked.language))}

    def words(self, request: Request, asked: Annotated[OfOne, Query()]) -> dict[str, Any]:
        """Return the words of a memory or a text, to be corrected; ``response`` of a line."""
        _, memory = self._must_know(request, asked)
        record = memory.find(asked.id)
        if isinstance(record, Turn):
            return {"words": record.query, "response": record.response}
        return {"words": words_of_part(memory, asked.id), "response": None}

    def portrait(self, request: Request, asked: Annotated[Looking, Query()]) -> dict[str, Any]:
        """Return the portrait as HTML."""
        known = self._known(request, asked)
        if known is None:
            return {"html": quiet(say("no_portrait", asked.language))}
        found = portrait_of(self._backend, self._glances, *known, asked.language, ahead=asked.ahead)
        return {"html": found.html()}

    def act(self, request: Request, asked: Annotated[Acting, Body()]) -> dict[str, Any]:
        """Do what is done at once and can be undone; returns what was done and what undoes it."""
        scope, memory = self._must_know(request, asked)
        ids = asked.id.split() or [asked.id]
        actions.act(self._backend.store, scope, asked.act, ids, self._backend.now(memory))
        self._backend.replies.changed(scope)
        told = say(f"done.{asked.act}", asked.language)
        return {"told": told, "undo": UNDONE_BY[asked.act]}

    def erase(self, request: Request, asked: Annotated[OfOne, Body()]) -> dict[str, Any]:
        """Erase a memory for good, and return the sentence that proves it."""
        scope, memory = self._must_know(request, asked)
        actions.find_memories(memory, [asked.id])
        told = self._backend.erase(scope, asked.id, asked.language)
        self._backend.replies.erased(scope)
        return {"told": told}

    def edit(self, request: Request, asked: Annotated[Wording, Body()]) -> dict[str, Any]:
        """Correct the words of a memory or of a text of the portrait."""
        scope, memory = self._must_know(request, asked)
        record, now = memory.find(asked.id), self._backend.now(memory)
        store, words = self._backend.store, asked.words.strip()
        if not words:
            raise UsageError("edit_words", id=asked.id)
        if isinstance(record, Turn):
            edit_memory(store, scope, asked.id, now, query=words, response=asked.response)
        elif record is not None:
            edit_memory(store, scope, asked.id, now, text=words)
        else:
            correct_text(store, scope, asked.id, words, now)
            return {"told": say("corrected", asked.language)}
        self._backend.replies.erased(scope)
        return {"told": say("done.edit", asked.language)}

    def _timeline(self, memory: PersonMemory, language: Language) -> Timeline:
        return Timeline(memory, self._backend.policy, self._backend.now(memory), language)

    def _searched(
        self, known: tuple[Scope, PersonMemory], words: str, found: list[MemoryRow]
    ) -> list[MemoryRow]:
        """Return rows that contain the words first, then those that recall finds by meaning."""
        scope, memory = known
        holds = [record.id for record in memories_with_words(memory, words)]
        recalled = self._backend.recaller.recall(
            scope, words, now=self._backend.now(memory), top=FOUND
        )
        ids = [*holds, *(it.memory.id for it in recalled.memories)]
        return list(ordered(found, ids))[:FOUND]

    def _known(self, request: Request, asked: Asked) -> tuple[Scope, PersonMemory] | None:
        """Return whose memory it is and its newest state; None where there is none yet."""
        request.state.language = asked.language
        query = {PARAMETER: asked.companion}
        scope = self._backend.scope_of(asked.person, request.scope.get(USER), query)
        if scope is None or not self._backend.store.exists(scope):
            return None
        return scope, self._backend.store.load(scope)

    def _must_know(self, request: Request, asked: Asked) -> tuple[Scope, PersonMemory]:
        known = self._known(request, asked)
        if known is None:
            raise UsageError("unknown_person", name=asked.person)
        return known


def memory_route(backend: Backend, log_in: LogIn | None) -> BaseRoute:
    """Return the route of all that is below ``/memories``, to stand before Gradio's own."""
    routes = (MemoryRoutes(backend), ImportExportRoutes(backend))
    return json_mount(PREFIX, routes, backend.settings.language, log_in)
