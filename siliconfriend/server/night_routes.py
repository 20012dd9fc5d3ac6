"""The paths of nights: start one, follow it, and read what the last ones did."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Night
from siliconfriend.server import schemas
from siliconfriend.server.context import Context, Known, require_operator
from siliconfriend.server.schemas import PROBLEMS

of_person = APIRouter(prefix="/v1/people/{person}/nights", tags=["night"], responses=PROBLEMS)
of_everyone = APIRouter(
    prefix="/v1/nights",
    tags=["night"],
    responses=PROBLEMS,
    dependencies=[Depends(require_operator)],
)
NightId = Annotated[str, Path(description="As the start of the night gave it.")]


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


@of_person.get("/{night}")
def follow_night(context: Context, known: Known, night: NightId) -> Night:
    """Show how far a night is; ask again until its state is `done` or `failed`."""
    return context.nights.state(night, known.scope.person)


@of_everyone.post("", status_code=202)
def start_everyones_night(context: Context, order: schemas.NightOrder | None = None) -> Night:
    """Start the night of everyone; only for the operator's key."""
    return context.nights.start(None, _options(order))


@of_everyone.get("")
def show_last_night(context: Context) -> schemas.NightReports:
    """Show the report of the last night; only for the operator's key."""
    report = context.nights.last()
    return schemas.NightReports(reports=[] if report is None else [report])


@of_everyone.get("/{night}")
def follow_everyones_night(context: Context, night: NightId) -> Night:
    """Show how far everyone's night is; only for the operator's key."""
    return context.nights.state(night, None)


def _options(order: schemas.NightOrder | None) -> NightOptions:
    order = order or schemas.NightOrder()
    return NightOptions(**{**order.model_dump(), "stages": tuple(order.stages)})
