"""The paths of people, memories and nights under ``/v1``: each translates to one call of the façade."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Path, Query, Response
from fastapi.responses import JSONResponse

from siliconfriend import __version__
from siliconfriend.control.edit import Action
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.output import clean
from siliconfriend.night.person_night import NightOptions
from siliconfriend.person.nights import Night
from siliconfriend.person.views import PersonSummary
from siliconfriend.recall.cue import Utterance
from siliconfriend.server import schemas
from siliconfriend.server.context import (
    AskedLanguage,
    Asking,
    Context,
    Known,
    Reached,
    ServerContext,
    require_operator,
    whose,
)
from siliconfriend.server.errors import ProblemError
from siliconfriend.server.schemas import PROBLEMS
from siliconfriend.server.talk_routes import entry
from siliconfriend.texts import Language

OPERATOR = [Depends(require_operator)]
Kind = Literal["turn", "day", "event", "fact", "insight", "topic"]
MemoryId = Annotated[str, Path(description="As the list of memories gives it.")]
NightId = Annotated[str, Path(description="As the start of the night gave it.")]
Search = Annotated[str, Query(description="Search by meaning and words.")]
Bank = Annotated[
    dict[str, Any],
    Body(description="A file of MemoryBank's, or of our own: each person under their name."),
]
public = APIRouter(tags=["server"])
router = APIRouter(prefix="/v1", responses=PROBLEMS)
of_person = APIRouter(prefix="/v1/people/{person}", responses=PROBLEMS)
of_everyone = APIRouter(
    prefix="/v1/nights", tags=["night"], responses=PROBLEMS, dependencies=OPERATOR
)


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


@router.get("/people", tags=["people"])
def list_people(context: Context, caller: Asking) -> schemas.People:
    """List everyone for the operator; for a person's key that person, with each companion."""
    people = [
        context.bank.person(scope.person, scope.companion).summary()
        for scope in context.bank.people()
        if caller.is_operator or scope.person == caller.person
    ]
    return schemas.People(users=people)


@router.post("/people", tags=["people"], status_code=201, dependencies=OPERATOR)
def meet_person(context: Context, caller: Asking, new: schemas.NewPerson) -> PersonSummary:
    """Begin the memory of a person; one that exists is returned unchanged. A chat does so too."""
    person = context.reach(caller, new.name)
    person.meet(language=new.language, timezone=new.timezone)
    return person.summary()


@of_person.get("", tags=["people"])
def show_person(known: Known) -> PersonSummary:
    """Show a person with one companion, in numbers."""
    return known.summary()


@of_person.patch("", tags=["people"])
def change_person(known: Known, change: schemas.PersonChange) -> PersonSummary:
    """Change the language or time zone of a person, or what they are called, for each companion."""
    known.update(**change.model_dump())
    return known.summary()


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
    return schemas.PersonKey(user=person, key=context.bank.keys.make_for(person))


@of_person.delete("/key", tags=["people"], status_code=204)
def remove_key(context: Context, caller: Asking, reached: Reached) -> None:
    """Remove a person's key. Only for the operator's key."""
    require_operator(caller)
    context.bank.keys.remove(reached.scope.person)


@router.get("/companions", tags=["people"])
def list_companions(context: Context) -> schemas.Companions:
    """List the companions one can talk to."""
    return schemas.Companions(companions=context.companions())


@router.get("/companions/{companion}/lore", tags=["people"])
def show_lore(
    context: Context,
    companion: Annotated[str, Path(examples=["default"])],
    query: Search = "",
) -> schemas.Lore:
    """List what a companion knows and has lived; best first where one searches."""
    is_plain = companion in context.companions() and not context.bank.companions.exists(companion)
    found = [] if is_plain else context.bank.lore(companion, clean(query))
    return schemas.Lore(
        companion=companion, entries=[schemas.LoreEntry(**entry(it)) for it in found]
    )


@of_person.post("/recall", tags=["recall"])
def recall(known: Known, asked: schemas.Question) -> schemas.Recall:
    """Show what would be remembered; nothing is changed unless `reinforce` is set."""
    last_reply = asked.last_reply.strip()
    found = known.recall(
        asked.question,
        top=asked.top,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        reinforce=asked.reinforce,
    )
    document = known.recall_document(found)
    for row, recalled in zip(document["memories"], found.memories, strict=True):
        row["relevant"] = recalled.is_likely
        if isinstance(recalled.memory, Turn):
            row |= {"said": recalled.memory.query, "replied": recalled.memory.response}
    document["own_story"] = [entry.text for entry in known.own_story(asked.question)]
    return schemas.Recall.model_validate(document)


@of_person.get("/memories", tags=["memories"])
def list_memories(
    context: Context,
    known: Known,
    query: Search = "",
    kind: Annotated[Kind | None, Query()] = None,
    entity: Annotated[str | None, Query(description="Only about this.")] = None,
    state: Annotated[Literal["vivid", "faded", "archived"] | None, Query()] = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> schemas.Memories:
    """List memories with the day each will fade: oldest first, or best first where one searches."""
    fitting = known.search(query, kind=kind, entity=entity, state=state)
    listed = fitting[offset : offset + limit]
    return schemas.Memories(
        **whose(known),
        policy=context.settings.policy,
        total=len(fitting),
        memories=[schemas.MemoryRow.model_validate(row.to_json()) for row in listed],
    )


@of_person.get("/memories/{memory_id}", tags=["memories"])
def show_memory(known: Known, memory_id: MemoryId) -> schemas.OneMemory:
    """Show a memory whole: its life, its evidence, and what was derived from it."""
    row = schemas.MemoryRow.model_validate(known.show(memory_id))
    return schemas.OneMemory(**whose(known), memory=row)


@of_person.patch("/memories/{memory_id}", tags=["memories"])
def correct_memory(known: Known, memory_id: MemoryId, words: schemas.NewWords) -> schemas.Changed:
    """Correct the words of a memory, or of a text of the portrait by its id.

    The next night makes again what was made of the old words.
    """
    derived = known.edit(memory_id, **words.model_dump(exclude_none=True))
    return schemas.Changed(changed=[memory_id], derived=list(derived))


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
    """Show what the companion thinks of the person, text by text, with id and evidence."""
    return schemas.Portrait(**whose(known), parts=known.portrait().parts)


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


@of_person.post("/nights", tags=["night"], status_code=202)
def start_night(context: Context, known: Known, order: schemas.NightOrder | None = None) -> Night:
    """Start the night of one person; any process knows its id. A dry run is answered at once."""
    return context.nights.start(known.scope.person, _options(order))


@of_person.get("/nights", tags=["night"])
def list_nights(
    context: Context, known: Known, limit: Annotated[int, Query(ge=1, le=100)] = 5
) -> schemas.NightReports:
    """List the reports of the nights that this person was in, newest first, nobody else in them."""
    return schemas.NightReports(reports=list(context.nights.of(known.scope, limit)))


@of_person.get("/nights/{night}", tags=["night"])
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
