"""Turns: what was said and answered, and exchanges that were held elsewhere."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.dialogue.external_exchange import ExternalExchange, record_external_exchange
from siliconfriend.dialogue.recording import record_scene_end
from siliconfriend.errors import UsageError
from siliconfriend.memory.metadata import validate_metadata
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.models.output import clean
from siliconfriend.server.context import MetMemory, Reached, ReachedMemory
from siliconfriend.server.documents import COMMON, KeptTurn, StoredTurn, Turns
from siliconfriend.service.timestamps import parse_timestamp

REPLIED_BY = "http"

router = APIRouter(prefix="/v1/people/{person}", tags=["turns"], responses=COMMON)


class NewTurn(BaseModel):
    """An exchange that was held elsewhere."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "said": "I moved to Lisbon.",
                    "replied": "How do you like it there?",
                    "at": "2026-03-14 09:00:00",
                }
            ]
        }
    )
    said: Annotated[str, Field(min_length=1, max_length=100_000)]
    replied: Annotated[str, Field(max_length=100_000)] = ""
    at: Annotated[
        str | None,
        Field(description="ISO 8601 or a day; without an offset in the person's time zone."),
    ] = None
    metadata: dict[str, Any] = Field(default={}, description="Kept with the turn.")


class SceneEnded(BaseModel):
    """How many turns left the conversation."""

    left: int


@router.get("/turns", summary="What was said")
def list_turns(
    reached: ReachedMemory,
    day: Annotated[
        str | None, Query(description="Only of this day.", examples=["2026-03-14"])
    ] = None,
    before: Annotated[
        str | None, Query(description="Only turns before the one of this id.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    unkept: Annotated[bool, Query(description="Also turns not to be remembered.")] = False,
) -> Turns:
    """The newest turns, oldest first; archived ones too."""
    memory = reached.memory()
    turns = [it for it in memory.turns() if day in (None, it.date) and (unkept or not it.unkept)]
    if before is not None:
        ids = [turn.id for turn in turns]
        if before not in ids:
            raise UsageError("memory_unknown", id=before)
        turns = turns[: ids.index(before)]
    newest = list(islice(reversed(turns), limit))[::-1]
    return Turns(
        user=reached.scope.person,
        companion=reached.scope.companion,
        turns=[turn_document(turn, memory) for turn in newest],
    )


@router.post("/turns", status_code=201, summary="Keep an exchange held elsewhere")
def add_turn(reached: MetMemory, new: NewTurn) -> KeptTurn:
    """Store an exchange as a turn of the person's day; a new person begins with it."""
    runtime, scope = reached.runtime, reached.scope
    said, replied = clean(new.said).strip(), clean(new.replied).strip()
    if not said:
        raise UsageError("nothing_said")
    memory = runtime.memory(scope)
    zone = memory.profile.zone
    moment = parse_timestamp(new.at, zone=zone, now=runtime.now(memory))
    if not reached.store.exists(scope):
        reached.store.create(scope, memory.profile)
    told = ExternalExchange(
        said,
        replied,
        moment.moment,
        moment.has_time,
        REPLIED_BY if replied else "",
        validate_metadata(new.metadata),
    )
    kept = record_external_exchange(reached.store, scope, told)
    if kept.is_to_extract:
        wake_worker(reached)
    return KeptTurn(turn=turn_document(kept.turn, memory), unkept=list(kept.unkept))


@router.post("/scene", summary="Begin another scene")
def change_scene(reached: ReachedMemory) -> SceneEnded:
    """Let all turns leave the conversation, to be extracted."""
    reached.memory()
    left = record_scene_end(reached.store, reached.scope)
    if left:
        wake_worker(reached)
    return SceneEnded(left=left)


def wake_worker(reached: Reached) -> None:
    """Have what left the conversation extracted, where a model on a server is set."""
    worker = reached.runtime.worker
    if worker is not None:
        worker.wake(reached.scope)


def turn_document(turn: Turn, memory: PersonMemory) -> StoredTurn:
    """A turn as it is answered."""
    time = None if turn.time is None else turn.time.astimezone(memory.profile.zone).isoformat()
    return StoredTurn(
        id=turn.id,
        date=turn.date,
        time=time,
        said=turn.query,
        replied=turn.response,
        replied_by=turn.replied_by,
        interrupted=turn.interrupted,
        unkept=turn.unkept,
        metadata=dict(turn.metadata),
    )
