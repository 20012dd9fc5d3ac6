"""Nights: start one, follow it, and read what the last ones did."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.night.night_state import open_night_state
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.server import sse
from siliconfriend.server.context import Context, ReachedMemory, require_operator
from siliconfriend.server.documents import COMMON, NightDocument, Reports
from siliconfriend.server.nights import NightState

of_person = APIRouter(prefix="/v1/people/{person}/nights", tags=["night"], responses=COMMON)
of_everyone = APIRouter(
    prefix="/v1/nights",
    tags=["night"],
    responses=COMMON,
    dependencies=[Depends(require_operator)],
)

NightId = Annotated[str, Path(description="As the start of the night gave it.")]
Accept = Annotated[str, Header(include_in_schema=False)]
_FOLLOWED: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {sse.MEDIA_TYPE: {"schema": sse.EVENT}},
        "description": "How far it is; each step as an event where the client accepts events.",
    }
}


class NightOrder(BaseModel):
    """What the night is to do."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"today": True}]})
    stages: list[str] = Field(default=[], description="All unless named.")
    dry_run: bool = Field(default=False, description="Change nothing; report what would be done.")
    today: bool = Field(default=False, description="Take the present day as over.")
    allow_large: bool = Field(default=False, description="Forget also a large share at once.")


@of_person.post("", status_code=202, summary="Start a person's night")
def start_night(context: Context, reached: ReachedMemory, order: NightOrder) -> NightDocument:
    """Start the night of one person; follow it by its id, in this process."""
    reached.memory()
    return _started(context.nights.start(reached.scope.person, _options(order)))


@of_person.get("", summary="What the last nights did")
def list_nights(
    context: Context, reached: ReachedMemory, limit: Annotated[int, Query(ge=1, le=100)] = 5
) -> Reports:
    """Reports of the nights that this person was in, newest first, with nobody else in them."""
    reached.memory()
    kept = open_night_state(context.runtime).reports
    return Reports(reports=kept.of(reached.scope, limit))


@of_person.get(
    "/{night}", summary="Follow a person's night", response_model=NightDocument, responses=_FOLLOWED
)
async def follow_night(
    context: Context, reached: ReachedMemory, night: NightId, accept: Accept = ""
) -> Response:
    """How far the night is; with `Accept: text/event-stream` each step as an event."""
    person = reached.scope.person
    state = context.nights.state(night, person)
    return _followed(state, context.nights.follow(night, person), accept)


@of_everyone.post("", status_code=202, summary="Start everyone's night")
def start_everyones_night(context: Context, order: NightOrder) -> NightDocument:
    """Start the night of everyone; only for the operator's key."""
    return _started(context.nights.start(None, _options(order)))


@of_everyone.get("", summary="What the last night did")
def last_night(context: Context) -> Reports:
    """The report of the last night; only for the operator's key."""
    scopes = context.runtime.store.scopes()
    report = open_night_state(context.runtime).reports.last(scopes)
    return Reports(reports=[] if report is None else [report])


@of_everyone.get(
    "/{night}",
    summary="Follow everyone's night",
    response_model=NightDocument,
    responses=_FOLLOWED,
)
async def follow_everyones_night(context: Context, night: NightId, accept: Accept = "") -> Response:
    """How far the night is; only for the operator's key."""
    state = context.nights.state(night, None)
    return _followed(state, context.nights.follow(night, None), accept)


def _options(order: NightOrder) -> NightOptions:
    select_stages(order.stages)
    return NightOptions(**{**order.model_dump(), "stages": tuple(order.stages)})


def _started(state: NightState) -> NightDocument:
    return NightDocument.model_validate(_document(state))


def _document(state: NightState) -> dict[str, object]:
    document = asdict(state)
    return {"user": document.pop("person"), **document}


def _followed(state: NightState, states: AsyncIterator[NightState], accept: str) -> Response:
    if sse.MEDIA_TYPE not in accept:
        return JSONResponse(_document(state))

    async def events() -> AsyncIterator[str]:
        async for step in states:
            yield sse.event(_document(step), step.state)

    return sse.event_stream(events())
