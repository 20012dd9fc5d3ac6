"""The routes of the chat view: the talk as JSON, what is done in it, and its events.

They stand behind :class:`RequestGuard`, which refuses other sites and whoever is not logged in.
Whose talk it is decides the log-in alone where there is one, and the name in the request where
nobody logs in; any other rule would open one person's talk to another.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from fastapi import Body, FastAPI, Header, Query, Request
from fastapi.responses import StreamingResponse
from starlette.routing import BaseRoute

from siliconfriend.control.opt_out import mark_unkept
from siliconfriend.errors import UsageError
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.server.sse import event_stream
from siliconfriend.texts import Language, text

from ..access.asked import Asked
from ..access.chosen_companion import PARAMETER
from ..access.json_routes import USER, json_mount
from ..access.log_in import LogIn
from ..backend import Backend
from ..cards.line_cards import turn_cards
from ..replies.following import follow_talk
from ..replies.running_replies import Message, Talk
from ..replies.talks import answered_elsewhere
from .line_routes import LineRoutes
from .lines import answers_document, has_earlier, last_turn, newest_lines
from .requests import Line, Lines, Saying, Shown, Waiting

PREFIX = "/talk/"


class TalkRoutes:
    """What the routes do, for everybody who uses the page.

    Args:
        backend: of the page, with the replies that are under way.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend, self._replies = backend, backend.replies

    def add_to(self, app: FastAPI) -> None:
        """Add a route for each thing that can be asked for."""
        for path, read in (
            ("/state", self.state),
            ("/cards", self.cards),
            ("/events", self.events),
        ):
            app.add_api_route(path, read, methods=["GET"], response_model=None)
        for path, act in (
            ("/open", self.open),
            ("/say", self.say),
            ("/stop", self.stop),
            ("/withdraw", self.withdraw),
            ("/undo", self.undo),
            ("/unkeep", self.unkeep),
            ("/rekeep", self.rekeep),
        ):
            app.add_api_route(path, act, methods=["POST"], response_model=None)

    def open(self, request: Request, asked: Annotated[Asked, Body()]) -> dict[str, Any]:
        """Return the talk to a tab that shows it first, with what the companion says unasked."""
        scope = self.scope_of(request, asked)
        self._backend.preloader.begin(scope)
        unasked = self._backend.first_words(scope)
        return {**self._state(scope, asked), "unasked": unasked}

    def state(self, request: Request, asked: Annotated[Shown, Query()]) -> dict[str, Any]:
        """Return the newest lines, the reply under way and what waits for it."""
        return self._state(self.scope_of(request, asked), asked, asked.since)

    def cards(self, request: Request, asked: Annotated[Line, Query()]) -> dict[str, Any]:
        """Return HTML of the memories that a line's reply was given."""
        memory = self._known(self.scope_of(request, asked))
        turn = memory.find(asked.id)
        if not isinstance(turn, Turn):
            raise UsageError("memory_unknown", id=asked.id)
        now, policy = self._backend.now(memory), self._backend.policy
        return {"html": turn_cards(turn, memory, policy, now, asked.language)}

    async def events(
        self,
        request: Request,
        asked: Annotated[Asked, Query()],
        last_event_id: Annotated[str, Header()] = "",
    ) -> StreamingResponse:
        """Send what happens in the talk, from the event after the one that the tab heard last."""
        scope = self.scope_of(request, asked)
        talk, after = self._replies.talk(scope), self._replies.number_of(last_event_id)
        waits_for = self.waits_for(scope, asked.language)
        return event_stream(follow_talk(talk, after, asked.tab, self._replies.event_id, waits_for))

    def say(self, request: Request, asked: Annotated[Saying, Body()]) -> dict[str, Any]:
        """Take a message, or answer the last one again; it waits where a reply is under way."""
        scope = self.scope_of(request, asked)
        talk, words = self._replies.talk(scope), asked.words.strip()
        if asked.again:
            stands = self._last_turn(scope, talk, asked.again)
            words = words or stands.query
        if not words:
            raise UsageError("nothing_said")
        is_coming = self._replies.say(
            scope,
            Message(
                asked.key,
                words,
                asked.tab,
                asked.language,
                self._now(self._memory(scope)),
                asked.off_record and not asked.again,
                asked.again,
            ),
        )
        return {"key": asked.key, "is_coming": is_coming}

    def stop(self, request: Request, asked: Annotated[Asked, Body()]) -> dict[str, Any]:
        """Stop the reply under way; what was said so far is kept."""
        self._replies.stop(self.scope_of(request, asked))
        return {}

    def withdraw(self, request: Request, asked: Annotated[Waiting, Body()]) -> dict[str, Any]:
        """Take a message back that waits; ``words`` is null where it does not wait any more."""
        talk = self._replies.talk(self.scope_of(request, asked))
        found = talk.withdraw(asked.key)
        return {"words": None if found is None else found.words}

    def undo(self, request: Request, asked: Annotated[Line, Body()]) -> dict[str, Any]:
        """Erase the last line for good; returns its words."""
        scope = self.scope_of(request, asked)
        talk = self._replies.talk(scope)
        turn = self._last_turn(scope, talk, asked.id)
        told = self._backend.erase(scope, turn.id, asked.language)
        talk.erased()
        return {"words": turn.query, "message": told}

    def unkeep(self, request: Request, asked: Annotated[Lines, Body()]) -> dict[str, Any]:
        """Mark lines as not to be remembered."""
        return self._mark(self.scope_of(request, asked), asked.ids, unkept=True)

    def rekeep(self, request: Request, asked: Annotated[Lines, Body()]) -> dict[str, Any]:
        """Take such marks back."""
        return self._mark(self.scope_of(request, asked), asked.ids, unkept=False)

    def _mark(self, scope: Scope, ids: list[str], *, unkept: bool) -> dict[str, Any]:
        self._known(scope)
        changed = mark_unkept(self._backend.store, scope, ids, unkept=unkept)
        self._replies.changed(scope)
        return {"ids": changed}

    def _state(self, scope: Scope, asked: Asked, since: str = "") -> dict[str, Any]:
        talk = self._replies.talk(scope)
        # First what runs: a reply that ends between the two is then told by its event.
        now, stands = talk.snapshot(), self._replies.stands(scope)
        memory = self._memory(scope)
        running = now.running or answered_elsewhere(stands, memory, asked.language)
        lines = newest_lines(memory, talk, running, since)
        running = running if running and running.message.is_for(asked.tab) else None
        return {
            "server": self._replies.server,
            "at": self._replies.event_id(now.last),
            "person": scope.person,
            "companion": companion_name(self._backend.settings, scope.companion, asked.language),
            "greeting": self._backend.greeting(scope, asked.language),
            "lines": lines,
            "earlier": has_earlier(memory, lines),
            "running": running.document if running else None,
            "waiting": [it.document for it in now.waiting if it.is_for(asked.tab)],
            "today": self._now(memory).date().isoformat(),
            "answers": answers_document(memory, talk),
        }

    def scope_of(self, request: Request, asked: Asked) -> Scope:
        """Return whose talk it is.

        Raises:
            RefusedName: the name cannot be one, or looks like a known one.
            UsageError: nobody has given a name.
        """
        request.state.language = asked.language
        user = request.scope.get(USER)
        query = {PARAMETER: asked.companion}
        scope = self._backend.scope_of(asked.person, user, query)
        if scope is None:
            raise UsageError("talk_nobody")
        self._backend.check_newcomer(scope)
        return scope

    def _now(self, memory: PersonMemory | None) -> datetime:
        """Return the present moment on the person's clock; on this machine's for who is new."""
        zone = self._backend.settings.zone if memory is None else memory.profile.zone
        return self._backend.clock.now(zone).astimezone(zone)

    def _memory(self, scope: Scope) -> PersonMemory | None:
        store = self._backend.store
        return store.load(scope) if store.exists(scope) else None

    def _known(self, scope: Scope) -> PersonMemory:
        memory = self._memory(scope)
        if memory is None:
            raise UsageError("unknown_person", name=scope.person)
        return memory

    def _last_turn(self, scope: Scope, talk: Talk, identifier: str) -> Turn:
        """Return the last turn, which is to be changed.

        Raises:
            UsageError: a reply is under way, or something else was said last.
        """
        stands = self._replies.stands(scope)
        if talk.running is not None or (stands is not None and stands.is_answered):
            raise UsageError("talk_busy")
        return last_turn(self._memory(scope), identifier)

    def waits_for(self, scope: Scope, language: Language) -> Callable[[], str]:
        """Return what tells how far an import is read, which a first reply waits for."""

        def waits_for() -> str:
            progress = self._backend.recaller.indexing_progress(scope)
            if progress is None:
                return ""
            return text("recall", "taking_in", language, done=progress[0], all=progress[1])

        return waits_for


def talk_route(backend: Backend, log_in: LogIn | None) -> BaseRoute:
    """Return the route of all that is below ``/talk``, to stand before Gradio's own.

    Args:
        backend: of the page.
        log_in: None where nobody logs in.
    """
    routes = TalkRoutes(backend)
    lines = LineRoutes(backend, routes.scope_of)
    return json_mount(PREFIX, (routes, lines), backend.settings.language, log_in)
