"""The parts of a running server, and whose memory a request may reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError

from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, UnknownPerson, UsageError
from siliconfriend.installation.accounts import Caller
from siliconfriend.memory.scope import clean_name
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.nights import Nights
from siliconfriend.server.errors import ProblemError, request_language
from siliconfriend.server.replies import Replies
from siliconfriend.texts import Language

LONGEST_END = 10.0
"""Seconds that replies under way have to be kept when the server ends."""


class ServerContext:
    """The parts of the running server, opened once for everyone."""

    def __init__(self, bank: MemoryBank) -> None:
        self.bank = bank
        self.replies = Replies()
        self.nights = Nights(bank)

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.bank.settings

    def close(self) -> None:
        """End replies once they are kept, and the worker; a night can be resumed."""
        self.nights.close()
        self.replies.close(LONGEST_END)
        self.bank.close()

    def companions(self) -> list[str]:
        """List the names of all companions, that of the settings first."""
        return list(dict.fromkeys([self.settings.companion, *self.bank.companions.names()]))

    def reach(self, caller: Caller, name: str, companion: str | None = None) -> Person:
        """Return the person a caller names, if the caller may reach them.

        Raises:
            UnknownPerson: the name is another's than the key's; the same as for nobody's.
            UsageError: there is no such companion.
        """
        if not caller.is_operator:
            own = ""
            with suppress(RefusedName):
                own = clean_name(name)
            if own != caller.person:
                raise UnknownPerson("unknown_person", name=name)
        person = self.bank.person(name, companion)
        named = person.scope.companion
        is_known = named == self.settings.companion or person.is_known()
        if not is_known and not self.bank.companions.exists(named):
            raise UsageError("companion_unknown", name=named)
        return person

    def reach_asked(self, caller: Caller, name: str | None, companion: str | None = None) -> Person:
        """Reach a person; without a name the key's person, or that of the settings."""
        name = name or caller.person or self.settings.user
        if not name:
            raise ProblemError(422, "nobody_asked")
        return self.reach(caller, name, companion)


def get_context(request: Request) -> ServerContext:
    """Return the server's parts."""
    context: ServerContext = request.app.state.context
    return context


def get_caller(request: Request) -> Caller:
    """Return whose key the request came with."""
    caller: Caller = request.state.caller
    return caller


def get_language(request: Request) -> Language:
    """Return the language of errors for this client."""
    return request_language(request.headers, get_context(request).settings.language)


def require_operator(caller: Annotated[Caller, Depends(get_caller)]) -> None:
    """Refuse every key but the operator's."""
    if not caller.is_operator:
        raise ProblemError(403, "operator_only")


def refuse_unknown_parameters(request: Request) -> None:
    """Refuse parameters of the address that the path does not have, as fields of a body are."""
    known = get_flat_params(request.scope["route"].dependant)
    refuse_unknown(request.query_params, {field.alias for field in known})


def refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """Refuse the first of some parameters of an address that is not known."""
    for name in given:
        if name not in known:
            refused = {"loc": ("query", name), "msg": "Extra inputs are not permitted"}
            raise RequestValidationError([refused])


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
IdempotencyKey = Annotated[
    str | None,
    Header(description="A request sent again with the same key is stored once.", max_length=200),
]


def get_reached(
    context: Context, caller: Asking, person: PersonName, companion: CompanionName = None
) -> Person:
    """Return the person whom the path names."""
    return context.reach(caller, person, companion)


def get_known(reached: Annotated[Person, Depends(get_reached)]) -> Person:
    """Return the person whom the path names, of whom something is remembered."""
    if not reached.is_known():
        raise UnknownPerson("unknown_person", name=reached.scope.person)
    return reached


Reached = Annotated[Person, Depends(get_reached)]
Known = Annotated[Person, Depends(get_known)]


def whose(person: Person) -> dict[str, Any]:
    """Return the fields of an answer that say whose memory it is, with whom."""
    return {"user": person.scope.person, "companion": person.scope.companion}
