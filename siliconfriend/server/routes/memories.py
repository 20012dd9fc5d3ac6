"""Memories: list, search, show, edit, pin, forget, restore and erase with proof."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.control.actions import Action, act, find_memories
from siliconfriend.control.details import memory_details
from siliconfriend.control.edit import edit_memory
from siliconfriend.control.erasure.erase import erase
from siliconfriend.control.listing import memory_rows
from siliconfriend.control.search import search
from siliconfriend.models.output import clean
from siliconfriend.server.context import Context, Reached, ReachedMemory
from siliconfriend.server.documents import (
    COMMON,
    Changed,
    Erased,
    Memories,
    MemoryRow,
    OneMemory,
)

router = APIRouter(prefix="/v1/people/{person}/memories", tags=["memories"], responses=COMMON)

MemoryId = Annotated[
    str, Path(description="The memory's id.", examples=["turn-2026-03-14-0-9f3a1c2e"])
]
Kind = Literal["turn", "day", "event", "fact", "insight", "topic"]


class NewWords(BaseModel):
    """The right words: of a turn `query` and `response`, of anything else `text`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "I moved to Porto."}]})
    query: Annotated[str | None, Field(max_length=100_000)] = None
    response: Annotated[str | None, Field(max_length=100_000)] = None
    text: Annotated[str | None, Field(max_length=100_000)] = None


@router.get("", summary="What is remembered")
def list_memories(
    reached: ReachedMemory,
    query: Annotated[str, Query(description="Search by meaning and words.")] = "",
    kind: Annotated[Kind | None, Query()] = None,
    entity: Annotated[str | None, Query(description="Only about this.")] = None,
    state: Annotated[Literal["vivid", "faded", "archived"] | None, Query()] = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> Memories:
    """Memories with the day each will fade: oldest first, or best first where one searches."""
    memory = reached.memory()
    now = reached.now(memory)
    rows = {it.memory.id: it for it in memory_rows(memory, reached.runtime.policy, now)}
    found = search(
        lambda: reached.runtime.recaller,
        reached.scope,
        memory,
        clean(query),
        now=now,
        kind=kind,
        entity=entity,
    )
    fitting = [rows[it.id] for it in found if state in (None, rows[it.id].prospect.state)]
    listed = [MemoryRow.model_validate(it.to_json()) for it in fitting[offset : offset + limit]]
    return Memories(**_head(reached), total=len(fitting), memories=listed)


@router.get("/{memory_id}", summary="One memory whole")
def show_memory(reached: ReachedMemory, memory_id: MemoryId) -> OneMemory:
    """Its life, its evidence, and what was derived from it."""
    memory = reached.memory()
    (record,) = find_memories(memory, [memory_id])
    rows = memory_rows(memory, reached.runtime.policy, reached.now(memory))
    row = next(it for it in rows if it.memory.id == record.id)
    whole = row.to_json() | memory_details(memory, reached.scope, record)
    return OneMemory(**_head(reached), memory=MemoryRow.model_validate(whole))


@router.patch("/{memory_id}", summary="Correct the words of a memory")
def correct_memory(reached: ReachedMemory, memory_id: MemoryId, words: NewWords) -> Changed:
    """What was made of the old words is made again by the next night."""
    now = reached.now(reached.memory())
    given = {name: clean(value) for name, value in words.model_dump(exclude_none=True).items()}
    derived = edit_memory(reached.store, reached.scope, memory_id, now, **given)
    return Changed(changed=[memory_id], derived=derived)


@router.delete("/{memory_id}", summary="Erase a memory, with proof")
def erase_memory(context: Context, reached: ReachedMemory, memory_id: MemoryId) -> Erased:
    """Erase it with everything that was made of it, then search for what is left."""
    done = erase(
        reached.store,
        reached.scope,
        [memory_id],
        home=context.settings.home,
        rewrite_index=reached.runtime.rewrite_index,
        jobs=context.runtime.shared.jobs,
    )
    return Erased(
        erased=list(done.erased), derived=list(done.derived), searched=done.searched, left=done.left
    )


@router.post("/{memory_id}/{action}", summary="Pin, forget, restore, or do not keep a memory")
def change_memory(reached: ReachedMemory, memory_id: MemoryId, action: Action) -> Changed:
    """Do what can be undone: forgetting archives, and `unkeep` leaves it to the next night."""
    act(reached.store, reached.scope, action, [memory_id], reached.now(reached.memory()))
    return Changed(changed=[memory_id])


def _head(reached: Reached) -> dict[str, Any]:
    return {
        "user": reached.scope.person,
        "companion": reached.scope.companion,
        "policy": reached.runtime.settings.policy,
    }
