"""The project's own paths under ``/v1``; each calls one method of the façade."""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Body, Path, Query, Response

from siliconfriend.control.edit import Action
from siliconfriend.dialogue.reply import Reply
from siliconfriend.errors import UnknownPerson, UsageError
from siliconfriend.forgetting.prospect import State
from siliconfriend.memory.records import Memory, Turn, kind_of
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person import Person
from siliconfriend.person.nights import Night
from siliconfriend.person.views import PersonSummary
from siliconfriend.recall.cue import Utterance
from siliconfriend.server import schemas
from siliconfriend.server.access import (
    MOST_IMPORT_BYTES,
    AskingClient,
    KnownPerson,
    Operator,
    Reached,
    RequestSource,
)
from siliconfriend.server.errors import PROBLEMS, ProblemError
from siliconfriend.server.replies import STREAMED, ReplyEvents, event
from siliconfriend.threads import in_background

MemoryKind = Literal["turn", "day", "event", "fact", "insight", "topic"]
PathMemoryId = Annotated[str, Path(description="The id in the list of memories.")]
NightId = Annotated[str, Path(description="The id that starting the night returned.")]
Search = Annotated[str, Query(description="Search by meaning and words.")]
Bank = Annotated[
    dict[str, Any],
    Body(description="An export in MemoryBank's form or our own, by the person's name."),
]
router = APIRouter(prefix="/v1", responses=PROBLEMS)
of_person = APIRouter(prefix="/v1/people/{person}", responses=PROBLEMS)
of_everyone = APIRouter(prefix="/v1/nights", tags=["night"], responses=PROBLEMS)


@router.get("/people", tags=["people"])
def list_people(
    client: AskingClient,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: Annotated[
        str, Query(max_length=1000, description="`after` in the answer with the previous page.")
    ] = "",
) -> schemas.People:
    """List the people that the key may reach, by name; `after` in the answer starts the next page."""
    found = client.bank.companions_by_person(client.caller.person)
    names = [name for name in found if name > after]
    people = [schemas.Listed(user=name, companions=found[name]) for name in names[:limit]]
    return schemas.People(users=people, after=names[limit - 1] if len(names) > limit else None)


@router.post("/people", tags=["people"], status_code=201)
def meet_person(client: Operator, new: schemas.NewPerson) -> PersonSummary:
    """Create a person; an existing one is returned unchanged. A chat creates a new person too."""
    person = client.reach(new.name)
    person.meet(language=new.language, timezone=new.timezone)
    return person.summary()


@of_person.get("", tags=["people"])
def show_person(known: KnownPerson) -> PersonSummary:
    """Show a person with one companion, in numbers."""
    return known.summary()


@of_person.patch("", tags=["people"])
def change_person(known: KnownPerson, change: schemas.PersonChange) -> PersonSummary:
    """Change the language, time zone or displayed name of a person, for each companion."""
    known.update(**change.model_dump())
    return known.summary()


@of_person.delete("", tags=["people"])
def delete_person(
    client: AskingClient, reached: Reached, everywhere: bool = True
) -> schemas.DeletedPerson:
    """Delete a person with their keys, permanently, then search for remaining words.

    With `everywhere=false` only the memory of one companion.
    """
    person, companion = reached.scope.person, reached.scope.companion
    try:
        done = client.bank.delete(person, None if everywhere else companion)
    except UnknownPerson as error:  # its sentence may name a terminal command
        raise UnknownPerson("unknown_person", name=person) from error
    return schemas.DeletedPerson.model_validate(done.to_json())


@router.get("/companions", tags=["people"])
def list_companions(client: AskingClient) -> schemas.CompanionNames:
    """List the companions that the key may talk to."""
    return schemas.CompanionNames(companions=client.companions())


@router.get("/companions/{companion}/lore", tags=["people"])
def show_lore(
    client: AskingClient, companion: Annotated[str, Path(examples=["default"])], query: Search = ""
) -> schemas.LoreEntries:
    """List the lore of a companion; with a query, best first."""
    client.check_companion(companion)
    is_described = client.bank.companions.exists(companion)
    found = client.bank.lore(companion, clean(query)) if is_described else []
    entries = [schemas.LoreEntry.model_validate(entry(memory)) for memory in found]
    return schemas.LoreEntries(companion=companion, entries=entries)


@of_person.post("/chat", tags=["chat"], response_model=schemas.ChatReply, responses=STREAMED)
async def chat(
    client: AskingClient, reached: Reached, new: schemas.NewMessage, source: RequestSource
) -> Response:
    """Answer a message. It is stored before a model is called, and the reply when it ends.

    With `stream` the events are `piece`, then `done` or `error`. If the client disconnects, the
    reply ends and the partial reply is stored.
    """
    events = ReplyEvents(
        piece=lambda words: event({"text": words}, "piece"),
        done=lambda reply: [event(reply.answer.model_dump(), "done")],
        failed=lambda error: event(client.describe(error), "error"),
    )
    return await client.respond(
        partial(_answer, client, reached, new, source),
        whole=lambda reply: reply.answer.model_dump(),
        events=events if new.stream else None,
    )


@of_person.get("/turns", tags=["chat"])
def list_turns(
    known: KnownPerson,
    day: Annotated[str | None, Query(description="Only turns of this day.")] = None,
    before: Annotated[str | None, Query(description="Only turns before this id.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    unkept: Annotated[bool, Query(description="Also turns not to be remembered.")] = False,
) -> schemas.Turns:
    """List the newest turns, oldest first; archived ones too."""
    turns = [one for one in known.turns() if day in (None, one.date) and (unkept or not one.unkept)]
    if before is not None:
        ids = [turn.id for turn in turns]
        if before not in ids:
            raise UsageError("memory_unknown", id=before)
        turns = turns[: ids.index(before)]
    whose, zone = known.scope.to_json(), known.zone
    return schemas.Turns(**whose, turns=[_turn(turn, zone) for turn in turns[-limit:]])


@of_person.post("/turns", tags=["chat"], status_code=201)
def add_turn(reached: Reached, new: schemas.NewTurn, source: RequestSource) -> schemas.KeptTurn:
    """Store an exchange from another program as a turn; creates a new person."""
    kept = reached.add(
        new.said,
        new.replied,
        at=new.at,
        language=new.language,
        timezone=new.timezone,
        replied_by="http" if new.replied.strip() else "",
        metadata=new.metadata,
        source=source,
    )
    return schemas.KeptTurn(turn=_turn(kept.turn, reached.zone), unkept=list(kept.unkept))


@of_person.post("/scene", tags=["chat"])
def change_scene(known: KnownPerson) -> schemas.SceneEnded:
    """End the conversation: all turns leave it, to be extracted."""
    return schemas.SceneEnded(left=known.change_scene())


@of_person.get("/due", tags=["chat"])
def show_due(
    known: KnownPerson, mark: Annotated[bool, Query(description="Count it as said.")] = False
) -> schemas.DueMatters:
    """Return what the companion says first today; empty if nothing is due."""
    return schemas.DueMatters.model_validate(known.due(mark=mark))


@of_person.post("/recall", tags=["recall"])
def recall(known: KnownPerson, asked: schemas.MemoryQuestion) -> schemas.RecallDocument:
    """Recall memories for a question; changes nothing unless `reinforce` is set."""
    last_reply = asked.last_reply.strip()
    found = known.recall(
        asked.question,
        top=asked.top,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        reinforce=asked.reinforce,
    )
    document = known.recall_document(found)
    document["own_story"] = [entry.text for entry in known.own_story(asked.question)]
    return schemas.RecallDocument.model_validate(document)


@of_person.get("/memories", tags=["memories"])
def list_memories(
    known: KnownPerson,
    query: Search = "",
    kind: Annotated[MemoryKind | None, Query()] = None,
    entity: Annotated[str | None, Query(description="Only about this.")] = None,
    state: Annotated[State | None, Query()] = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> schemas.Memories:
    """List memories with the day each will fade: oldest first, or best first with a query."""
    fitting = known.search(query, kind=kind, entity=entity, state=state)
    listed = fitting[offset : offset + limit]
    return schemas.Memories(
        **known.scope.to_json(),
        policy=known.settings.policy,
        total=len(fitting),
        memories=[schemas.ListedMemory.model_validate(row.to_json()) for row in listed],
    )


@of_person.get("/memories/{memory_id}", tags=["memories"])
def show_memory(known: KnownPerson, memory_id: PathMemoryId) -> schemas.OneMemory:
    """Show a memory whole: its life, its evidence, and what was derived from it."""
    row = schemas.ListedMemory.model_validate(known.show(memory_id))
    return schemas.OneMemory(**known.scope.to_json(), memory=row)


@of_person.patch("/memories/{memory_id}", tags=["memories"])
def correct_memory(
    known: KnownPerson, memory_id: PathMemoryId, words: schemas.NewWords
) -> schemas.Changed:
    """Correct the words of a memory, or of a text of the portrait by its id.

    The next night rebuilds what was derived from the old words.
    """
    derived = known.edit(memory_id, **words.model_dump(exclude_none=True))
    return schemas.Changed(changed=[memory_id], derived=list(derived))


@of_person.delete("/memories/{memory_id}", tags=["memories"])
def erase_memory(known: KnownPerson, memory_id: PathMemoryId) -> schemas.Erased:
    """Erase a memory with everything derived from it, then search for remaining words."""
    return schemas.Erased.model_validate(known.erase(memory_id))


@of_person.post("/memories/{memory_id}/{action}", tags=["memories"])
def change_memory(known: KnownPerson, memory_id: PathMemoryId, action: Action) -> schemas.Changed:
    """Pin, forget, restore, or do not keep a memory; each has its opposite."""
    known.act(action, memory_id)
    return schemas.Changed(changed=[memory_id])


@of_person.get("/portrait", tags=["portrait"])
def show_portrait(known: KnownPerson) -> schemas.Portrait:
    """Show the portrait of the person, text by text, with id and evidence."""
    parts = tuple(known.portrait().values())
    return schemas.Portrait(**known.scope.to_json(), parts=parts)


@of_person.get("/export", tags=["import and export"])
def export_person(
    known: KnownPerson,
    form: Annotated[Literal["memorybank", "native"], Query(alias="format")] = "memorybank",
) -> dict[str, Any]:
    """Export everything, archived turns too, as MemoryBank's JSON or losslessly as our own."""
    return known.export(native=form == "native")


@of_person.post("/import", tags=["import and export"], max_body_size=MOST_IMPORT_BYTES)
def import_person(client: AskingClient, reached: Reached, bank: Bank) -> schemas.ImportedPeople:
    """Import a file with this person only; turns that are already there are skipped."""
    if [clean_name(name) for name in bank] != [reached.scope.person]:
        raise ProblemError(422, "import_others", {"name": reached.scope.person})
    report = client.bank.import_(bank, companion=reached.scope.companion)
    in_background(reached.index)  # which the first question would else wait for
    return schemas.ImportedPeople.model_validate(report.to_json())


@of_person.post("/nights", tags=["night"], status_code=202)
def start_night(
    client: AskingClient, known: KnownPerson, order: schemas.NightOrder | None = None
) -> Night:
    """Start the night of one person; every process knows its id. A dry run is answered at once."""
    return client.nights.start(known.scope.person, order or NightOptions())


@of_person.get("/nights", tags=["night"])
def list_nights(
    client: AskingClient, known: KnownPerson, limit: Annotated[int, Query(ge=1, le=100)] = 5
) -> schemas.PastNights:
    """List this person's part of the last nights' reports, newest first."""
    return schemas.PastNights(reports=client.nights.of(known.scope, limit))


@of_person.get("/nights/{night}", tags=["night"])
def follow_night(client: AskingClient, known: KnownPerson, night: NightId) -> Night:
    """Show the progress of a night; poll until its state is `done` or `failed`."""
    return client.nights.state(night, known.scope.person)


@of_everyone.post("", status_code=202)
def start_everyones_night(client: Operator, order: schemas.NightOrder | None = None) -> Night:
    """Start the night of everyone; only for the operator's key."""
    return client.nights.start(None, order or NightOptions())


@of_everyone.get("")
def show_last_night(client: Operator) -> schemas.PastNights:
    """Show the report of the last night; only for the operator's key."""
    report = client.nights.last(client.bank.people())
    return schemas.PastNights(reports=[] if report is None else [report])


@of_everyone.get("/{night}")
def follow_everyones_night(client: Operator, night: NightId) -> Night:
    """Show the progress of everyone's night; only for the operator's key."""
    return client.nights.state(night, None)


def _answer(
    client: AskingClient,
    person: Person,
    new: schemas.NewMessage,
    source: str,
    recalled: Callable[[], None],
) -> Generator[str, None, schemas.ChatReply]:
    options = new.model_dump(exclude={"message", "stream", "language", "timezone"})
    person.companion.on_recall = lambda _used: recalled()
    pieces = person.stream(
        new.message, source=source, **options
    )  # a rejected request creates no person
    if not new.off_record:
        person.meet(language=new.language, timezone=new.timezone, said=new.message)
    yield from pieces
    companion = person.companion
    reply = companion.last_reply
    assert reply is not None
    client.note_tokens(reply.usage)
    return schemas.ChatReply(
        reply=reply.text,
        turn=reply.turn.id if reply.turn else None,
        replied_by=reply.replied_by,
        certainty=reply.certainty,
        interrupted=reply.interrupted,
        notice=companion.notice,
        troubles=list(companion.troubles),
        usage=reply.usage,
        memories=used_memories(person, reply),
        rests_on=list(reply.rests_on),
    )


def used_memories(person: Person, reply: Reply) -> list[schemas.UsedMemory]:
    """List the memories that a reply was given, each once, with their words, best first."""
    recalled = (*reply.recalled.memories, *reply.recalled.facts)
    found: dict[str, Memory | None] = {each.memory.id: each.memory for each in recalled}
    if missing := [used.id for used in reply.used if used.id not in found]:
        found |= {identifier: person.memory().find(identifier) for identifier in missing}
    due = {used.id for used in reply.used if used.is_due}
    likely = {used.id for used in reply.based_on}
    return [
        schemas.UsedMemory(
            **entry(memory),
            score=used.score,
            why="due" if used.id in due else "likely" if used.id in likely else "shown",
        )
        for used in {used.id: used for used in reversed(reply.used)}.values()
        if (memory := found[used.id]) is not None
    ][::-1]


def entry(memory: Memory) -> dict[str, str]:
    """Return the common fields of a memory or an entry of the lore."""
    return {"id": memory.id, "kind": kind_of(memory), "date": memory.date, "text": memory.text}


def _turn(turn: Turn, zone: ZoneInfo) -> schemas.StoredTurn:
    local = turn if turn.time is None else replace(turn, time=turn.time.astimezone(zone))
    return schemas.StoredTurn.model_validate(local)
