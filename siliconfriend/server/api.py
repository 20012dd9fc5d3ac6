"""The paths of people and their memories under ``/v1``: each translates to one call of the façade."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import aclosing
from itertools import islice
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Body, Depends, Path, Query, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, format_sse_event

from siliconfriend import __version__
from siliconfriend.control.listing import words_of
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reply import Reply
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.person import Person
from siliconfriend.recall.cue import Utterance
from siliconfriend.server import schemas
from siliconfriend.server.context import (
    AskedLanguage,
    Asking,
    CompanionName,
    Context,
    IdempotencyKey,
    Known,
    Reached,
    ServerContext,
    require_operator,
)
from siliconfriend.server.errors import ProblemError, describe_error
from siliconfriend.server.schemas import PROBLEMS
from siliconfriend.texts import Language

REPLIED_BY = "http"
OPERATOR = [Depends(require_operator)]
Kind = Literal["turn", "day", "event", "fact", "insight", "topic"]
Action = Literal["pin", "unpin", "forget", "restore", "unkeep", "rekeep"]
MemoryId = Annotated[str, Path(description="As the list of memories gives it.")]
Bank = Annotated[
    dict[str, Any],
    Body(description="A file of MemoryBank's, or of our own: each person under their name."),
]

public = APIRouter(tags=["server"])
router = APIRouter(prefix="/v1", responses=PROBLEMS)
of_person = APIRouter(prefix="/v1/people/{person}", responses=PROBLEMS)


@public.get("/health", include_in_schema=False)
@public.get("/v1/health", tags=["server"])
async def health() -> schemas.Health:
    """Answer at once, whatever the store and the model do; needs no key."""
    return schemas.Health(version=__version__)


@public.get("/ready", include_in_schema=False)
@public.get("/v1/ready", tags=["server"], response_model=schemas.Readiness)
def ready(context: Context, language: AskedLanguage) -> Response:
    """Open the store, the model and the embedder, and say which cannot be; needs no key."""
    parts = {name: _state_of(name, context, language) for name in ("store", "model", "embedder")}
    is_ready = all(state == "ok" for state in parts.values())
    body = schemas.Readiness(status="ready" if is_ready else "not ready", parts=parts)
    return JSONResponse(body.model_dump(), 200 if is_ready else 503)


# People


@router.get("/people", tags=["people"])
def list_people(context: Context, caller: Asking) -> schemas.People:
    """List everyone for the operator; for a person's key that person, with each companion."""
    scopes = [
        scope
        for scope in context.bank.people()
        if caller.is_operator or scope.person == caller.person
    ]
    people = (context.bank.person(scope.person, scope.companion) for scope in scopes)
    return schemas.People(users=[_summary(person) for person in people])


@router.post("/people", tags=["people"], status_code=201, dependencies=OPERATOR)
def meet_person(context: Context, caller: Asking, new: schemas.NewPerson) -> schemas.PersonSummary:
    """Begin the memory of a person; one that exists is returned unchanged. A chat does so too."""
    person = context.reach(caller, new.name)
    person.meet(language=new.language, timezone=_timezone(new.timezone))
    return _summary(person)


@of_person.get("", tags=["people"])
def show_person(known: Known) -> schemas.PersonSummary:
    """Show a person with one companion, in numbers."""
    return _summary(known)


@of_person.patch("", tags=["people"])
def change_person(known: Known, change: schemas.PersonChange) -> schemas.PersonSummary:
    """Change the language or the time zone of a person, for each companion of theirs."""
    known.update(language=change.language, timezone=_timezone(change.timezone))
    return _summary(known)


@of_person.delete("", tags=["people"])
def delete_person(context: Context, known: Known, everywhere: bool = True) -> schemas.DeletedPerson:
    """Erase everything of a person for good, their key too, and search for what is left.

    With `everywhere=false` only what one companion remembers of them.
    """
    scope = known.scope
    done = context.bank.delete(scope.person, None if everywhere else scope.companion)
    return schemas.DeletedPerson.model_validate(done.to_json())


@of_person.post("/key", tags=["people"], status_code=201)
def make_key(context: Context, caller: Asking, reached: Reached) -> schemas.PersonKey:
    """Make a person's key; the one before stops working. Only for the operator's key."""
    require_operator(caller)
    person = reached.scope.person
    key = context.bank.runtime.installation.keys.make_for(person)
    return schemas.PersonKey(user=person, key=key)


@of_person.delete("/key", tags=["people"], status_code=204)
def remove_key(context: Context, caller: Asking, reached: Reached) -> None:
    """Remove a person's key. Only for the operator's key."""
    require_operator(caller)
    context.bank.runtime.installation.keys.remove(reached.scope.person)


@router.get("/companions", tags=["people"])
def list_companions(context: Context) -> schemas.Companions:
    """List the companions one can talk to."""
    return schemas.Companions(companions=context.companions())


# Talking


@of_person.post(
    "/chat",
    tags=["chat"],
    response_model=schemas.ChatReply,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def chat(
    context: Context,
    reached: Reached,
    language: AskedLanguage,
    asked: schemas.Message,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Answer a message. It is on disk before a model hears it, and so is what was answered.

    With `stream` the events `piece`, then `done` or `error`. A client that leaves in mid-stream
    ends the reply; what was said until then is kept.
    """
    talk = _Talk(reached, asked)
    if asked.stream:
        reply = context.replies.start(talk.pieces)
        pieces = await reply.begun()
        return EventSourceResponse(_events(pieces, talk, language))

    def once() -> Generator[str, None, None]:
        """Answer, or give the answer of the request that came before with the same key."""

        def make() -> schemas.ChatReply:
            for _ in talk.pieces():
                pass
            return talk.document()

        talk.answer = context.repeated.once((reached.scope, "chat"), idempotency_key, make)
        yield from ()

    await context.replies.start(once).text()
    assert talk.answer is not None
    return JSONResponse(talk.answer.model_dump())


@of_person.get("/turns", tags=["chat"])
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
    newest = list(islice(reversed(turns), limit))[::-1]
    return schemas.Turns(
        user=known.scope.person,
        companion=known.scope.companion,
        turns=[_turn(turn, memory) for turn in newest],
    )


@of_person.post("/turns", tags=["chat"], status_code=201)
def add_turn(
    context: Context,
    reached: Reached,
    new: schemas.NewTurn,
    idempotency_key: IdempotencyKey = None,
) -> schemas.KeptTurn:
    """Store an exchange held elsewhere as a turn of the person's day; a new person begins with it."""

    def make() -> schemas.KeptTurn:
        if not reached.is_known():
            reached.meet(
                language=new.language, timezone=_timezone(new.timezone), said=clean(new.said)
            )
        kept = reached.add(
            new.said,
            new.replied,
            at=new.at,
            replied_by=REPLIED_BY if new.replied.strip() else "",
            metadata=new.metadata,
        )
        turn = _turn(kept.turn, reached.memory())
        return schemas.KeptTurn(turn=turn, unkept=list(kept.unkept))

    return context.repeated.once((reached.scope, "turns"), idempotency_key, make)


@of_person.post("/scene", tags=["chat"])
def change_scene(known: Known) -> schemas.SceneEnded:
    """End the conversation: all turns leave it, to be extracted."""
    return schemas.SceneEnded(left=known.change_scene())


@of_person.get("/due", tags=["chat"])
def show_due(
    known: Known,
    mark: Annotated[bool, Query(description="Count it as said.")] = False,
) -> schemas.DueMatters:
    """Say what the companion has to say first today; nothing where there is nothing."""
    due = known.due(mark=mark)
    return schemas.DueMatters(text=due.text, silent=due.silent)


# Knowing


@of_person.post("/recall", tags=["recall"])
def recall(known: Known, asked: schemas.Question) -> schemas.Recall:
    """Show what would be remembered; nothing is changed unless `reinforce` is set."""
    last_reply = clean(asked.last_reply)
    question = clean(asked.question)
    found = known.recall(
        question,
        top=asked.top,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        reinforce=asked.reinforce,
    )
    document = known.recall_document(found)
    for row, recalled in zip(document["memories"], found.memories, strict=True):
        row["relevant"] = recalled.is_likely
        if isinstance(recalled.memory, Turn):
            row |= {"said": recalled.memory.query, "replied": recalled.memory.response}
    document["own_story"] = [entry.text for entry in known.own_story(question)]
    return schemas.Recall.model_validate(document)


@of_person.get("/memories", tags=["memories"])
def list_memories(
    context: Context,
    known: Known,
    query: Annotated[str, Query(description="Search by meaning and words.")] = "",
    kind: Annotated[Kind | None, Query()] = None,
    entity: Annotated[str | None, Query(description="Only about this.")] = None,
    state: Annotated[Literal["vivid", "faded", "archived"] | None, Query()] = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> schemas.Memories:
    """List memories with the day each will fade: oldest first, or best first where one searches."""
    rows = known.search(query, kind=kind, entity=entity)
    fitting = [row for row in rows if state in (None, row.prospect.state)]
    listed = fitting[offset : offset + limit]
    return schemas.Memories(
        user=known.scope.person,
        companion=known.scope.companion,
        policy=context.settings.policy,
        total=len(fitting),
        memories=[schemas.MemoryRow.model_validate(row.to_json()) for row in listed],
    )


@of_person.get("/memories/{memory_id}", tags=["memories"])
def show_memory(known: Known, memory_id: MemoryId) -> schemas.OneMemory:
    """Show a memory whole: its life, its evidence, and what was derived from it."""
    row = schemas.MemoryRow.model_validate(known.show(memory_id).to_json())
    return schemas.OneMemory(user=known.scope.person, companion=known.scope.companion, memory=row)


@of_person.patch("/memories/{memory_id}", tags=["memories"])
def correct_memory(known: Known, memory_id: MemoryId, words: schemas.NewWords) -> schemas.Changed:
    """Correct the words of a memory; the next night makes again what was made of the old ones."""
    edited = known.edit(memory_id, **words.model_dump(exclude_none=True))
    return schemas.Changed(changed=[edited.id], derived=list(edited.derived))


@of_person.delete("/memories/{memory_id}", tags=["memories"])
def erase_memory(known: Known, memory_id: MemoryId) -> schemas.Erased:
    """Erase a memory with everything that was made of it, then search for what is left."""
    done = known.erase(memory_id)
    return schemas.Erased(
        erased=list(done.erased), derived=list(done.derived), searched=done.searched, left=done.left
    )


@of_person.post("/memories/{memory_id}/{action}", tags=["memories"])
def change_memory(known: Known, memory_id: MemoryId, action: Action) -> schemas.Changed:
    """Pin, forget, restore, or do not keep a memory: all of it can be undone."""
    known.act(action, memory_id)
    return schemas.Changed(changed=[memory_id])


@of_person.get("/portrait", tags=["portrait"])
def show_portrait(known: Known) -> schemas.Portrait:
    """Show what the companion thinks of the person, text by text, with the evidence."""
    parts = [
        schemas.PortraitText.model_validate(part, from_attributes=True)
        for part in known.portrait().parts
    ]
    return schemas.Portrait(user=known.scope.person, companion=known.scope.companion, parts=parts)


@of_person.put("/portrait/{part}", tags=["portrait"])
def correct_portrait(
    known: Known,
    part: Annotated[str, Path(examples=["overall_personality"])],
    text: Annotated[schemas.SomeWords, Body(embed=True)],
) -> schemas.Changed:
    """Correct a text of the portrait; what was made of the old words is made again by the night."""
    if part not in {it.id for it in known.portrait().parts}:
        raise UsageError("memory_unknown", id=part)
    return schemas.Changed(changed=[known.edit(part, text=text).id])


# In and out


@of_person.get("/export", tags=["import and export"])
def export_person(
    known: Known,
    form: Annotated[Literal["memorybank", "native"], Query(alias="format")] = "memorybank",
) -> dict[str, Any]:
    """Export everything, archived turns too: in MemoryBank's form, or in our own, nothing left out."""
    return known.export(native=form == "native")


@of_person.post("/import", tags=["import and export"])
def import_person(context: Context, reached: Reached, bank: Bank) -> schemas.Imported:
    """Import a file with this person in it and nobody else; what is there is not added again."""
    if [clean_name(name) for name in bank] != [reached.scope.person]:
        raise ProblemError(422, "import_others", {"name": reached.scope.person})
    report = context.bank.import_(bank, companion=reached.scope.companion)
    return schemas.Imported.model_validate(report.to_json())


@router.post("/import", tags=["import and export"], dependencies=OPERATOR)
def import_people(
    context: Context, bank: Bank, companion: CompanionName = None
) -> schemas.Imported:
    """Import everyone in a file; only for the operator's key."""
    report = context.bank.import_(bank, companion=companion)
    return schemas.Imported.model_validate(report.to_json())


class _Talk:
    """One message on its way: the companion that answers it, and the reply once it has ended."""

    def __init__(self, person: Person, asked: schemas.Message) -> None:
        self._person, self._asked = person, asked
        self.answer: schemas.ChatReply | None = None

    @property
    def _companion(self) -> Companion:
        return self._person.companion

    def pieces(self) -> Generator[str, None, None]:
        asked = self._asked
        said = clean(asked.message).strip()
        if said and not asked.off_record and not self._person.is_known():
            zone = _timezone(asked.timezone)
            self._person.meet(language=asked.language, timezone=zone, said=said)
        yield from self._person.stream(
            asked.message,
            off_record=asked.off_record,
            relationship=asked.relationship,
            style_hint=asked.style_hint,
            metadata=asked.metadata,
        )

    def document(self) -> schemas.ChatReply:
        reply = self._companion.last_reply
        assert reply is not None
        return schemas.ChatReply(
            reply=reply.text,
            turn=reply.turn.id if reply.turn else None,
            replied_by=reply.replied_by,
            interrupted=reply.interrupted,
            notice=self._companion.notice,
            troubles=list(self._companion.troubles),
            usage=schemas.TokenUsage(
                input_tokens=reply.usage.input_tokens, output_tokens=reply.usage.output_tokens
            ),
            memories=used_memories(reply),
        )


def used_memories(reply: Reply) -> list[schemas.UsedMemory]:
    """List the memories that a reply was given, with their words, best first."""
    recalled = (*reply.recalled.memories, *reply.recalled.facts)
    found: dict[str, Memory] = {each.memory.id: each.memory for each in recalled}
    return [
        schemas.UsedMemory(
            id=used.id,
            kind=kind_of(found[used.id]),
            date=found[used.id].date,
            text=words_of(found[used.id]),
            score=used.score,
        )
        for used in reply.used
        if used.id in found
    ]


async def _events(
    pieces: AsyncGenerator[str, None], talk: _Talk, language: Language
) -> AsyncIterator[bytes]:
    try:
        async with aclosing(pieces) as incoming:
            async for piece in incoming:
                yield event({"text": piece}, "piece") if piece else KEEP_ALIVE
    except Exception as error:  # the status is sent already; the client must learn it all the same
        status, code, detail = describe_error(error, language)
        yield event({"status": status, "code": code, "detail": detail}, "error")
        return
    yield event(talk.document().model_dump(), "done")


KEEP_ALIVE = format_sse_event(comment="")


def event(data: Any, name: str | None = None) -> bytes:
    """Format a server-sent event with JSON as its data."""
    words = data if isinstance(data, str) else json.dumps(clean_json(data), ensure_ascii=False)
    return format_sse_event(data_str=words, event=name)


def clean_json(data: Any) -> Any:
    """Return JSON data without half characters, which UTF-8 cannot hold."""
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, dict):
        return {name: clean_json(value) for name, value in data.items()}
    return [clean_json(value) for value in data] if isinstance(data, list) else data


def _summary(person: Person) -> schemas.PersonSummary:
    return schemas.PersonSummary.model_validate(person.summary(), from_attributes=True)


def _turn(turn: Turn, memory: PersonMemory) -> schemas.StoredTurn:
    time = None if turn.time is None else turn.time.astimezone(memory.profile.zone).isoformat()
    return schemas.StoredTurn(
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


def _timezone(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name).key
    except (OSError, ValueError, KeyError) as error:
        raise ProblemError(422, "bad_timezone", {"name": name}) from error


def _state_of(part: str, context: ServerContext, language: Language) -> str:
    """``ok``, or the sentence that says what is wrong, without anybody's name."""
    runtime = context.bank.runtime
    try:
        if part == "store":
            runtime.store.unreadable()
        else:
            _ = runtime.chat if part == "model" else runtime.recaller
    except SiliconFriendError as error:
        return error.message(language)
    return "ok"
