"""The portrait: what the companion thinks of the person, on what evidence, to be corrected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from siliconfriend.control.edit import correct_text
from siliconfriend.control.portrait import grouped_facts
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.models.output import clean
from siliconfriend.server.context import ReachedMemory
from siliconfriend.server.documents import COMMON, Changed, Portrait, PortraitText

router = APIRouter(prefix="/v1/people/{person}/portrait", tags=["portrait"], responses=COMMON)


class RightText(BaseModel):
    """The right words."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "Ada is a careful writer."}]}
    )
    text: Annotated[str, Field(min_length=1, max_length=100_000)]


@router.get("", summary="The portrait of a person")
def show_portrait(reached: ReachedMemory) -> Portrait:
    """The texts over all days, what is known, the companion's thoughts, then each day."""
    parts = list(_parts(reached.memory()))
    return Portrait(user=reached.scope.person, companion=reached.scope.companion, parts=parts)


@router.put("/{part}", summary="Correct a text of the portrait")
def correct_portrait(
    reached: ReachedMemory,
    part: Annotated[str, Path(examples=["overall_personality"])],
    right: RightText,
) -> Changed:
    """What was made of the old words is made again by the next night."""
    now = reached.now(reached.memory())
    correct_text(reached.store, reached.scope, part, clean(right.text), now)
    return Changed(changed=[part])


def _parts(memory: PersonMemory) -> Iterator[PortraitText]:
    for name in ("overall_history", "overall_personality"):
        overall = getattr(memory, name)
        if overall is not None and overall.text:
            yield _part(name, "overall", name, overall.text, overall.provenance)
    for group, fact in grouped_facts(memory):
        title = fact.entity if group == "around" else fact.key_word
        yield _part(fact.id, group, title, fact.text, fact.provenance)
    for insight in memory.insights():
        yield _part(insight.id, "thoughts", insight.question, insight.text, insight.provenance)
    for day in reversed(list(memory.days.values())):
        own = day.personality
        if own is not None:
            yield _part(f"personality-{day.date}", "days", day.date, own.text, own.provenance)


def _part(
    identifier: str, group: str, title: str, words: str, provenance: Provenance
) -> PortraitText:
    return PortraitText(
        id=identifier,
        group=group,
        title=title,
        text=words,
        made_by=provenance.made_by,
        from_ids=list(provenance.from_ids),
    )
