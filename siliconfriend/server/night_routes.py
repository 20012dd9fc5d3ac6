"""The paths of nights: start one, follow it, and read what the last ones did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse

from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Night
from siliconfriend.server import schemas
from siliconfriend.server.context import Context, Known, ServerContext, require_operator
from siliconfriend.server.schemas import PROBLEMS
from siliconfriend.server.talk_routes import event

POLL_SECONDS = 0.2
"""How often a night that is followed is looked at."""

of_person = APIRouter(prefix="/v1/people/{person}/nights", tags=["night"], responses=PROBLEMS)
of_everyone = APIRouter(
    prefix="/v1/nights",
    tags=["night"],
    responses=PROBLEMS,
    dependencies=[Depends(require_operator)],
)
NightId = Annotated[str, Path(description="As the start of the night gave it.")]
Accept = Annotated[str, Header(include_in_schema=False)]


@of_person.post("", status_code=202)
def start_night(context: Context, known: Known, order: schemas.NightOrder | None = None) -> Night:
    """Start the night of one person; any process knows its id. A dry run is answered at once."""
    return context.nights.start(known.scope.person, _options(order))


@of_person.get("")
def list_nights(
    context: Context, known: Known, limit: Annotated[int, Query(ge=1, le=100)] = 5
) -> schemas.NightReports:
    """List the reports of the nights that this person was in, newest first, nobody else in them."""
    return schemas.NightReports(reports=list(context.nights.of(known.scope, limit)))


@of_person.get("/{night}", response_model=Night)
async def follow_night(
    context: Context, known: Known, night: NightId, accept: Accept = ""
) -> Response:
    """Show how far a night is; with `Accept: text/event-stream` each step as an event."""
    return await _followed(context, night, known.scope.person, accept)


@of_everyone.post("", status_code=202)
def start_everyones_night(context: Context, order: schemas.NightOrder | None = None) -> Night:
    """Start the night of everyone; only for the operator's key."""
    return context.nights.start(None, _options(order))


@of_everyone.get("")
def show_last_night(context: Context) -> schemas.NightReports:
    """Show the report of the last night; only for the operator's key."""
    report = context.nights.last()
    return schemas.NightReports(reports=[] if report is None else [report])


@of_everyone.get("/{night}", response_model=Night)
async def follow_everyones_night(context: Context, night: NightId, accept: Accept = "") -> Response:
    """Show how far everyone's night is; only for the operator's key."""
    return await _followed(context, night, None, accept)


def _options(order: schemas.NightOrder | None) -> NightOptions:
    order = order or schemas.NightOrder()
    return NightOptions(**{**order.model_dump(), "stages": tuple(order.stages)})


async def _followed(context: ServerContext, night: str, user: str | None, accept: str) -> Response:
    state = await run_in_threadpool(context.nights.state, night, user)
    if "text/event-stream" not in accept:
        return JSONResponse(asdict(state))

    async def events(state: Night) -> AsyncIterator[bytes]:
        yield event(asdict(state), state.state)
        while not state.is_over:
            await asyncio.sleep(POLL_SECONDS)
            before, state = state, await run_in_threadpool(context.nights.state, night, user)
            if state != before:
                yield event(asdict(state), state.state)

    return EventSourceResponse(events(state))
