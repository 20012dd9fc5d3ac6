"""The paths of nights: start one, follow it, and read what the last ones did."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse

from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.reports import NightReports
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.server import schemas
from siliconfriend.server.api import event
from siliconfriend.server.context import Context, Known, require_operator
from siliconfriend.server.nights import NightState
from siliconfriend.server.schemas import PROBLEMS

of_person = APIRouter(prefix="/v1/people/{person}/nights", tags=["night"], responses=PROBLEMS)
of_everyone = APIRouter(
    prefix="/v1/nights",
    tags=["night"],
    responses=PROBLEMS,
    dependencies=[Depends(require_operator)],
)
NightId = Annotated[str, Path(description="As the start of the night gave it.")]
Accept = Annotated[str, Header(include_in_schema=False)]
EVENTS = "text/event-stream"


@of_person.post("", status_code=202)
def start_night(
    context: Context, known: Known, order: schemas.NightOrder | None = None
) -> schemas.Night:
    """Start the night of one person; follow it by its id, in this process."""
    return _document(context.nights.start(known.scope.person, _options(order)))


@of_person.get("")
def list_nights(
    context: Context, known: Known, limit: Annotated[int, Query(ge=1, le=100)] = 5
) -> schemas.NightReports:
    """List the reports of the nights that this person was in, newest first, nobody else in them."""
    kept = NightReports(context.bank.runtime.installation)
    return schemas.NightReports(reports=kept.of(known.scope, limit))


@of_person.get("/{night}", response_model=schemas.Night)
async def follow_night(
    context: Context, known: Known, night: NightId, accept: Accept = ""
) -> Response:
    """Show how far a night is; with `Accept: text/event-stream` each step as an event."""
    person = known.scope.person
    state = context.nights.state(night, person)
    return _followed(state, context.nights.follow(night, person), accept)


@of_everyone.post("", status_code=202)
def start_everyones_night(
    context: Context, order: schemas.NightOrder | None = None
) -> schemas.Night:
    """Start the night of everyone; only for the operator's key."""
    return _document(context.nights.start(None, _options(order)))


@of_everyone.get("")
def show_last_night(context: Context) -> schemas.NightReports:
    """Show the report of the last night; only for the operator's key."""
    report = NightReports(context.bank.runtime.installation).last(context.bank.people())
    return schemas.NightReports(reports=[] if report is None else [report])


@of_everyone.get("/{night}", response_model=schemas.Night)
async def follow_everyones_night(context: Context, night: NightId, accept: Accept = "") -> Response:
    """Show how far everyone's night is; only for the operator's key."""
    state = context.nights.state(night, None)
    return _followed(state, context.nights.follow(night, None), accept)


def _options(order: schemas.NightOrder | None) -> NightOptions:
    order = order or schemas.NightOrder()
    select_stages(order.stages)
    return NightOptions(**{**order.model_dump(), "stages": tuple(order.stages)})


def _document(state: NightState) -> schemas.Night:
    return schemas.Night(
        id=state.id,
        user=state.person,
        state=state.state,
        doing=state.doing,
        done=state.done,
        total=state.total,
        report=state.report,
        error=state.error,
    )


def _followed(state: NightState, states: AsyncIterator[NightState], accept: str) -> Response:
    if EVENTS not in accept:
        return JSONResponse(_document(state).model_dump())

    async def events() -> AsyncIterator[bytes]:
        async for step in states:
            yield event(_document(step).model_dump(), step.state)

    return EventSourceResponse(events())
