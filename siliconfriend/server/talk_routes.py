"""The paths of talk under ``/v1``: chat, turns, and what is due."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse

from siliconfriend.dialogue.reply import Reply
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.person import Person
from siliconfriend.server import schemas
from siliconfriend.server.context import Asking, IdempotencyKey, Known, Reached, whose
from siliconfriend.server.errors import describe_error
from siliconfriend.server.replies import answer_of, event, events_of
from siliconfriend.server.schemas import PROBLEMS

REPLIED_BY = "http"
router = APIRouter(prefix="/v1/people/{person}", tags=["chat"], responses=PROBLEMS)


@router.post(
    "/chat",
    response_model=schemas.ChatReply,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def chat(
    client: Asking,
    reached: Reached,
    asked: schemas.Message,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Answer a message. It is on disk before a model hears it, and so is what was answered.

    With `stream` the events `piece`, then `done` or `error`. A client that leaves in mid-stream
    ends the reply; what was said until then is kept.
    """
    source = _source("chat", idempotency_key)
    reply = await client.replies.start(lambda: _answer(reached, asked, source))
    if not asked.stream:
        return JSONResponse((await answer_of(reply)).model_dump())

    def failed(error: Exception) -> bytes:
        status, code, detail = describe_error(error, client.language)
        return event({"status": status, "code": code, "detail": detail}, "error")

    events = events_of(
        reply,
        piece=lambda words: event({"text": words}, "piece"),
        done=lambda: [event(reply.answer.model_dump(), "done")],
        failed=failed,
    )
    return EventSourceResponse(events)


@router.get("/turns")
def list_turns(
    known: Known,
    day: Annotated[str | None, Query(description="Only of this day.")] = None,
    before: Annotated[
        str | None, Query(description="Only turns before the one of this id.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    unkept: Annotated[bool, Query(description="Also turns not to be remembered.")] = False,
) -> schemas.Turns:
    """List the newest turns, oldest first; archived ones too."""
    memory = known.memory()
    turns = [
        turn for turn in memory.turns() if day in (None, turn.date) and (unkept or not turn.unkept)
    ]
    if before is not None:
        ids = [turn.id for turn in turns]
        if before not in ids:
            raise UsageError("memory_unknown", id=before)
        turns = turns[: ids.index(before)]
    return schemas.Turns(**whose(known), turns=[_turn(turn, memory) for turn in turns[-limit:]])


@router.post("/turns", status_code=201)
def add_turn(
    reached: Reached, new: schemas.NewTurn, idempotency_key: IdempotencyKey = None
) -> schemas.KeptTurn:
    """Store an exchange held elsewhere as a turn of the person's day; a new person begins with it."""
    reached.meet(language=new.language, timezone=new.timezone, said=new.said)
    kept = reached.add(
        new.said,
        new.replied,
        at=new.at,
        replied_by=REPLIED_BY if new.replied.strip() else "",
        metadata=new.metadata,
        source=_source("turns", idempotency_key),
    )
    turn = _turn(kept.turn, reached.memory())
    return schemas.KeptTurn(turn=turn, unkept=list(kept.unkept))


@router.post("/scene")
def change_scene(known: Known) -> schemas.SceneEnded:
    """End the conversation: all turns leave it, to be extracted."""
    return schemas.SceneEnded(left=known.change_scene())


@router.get("/due")
def show_due(
    known: Known,
    mark: Annotated[bool, Query(description="Count it as said.")] = False,
) -> schemas.DueMatters:
    """Say what the companion has to say first today; nothing where there is nothing."""
    return schemas.DueMatters.model_validate(known.due(mark=mark))


def _answer(
    person: Person, asked: schemas.Message, source: str
) -> Generator[str, None, schemas.ChatReply]:
    if not asked.off_record and asked.message.strip():
        person.meet(language=asked.language, timezone=asked.timezone, said=asked.message)
    options = asked.model_dump(include={"off_record", "relationship", "style_hint", "metadata"})
    yield from person.stream(asked.message, source=source, **options)
    companion = person.companion
    reply = companion.last_reply
    assert reply is not None
    return schemas.ChatReply(
        reply=reply.text,
        turn=reply.turn.id if reply.turn else None,
        replied_by=reply.replied_by,
        interrupted=reply.interrupted,
        notice=companion.notice,
        troubles=list(companion.troubles),
        usage=schemas.TokenUsage.model_validate(reply.usage),
        memories=used_memories(person, reply),
    )


def _source(path: str, key: str | None) -> str:
    """Return the key by which the turn of a request is known, in whatever process it comes again."""
    return hashlib.sha256(f"{path} {key}".encode()).hexdigest()[:16] if key else ""


def used_memories(person: Person, reply: Reply) -> list[schemas.UsedMemory]:
    """List the memories that a reply was given, with their words, best first."""
    recalled = (*reply.recalled.memories, *reply.recalled.facts)
    found: dict[str, Memory | None] = {it.memory.id: it.memory for it in recalled}
    if reply.used and not found:  # the reply to a request that was sent again
        found = {it.id: person.memory().find(it.id) for it in reply.used}
    given = ((it, memory) for it in reply.used if (memory := found.get(it.id)) is not None)
    return [schemas.UsedMemory(**entry(memory), score=it.score) for it, memory in given]


def entry(memory: Memory) -> dict[str, str]:
    """Return the fields of a memory or an entry of the lore among others."""
    kind = kind_of(memory)
    return {"id": memory.id, "kind": kind, "date": memory.date, "text": memory.text}


def _turn(turn: Turn, memory: PersonMemory) -> schemas.StoredTurn:
    time = None if turn.time is None else turn.time.astimezone(memory.profile.zone).isoformat()
    same = ("id", "date", "replied_by", "interrupted", "unkept")
    return schemas.StoredTurn(
        **{name: getattr(turn, name) for name in same},
        time=time,
        said=turn.query,
        replied=turn.response,
        metadata=dict(turn.metadata),
    )
