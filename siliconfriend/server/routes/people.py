"""People: who is remembered, a new person, and deleting one with everything of theirs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.config import parsers
from siliconfriend.control.erasure.delete_person import delete_person
from siliconfriend.control.people import person_document
from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.creation import new_profile
from siliconfriend.server.context import Asking, Context, ReachedMemory, require_operator
from siliconfriend.server.documents import COMMON, Deleted, People, Person
from siliconfriend.server.problems import ProblemError

router = APIRouter(prefix="/v1/people", tags=["people"], responses=COMMON)


class NewPerson(BaseModel):
    """A person to be met."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "Ada", "language": "en", "timezone": "UTC"}]}
    )
    name: Annotated[str, Field(max_length=1000)]
    language: Literal["en", "cn"] | None = None
    timezone: Annotated[str | None, Field(max_length=100, description="An IANA name.")] = None


@router.get("", summary="Who is remembered")
def list_people(context: Context, caller: Asking) -> People:
    """Everyone for the operator; for a person's key that person, with each companion."""
    store = context.runtime.store
    scopes = [
        scope for scope in store.scopes() if caller.is_operator or scope.person == caller.person
    ]
    return People(
        users=[Person.model_validate(person_document(it, store.load(it))) for it in scopes]
    )


@router.post("", status_code=201, summary="Meet a person", dependencies=[Depends(require_operator)])
def meet_person(context: Context, caller: Asking, new: NewPerson) -> Person:
    """Begin the memory of a person; one that exists already is returned unchanged.

    A chat does the same by itself. Only for the operator's key.
    """
    reached = context.meet(caller, new.name)
    settings = context.settings
    profile = new_profile(
        reached.scope,
        language=new.language or settings.language,
        timezone=_timezone(new.timezone) if new.timezone else settings.timezone,
        now=context.runtime.clock.now(settings.zone),
    )
    memory = reached.store.create(reached.scope, profile)
    return Person.model_validate(person_document(reached.scope, memory))


@router.get("/{person}", summary="One person in numbers")
def show_person(reached: ReachedMemory) -> Person:
    """The person with one companion."""
    return Person.model_validate(person_document(reached.scope, reached.memory()))


@router.delete("/{person}", summary="Delete a person")
def remove_person(context: Context, reached: ReachedMemory, everywhere: bool = True) -> Deleted:
    """Erase everything of a person for good, their key too, and search for what is left.

    With `everywhere=false` only what one companion remembers of them.
    """
    store, scope = reached.store, reached.scope
    scopes = [
        it for it in store.scopes() if it.person == scope.person and (everywhere or it == scope)
    ]
    if not scopes:
        raise UnknownPerson("unknown_person", name=scope.person)
    proof = delete_person(
        store,
        scopes,
        home=context.settings.home,
        rewrite_index=context.runtime.rewrite_index,
        shared=context.runtime.shared,
    )
    return Deleted(
        deleted=[{"user": it.person, "companion": it.companion} for it in scopes],
        searched=proof.searched,
        left=len(proof.found_in),
    )


def _timezone(name: str) -> str:
    try:
        return parsers.timezone(name)
    except ValueError as error:
        raise ProblemError(422, "bad_timezone", {"name": name}) from error
