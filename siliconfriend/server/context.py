"""The parts all routes share, and the check of whose memory a request may reach.

:func:`ServerContext.reach` is the one place that turns a name in a path into a scope. It
compares the name with the key before it looks anything up, so that a key learns of other
names neither that they exist nor that they do not.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Path, Query, Request

from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, SiliconFriendError, UnknownPerson, UsageError
from siliconfriend.keys import Caller
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ServedModel
from siliconfriend.recall.index_pool import preload
from siliconfriend.runtime import Runtime
from siliconfriend.server.access import Access, Doorkeeper
from siliconfriend.server.metrics import Metrics
from siliconfriend.server.nights import Nights
from siliconfriend.server.openai_door.why import Unremembered
from siliconfriend.server.problems import ProblemError, request_language
from siliconfriend.server.replies import Replies
from siliconfriend.service.tools_by_person import ToolsByPerson
from siliconfriend.texts import Language

LONGEST_END = 5.0
"""Seconds that the end of the server waits for each reply under way to be kept."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory that a request may read and change.

    Attributes:
        runtime: of the companion.
        scope: whose memory.
    """

    runtime: Runtime
    scope: Scope

    @property
    def store(self) -> MemoryStore:
        """Where the memory is kept."""
        return self.runtime.store

    def memory(self) -> PersonMemory:
        """Load the memory.

        Raises:
            UnknownPerson: nothing is remembered of them.
            StoreError: it cannot be read.
        """
        return self.store.load(self.scope)

    def now(self, memory: PersonMemory) -> datetime:
        """The present moment in UTC."""
        return self.runtime.now(memory)


class ServerContext:
    """The parts of the running server.

    Args:
        runtime: store, model, embedder and settings.
        access: who may come in.
    """

    def __init__(self, runtime: Runtime, access: Access) -> None:
        self.runtime = runtime
        self.doorkeeper = Doorkeeper(access, runtime.shared.rates())
        self.metrics = Metrics()
        self.replies = Replies()
        self.nights = Nights(runtime)
        self.tools = ToolsByPerson(runtime)
        self.unremembered = Unremembered()

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.runtime.settings

    def preload(self) -> None:
        """Open what the first reply would else wait for; what cannot be opened that reply tells."""
        with suppress(SiliconFriendError):
            preload(vectors=self.runtime.embedder is not None)
            _ = self.runtime.recaller
            chat = self.runtime.chat
            if isinstance(chat, ServedModel):
                chat.load()

    def close(self) -> None:
        """End what goes on: replies once they are kept, the worker; a night can be resumed."""
        self.nights.close()
        self.replies.close(LONGEST_END)
        self.runtime.close()

    def reach(self, caller: Caller, person: str, companion: str | None = None) -> Reached:
        """The memory of a person, if the caller may reach it.

        Raises:
            UnknownPerson: the name is another's than the key's; the same as for nobody's.
            UsageError: there is no such companion.
        """
        if not caller.is_operator:
            with suppress(RefusedName):
                if clean_name(person) == caller.person:
                    return self._reached(person, companion)
            raise UnknownPerson("unknown_person", name=person)
        return self._reached(person, companion)

    def meet(self, caller: Caller, person: str, companion: str | None = None) -> Reached:
        """As :meth:`reach`, where a person who is not met yet begins.

        Raises:
            RefusedName: the operator names somebody new like somebody known.
        """
        reached = self.reach(caller, person, companion)
        self.check_newcomer(caller, reached)
        return reached

    def check_newcomer(self, caller: Caller, reached: Reached) -> None:
        """Refuse a new name that looks like a known one; errors as :meth:`meet`.

        Whoever has a key of their own was named when it was made.
        """
        if caller.is_operator:
            check_newcomer(reached.store, reached.scope)

    def companions(self) -> list[str]:
        """The names of all companions, that of the settings first."""
        others = Companions(self.settings.home).names()
        return list(dict.fromkeys([self.settings.companion, *others]))

    def _reached(self, person: str, companion: str | None) -> Reached:
        name = self.settings.companion if companion is None else companion
        scope = Scope.of(person, name)
        is_known = scope.companion == self.settings.companion or self.runtime.store.exists(scope)
        if not is_known and not Companions(self.settings.home).exists(scope.companion):
            raise UsageError("companion_unknown", name=scope.companion)
        return Reached(self.runtime.for_companion(scope.companion), scope)


def get_context(request: Request) -> ServerContext:
    """The server's parts."""
    context: ServerContext = request.app.state.context
    return context


def get_caller(request: Request) -> Caller:
    """Whose key the request came with."""
    caller: Caller = request.state.caller
    return caller


def get_language(request: Request) -> Language:
    """The language of errors for this client."""
    return request_language(request.headers, get_context(request).settings.language)


Context = Annotated[ServerContext, Depends(get_context)]
Asking = Annotated[Caller, Depends(get_caller)]
AskedLanguage = Annotated[Language, Depends(get_language)]
PersonName = Annotated[
    str, Path(description="The person's name.", examples=["Ada"], max_length=1000)
]
CompanionName = Annotated[
    str | None,
    Query(description="The companion; that of the settings unless given.", examples=["default"]),
]


def get_reached(
    context: Context, caller: Asking, person: PersonName, companion: CompanionName = None
) -> Reached:
    """The memory that the path names."""
    return context.reach(caller, person, companion)


def get_met(
    context: Context, caller: Asking, person: PersonName, companion: CompanionName = None
) -> Reached:
    """The memory that the path names, or that begins with this request."""
    return context.meet(caller, person, companion)


MetMemory = Annotated[Reached, Depends(get_met)]
ReachedMemory = Annotated[Reached, Depends(get_reached)]


def require_operator(caller: Asking) -> None:
    """Refuse every key but the operator's.

    Raises:
        ProblemError: it is a person's.
    """
    if not caller.is_operator:
        raise ProblemError(403, "operator_only")
